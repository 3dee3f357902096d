package io.teff.cluster.peer;

import java.util.concurrent.TimeUnit;

/**
 * Bounds the bytes that a peer records for new backups in a second. Each recorded part costs time: the bytes of the
 * part by the rate. The next part waits until the time of all parts is over. A rest saves up the time of at most a
 * tenth of a second. For one thread; the caller passes the time.
 */
final class CopyRate {
    private static final long SAVED_NS_MAX = TimeUnit.MILLISECONDS.toNanos(100);
    private static final double NS_PER_S = 1e9;

    private final long bytesPerS;
    private long freeNs;

    /**
     * Begins without debts.
     *
     * @param bytesPerS the rate
     * @param nowNs the time
     */
    CopyRate(long bytesPerS, long nowNs) {
        this.bytesPerS = bytesPerS;
        freeNs = nowNs;
    }

    /** Notes recorded bytes. */
    void took(long bytes, long nowNs) {
        freeNs = Math.max(freeNs, nowNs - SAVED_NS_MAX) + (long) (bytes * NS_PER_S / bytesPerS);
    }

    /** Returns how long the next part waits. */
    long waitNs(long nowNs) {
        return Math.max(0, freeNs - nowNs);
    }
}
