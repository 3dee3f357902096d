package io.teff.engine.lock;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Holds locks in place of a thread: whoever it stands for is outside of this process. The calling thread acts for a
 * holder between {@link #act} and {@link #rest}: the thread then has the locks of the holder, and the right to pass
 * these locks. Thread-safe.
 *
 * <p>A holder may keep a lock for seconds, so no operation waits for a holder in this process: an operation delayed by
 * a holder's lock is LOCKED at once, regardless of the timeout.
 */
public final class Holder {
    private static final ThreadLocal<@Nullable Holder> ACTING = new ThreadLocal<>();

    private final String name;
    /** Threads that act for this holder now. */
    private final AtomicInteger acting = new AtomicInteger();
    private volatile boolean hasEnded;

    /**
     * Makes a holder without locks.
     *
     * @param name for people
     */
    public Holder(String name) {
        this.name = name;
    }

    /** {@return to whom locks taken now belong: the holder for which the calling thread acts, or the thread} */
    static Object current() {
        final Holder acting = acting();
        return acting == null ? Thread.currentThread() : acting;
    }

    /** {@return the holder for which the calling thread acts, or null} */
    public static @Nullable Holder acting() {
        return ACTING.get();
    }

    /** Lets the calling thread act for this holder. */
    public void act() {
        assert ACTING.get() == null : "a thread acts for one holder";
        acting.incrementAndGet();
        ACTING.set(this);
    }

    /** Lets the calling thread act for itself again. */
    public static void rest() {
        final Holder holder = ACTING.get();
        if (holder != null) {
            ACTING.remove();
            holder.acting.decrementAndGet();
        }
    }

    /**
     * {@return whether a thread or holder is a holder for which no thread acts: if the caller is inside of the stripe
     * of a chunk that it holds exclusively, no thread changes the chunk before the caller leaves the stripe}
     */
    static boolean isIdle(@Nullable Object owner) {
        return owner instanceof Holder holder && holder.acting.get() == 0;
    }

    /** Ends the holder: remaining locks count as locks of an ended thread. Idempotent. */
    public void end() {
        hasEnded = true;
    }

    /** {@return whether a thread or holder has not ended} */
    static boolean isAlive(Object owner) {
        return owner instanceof Thread thread ? thread.isAlive() : !((Holder) owner).hasEnded;
    }

    /** {@return whether a thread or holder is a holder} */
    static boolean isRemote(@Nullable Object owner) {
        return owner instanceof Holder;
    }

    /** {@return name and id of a thread, or name of a holder, with a remark if it has ended} */
    static String describe(Object owner) {
        return (owner instanceof Thread thread ? thread.getName() + "#" + thread.threadId() : owner.toString())
            + (isAlive(owner) ? "" : " (ended)");
    }

    @Override
    public String toString() {
        return name;
    }
}
