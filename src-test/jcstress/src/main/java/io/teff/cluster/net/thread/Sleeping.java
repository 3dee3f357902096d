package io.teff.cluster.net.thread;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A queue of one task, and a thread that sleeps when there is none. */
public final class Sleeping {
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.privateLookupIn(ThreadParking.class, MethodHandles.lookup())
                .findVarHandle(ThreadParking.class, "count", AtomicInteger.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ThreadParking sleepers = new ThreadParking();
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
