package io.teff.cluster.client;

import io.teff.cluster.service.Counter;
import io.teff.cluster.service.IdSource;

/** Ids from blocks of a counter. Thread-safe. */
final class BlockIds implements IdSource {
    private final Counter counter;
    private final int block;
    private long next;
    private long end;

    BlockIds(Counter counter, int block) {
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
