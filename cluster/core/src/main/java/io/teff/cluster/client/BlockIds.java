package io.teff.cluster.client;

import io.teff.cluster.service.IdSource;
import io.teff.cluster.service.SharedCounter;

/** Ids from blocks of a counter. Thread-safe. */
final class BlockIds implements IdSource {
    private final SharedCounter counter;
    private final int block;
    private long next;
    private long end;

    BlockIds(SharedCounter counter, int block) {
        this.counter = counter;
        this.block = block;
    }

    @Override
    public synchronized long next() {
        if (next == end) {
            next = counter.getAndAdd(block);
            end = next + block;
        }
        return next++;
    }
}
