package io.teff.engine.os;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The seam for time and waiting. Implementations are thread-safe. A virtual clock overrides {@link #park}, too. */
@FunctionalInterface
public interface Clock {
    /** The clock and scheduler of this JVM. */
    Clock SYSTEM = new Clock() {
        @Override
        public long nowNs() {
            return System.nanoTime();
        }

        @Override
        public long epochMs() {
            return System.currentTimeMillis();
        }
    };

    /**
     * Reads a monotonic clock with an arbitrary origin.
     *
     * @return nanoseconds; compare by subtraction
     */
    long nowNs();

    /**
     * Reads the wall clock, which may be set back or forward between two calls. Unless overridden, it follows the
     * monotonic clock, with that clock's origin as 1970.
     *
     * @return milliseconds since 1970-01-01 UTC
     */
    default long epochMs() {
        return TimeUnit.NANOSECONDS.toMillis(nowNs());
    }

    /**
     * Waits until the thread is unparked or interrupted, or the time has passed; may return early. Unless overridden,
     * parks the thread for real time.
     *
     * @param blocker shown in thread dumps as the reason of the wait
     * @param ns the longest wait in nanoseconds; returns at once unless positive
     */
    default void park(Object blocker, long ns) {
        LockSupport.parkNanos(blocker, ns);
    }

    /**
     * Waits like {@link #park}, for loops that look again after each wait. An interrupt shortens at most the wait in
     * which it arrives, and is pending again when this returns ({@link KeptInterrupt}).
     *
     * @param blocker shown in thread dumps as the reason of the wait
     * @param ns the longest wait in nanoseconds; returns at once unless positive
     */
    default void pause(Object blocker, long ns) {
        try (KeptInterrupt interrupt = KeptInterrupt.begin()) {
            interrupt.park(this, blocker, ns);
        }
    }
}
