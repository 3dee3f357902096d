package io.teff.rdma.transport;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The wait of an agent that no descriptor can wake: it parks, for longer and longer while nothing happens. By the
 * agent's thread, except {@link #wakeUp}.
 */
public final class Rest {
    private static final long PARK_MIN_NS = 20_000;
    private static final long PARK_MAX_NS = 1_000_000;

    private long parkNs = PARK_MIN_NS;
    private volatile @Nullable Thread waiting;
    private volatile boolean isAwake;

    /** Makes a rest that begins with short waits. */
    public Rest() {}

    /** Lets the next wait be short, as something has happened. */
    public void reset() {
        parkNs = PARK_MIN_NS;
    }

    /**
     * Waits; returns early after {@link #wakeUp}.
     *
     * @param timeoutNs longest wait in nanoseconds
     */
    public void await(long timeoutNs) {
        waiting = Thread.currentThread();
        if (!isAwake) {
            LockSupport.parkNanos(this, Math.min(timeoutNs, parkNs));
            Thread.interrupted();                               // an agent with the flag would never park again
            parkNs = Math.min(parkNs * 2, PARK_MAX_NS);
        }
        waiting = null;
        isAwake = false;
    }

    /** Ends the wait, the current or the next. Any thread. */
    public void wakeUp() {
        isAwake = true;
        final Thread thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }
}
