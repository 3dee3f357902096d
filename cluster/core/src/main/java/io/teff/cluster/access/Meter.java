package io.teff.cluster.access;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The use of a rate by a principal, at one node. The meter keeps the time at which the use is paid off. A use begins if
 * nothing is owed; an unused second counts. Thread-safe, without a lock.
 */
final class Meter {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final AtomicLong paidNs;

    Meter(long nowNs) {
        paidNs = new AtomicLong(nowNs - SECOND_NS);
    }

    /** Takes an amount; returns false if earlier amounts are not paid off. */
    boolean take(long amount, long perSecond, long nowNs) {
        final long costNs = (long) ((double) amount * SECOND_NS / perSecond);
        while (true) {
            final long before = paidNs.get();
            final long from = Math.max(before - nowNs, -SECOND_NS) + nowNs;
            if (from - nowNs > 0) {
                return false;
            }
            if (paidNs.compareAndSet(before, from + costNs)) {
                return true;
            }
        }
    }
}
