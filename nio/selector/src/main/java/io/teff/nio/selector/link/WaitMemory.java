package io.teff.nio.selector.link;

import java.net.SocketTimeoutException;

/**
 * How long the last waits of a waiter took. A waiter whose waits are long sleeps at once, as spinning would use a
 * processor for nothing.
 *
 * <p>Two threads may wait at the same time and lose a note of each other. The loss changes only how long a thread
 * spins.
 */
public final class WaitMemory {
    private static final long FOREVER_NS = 3_600_000_000_000L;
    /** Long waits in a row after which a waiter spins no longer. */
    private static final int LONG_MAX = 8;

    private int longCount;

    /** Makes a memory whose first waits spin. */
    public WaitMemory() {}

    boolean isShort() {
        return longCount < LONG_MAX;
    }

    void waited(long ns, long limitNs) {
        longCount = ns <= limitNs ? 0 : Math.min(longCount + 1, LONG_MAX);
    }

    /**
     * Returns the longest time that a waiter may still sleep.
     *
     * @param timeoutNs 0 for no limit
     * @param waitedNs since the begin of the wait
     * @throws SocketTimeoutException if the time is over
     */
    static long leftNs(long timeoutNs, long waitedNs) throws SocketTimeoutException {
        if (timeoutNs == 0) {
            return FOREVER_NS;
        }
        if (waitedNs >= timeoutNs) {
            throw new SocketTimeoutException("Read timed out");
        }
        return timeoutNs - waitedNs;
    }
}
