package io.teff.engine.hash;

import io.teff.engine.storage.CollectionCounters;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The counters of a hash table. The load, which decides on growth, is the weight of all entries, less up to {@link
 * #STEP} per writer lock, so that not every change writes it.
 */
final class LoadCounters extends CollectionCounters {
    /** Weight that a cell collects before it is added to the load. */
    static final int STEP = 256;

    /** Weight that is not in the load yet. */
    private static final int PENDING = OWN;

    private final AtomicLong load = new AtomicLong();
    /** The part of the load that is not in the table yet. */
    private final AtomicLong expected = new AtomicLong();

    /** Counts the weight of entries. */
    void weight(int lockIndex, long delta) {
        long sum = add(lockIndex, PENDING, delta);
        if (Math.abs(sum) >= STEP) {
            load.getAndAdd(sum);
            add(lockIndex, PENDING, -sum);
        }
    }

    /**
     * Adds the weight of entries that will be put soon, so that the table grows for all of them at once; negative when
     * they are put.
     */
    void expect(long delta) {
        expected.getAndAdd(delta);
        load.getAndAdd(delta);
    }

    /** Returns the approximate weight of all entries. */
    long load() {
        return load.getOpaque();
    }

    /** Returns the weight of all entries, provided that no writer runs. */
    long exactLoad() {
        return load.get() - expected.get() + sum(PENDING);
    }
}
