package io.teff.engine.hash;

import io.teff.engine.storage.CollectionCounters;
import io.teff.engine.storage.WriterLocks;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The counters of a hash table. The load, which decides on growth, is the weight of all entries, less up to {@link
 * #STEP} per writer lock, so that not every change writes it.
 */
final class LoadCounters extends CollectionCounters {
    /** Weight that a cell collects before it is added to the load. */
    static final int STEP = 256;

    private final AtomicLongArray pending = new AtomicLongArray(WriterLocks.COUNT);
    private final AtomicLong load = new AtomicLong();

    /** Counts the weight of entries. */
    void weight(int lockIndex, long delta) {
        long sum = add(pending, lockIndex, delta);
        if (Math.abs(sum) >= STEP) {
            load.getAndAdd(sum);
            add(pending, lockIndex, -sum);
        }
    }

    /** Returns the approximate weight of all entries. */
    long load() {
        return load.getOpaque();
    }

    /** Returns the weight of all entries, provided that no writer runs. */
    long exactLoad() {
        return load.get() + sum(pending);
    }
}
