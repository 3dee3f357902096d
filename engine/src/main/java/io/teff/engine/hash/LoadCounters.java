package io.teff.engine.hash;

import io.teff.engine.storage.CollectionCounters;
import io.teff.engine.storage.WriterLocks;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What a hash table counts. The load, by which the table grows, is the weight of all entries but for {@link #STEP} per
 * lane, so that it is not touched by each change.
 */
final class LoadCounters extends CollectionCounters {
    /** Weight by which a lane may differ from what it has told the load. */
    static final int STEP = 256;

    private final AtomicLongArray untold = new AtomicLongArray(WriterLocks.COUNT);
    private final AtomicLong load = new AtomicLong();

    /** Counts weight of entries. */
    void weight(int lockIndex, long delta) {
        long sum = add(untold, lockIndex, delta);
        if (Math.abs(sum) >= STEP) {
            load.getAndAdd(sum);
            add(untold, lockIndex, -sum);
        }
    }

    /** Weight of all entries, almost. */
    long load() {
        return load.getOpaque();
    }

    /** Weight of all entries, if nothing changes. */
    long exactLoad() {
        return load.get() + sum(untold);
    }
}
