package io.teff.engine.os;

import java.util.concurrent.locks.LockSupport;

/**
 * Keeps an interrupt of the calling thread back during waits that interrupts do not end, and sets the flag again when
 * it is closed. For one thread, in one block:
 * <pre>
 *  try (KeptInterrupt interrupt = KeptInterrupt.begin()) {
 *      while (!isDone) {
 *          interrupt.park(this);
 *      }
 *  }
 * </pre>
 * An interrupt does two things to a thread: the flag is set, and a permit is left. With the permit, the next park
 * returns at once. This holds for a thread that interrupts itself, too. So a loop that parks and then sets the flag
 * again never waits: the thread keeps its processor busy, and a virtual thread keeps its carrier. Hence the flag is set
 * again only after the last wait, and a block that begins with the flag set takes the permit before it parks.
 */
public final class KeptInterrupt implements AutoCloseable {
    private boolean isKept;

    private KeptInterrupt() {}

    /** {@return a block that keeps interrupts back, also one that is pending already} */
    public static KeptInterrupt begin() {
        final KeptInterrupt begun = new KeptInterrupt();
        if (Thread.interrupted()) {
            begun.isKept = true;
            LockSupport.unpark(Thread.currentThread());         // there is a permit now, so the park returns at once
            LockSupport.park(begun);
        }
        return begun;
    }

    /**
     * Waits until the thread is unparked; may return early, and does so at an interrupt.
     *
     * @param blocker shown in thread dumps as the reason of the wait
     */
    public void park(Object blocker) {
        LockSupport.park(blocker);
        keep();
    }

    /**
     * Waits until the thread is unparked or the time has passed; may return early, and does so at an interrupt.
     *
     * @param clock that waits
     * @param blocker shown in thread dumps as the reason of the wait
     * @param ns the longest wait in nanoseconds; returns at once unless positive
     */
    public void park(Clock clock, Object blocker, long ns) {
        clock.park(blocker, ns);
        keep();
    }

    /** Keeps an interrupt that has ended a wait by an exception, which has cleared the flag. */
    public void keepThrown() {
        isKept = true;
    }

    /** Keeps an interrupt whose flag is set. */
    public void keep() {
        isKept |= Thread.interrupted();
    }

    /** Ends the block, and sets the flag if there was an interrupt. */
    @Override
    public void close() {
        if (isKept) {
            Thread.currentThread().interrupt();
        }
    }
}
