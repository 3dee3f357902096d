package io.teff.cluster.net;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A queue of one task, and a thread that sleeps when there is none. */
public final class Sleeping {
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.privateLookupIn(Sleepers.class, MethodHandles.lookup())
                .findVarHandle(Sleepers.class, "count", AtomicInteger.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Sleepers sleepers = new Sleepers();
    private final AtomicInteger count = (AtomicInteger) COUNT.get(sleepers);
    private final AtomicBoolean task = new AtomicBoolean();

    /** Adds the task, as a queue does; whether a sleeper is woken. */
    public boolean add() {
        task.setRelease(true);
        return sleepers.areThere();
    }

    /** Adds the task, and looks for sleepers without a fence. */
    public boolean addBlindly() {
        task.setRelease(true);
        return count.getAcquire() > 0;
    }

    /** Looks for the task before it sleeps; whether it is found. */
    public boolean isFound() {
        sleepers.join();
        return task.getAcquire();
    }
}
