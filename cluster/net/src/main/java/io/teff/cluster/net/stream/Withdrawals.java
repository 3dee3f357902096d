package io.teff.cluster.net.stream;

import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The latest requests of a session given up by their callers. A request looks up its number before its handler runs. A
 * table by the low bits of the number: an entry is overwritten when another number needs the place of the entry. Then
 * the request of the old entry is handled in vain, without harm. Written by the agent; read by any thread.
 */
public final class Withdrawals {
    /** As many small requests fit into a quarter of a window of the default size. */
    private static final int SLOTS = 1 << 12;

    /** Made by the first withdrawal. Correlations begin at 1, so 0 is an empty slot. */
    private volatile @Nullable AtomicLongArray numbers;

    /** Adds a request. */
    void add(long correlation) {
        AtomicLongArray its = numbers;
        if (its == null) {
            its = new AtomicLongArray(SLOTS);
            numbers = its;
        }
        its.setRelease(slot(correlation), correlation);
    }

    /** Returns whether a request was given up, as far as this is known. */
    boolean has(long correlation) {
        final AtomicLongArray its = numbers;
        return its != null && its.getAcquire(slot(correlation)) == correlation;
    }

    /** Forgets all, while no request waits. */
    void clear() {
        numbers = null;
    }

    private static int slot(long correlation) {
        return (int) correlation & SLOTS - 1;
    }
}
