package io.teff.engine.os;

import java.util.concurrent.locks.LockSupport;

/** The seam for time and waiting. Implementations are thread-safe. */
public interface Time {
    /** The clock and scheduler of this JVM. */
    Time SYSTEM = new Time() {
        @Override
        public long nowNs() {
            return System.nanoTime();
        }

        @Override
        public void park(Object blocker, long ns) {
            LockSupport.parkNanos(blocker, ns);
        }
    };

    /**
     * Reads a monotonic clock with an arbitrary origin.
     *
     * @return nanoseconds; compare by subtraction
     */
    long nowNs();

    /**
     * Waits until the thread is unparked, is interrupted, or the time is over; may return early.
     *
     * @param blocker what the thread waits for, shown in thread dumps
     * @param ns the longest wait in nanoseconds; none if not positive
     */
    void park(Object blocker, long ns);

    /**
     * The same for waits that an interrupt must not shorten: with the interrupt flag set a park returns at once, and a
     * loop around it would burn the processor. The flag is set again afterwards.
     *
     * @param blocker what the thread waits for, shown in thread dumps
     * @param ns the longest wait in nanoseconds; none if not positive
     */
    default void pause(Object blocker, long ns) {
        boolean interrupted = Thread.interrupted();
        park(blocker, ns);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
