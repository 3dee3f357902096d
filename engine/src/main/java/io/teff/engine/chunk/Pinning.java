package io.teff.engine.chunk;

import io.teff.engine.check.Refusals;
import io.teff.engine.error.Status;
import io.teff.engine.lock.LockIntent;
import io.teff.engine.table.EntryWord;
import java.lang.foreign.MemorySegment;

/** Pins of chunks: a pinned chunk keeps its address and its length. Pins are counted, per chunk. Thread-safe. */
public final class Pinning {
    private final ChunkSpace space;
    private final ChangeLog log;

    /**
     * Creates the pins of a store.
     *
     * @param space the store's chunks
     * @param log records content that may have been written through a pin
     */
    public Pinning(ChunkSpace space, ChangeLog log) {
        this.space = space;
        this.log = log;
    }

    /** Receives the pinned chunks. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * Receives one chunk.
         *
         * @param cid the chunk
         * @param pins number of its pins, at least 1
         */
        void pinned(long cid, int pins);
    }

    /** {@return whether every change is refused, so that pinned memory is only read} */
    public boolean isReadOnly() {
        return log.isReadOnly();
    }

    /**
     * Pins a chunk.
     *
     * @param cid the chunk
     * @return its memory; a heap segment for length 0
     * @throws java.util.NoSuchElementException if there is no such chunk
     * @throws io.teff.engine.error.StoreException of category RETRY if another thread keeps the chunk locked
     */
    public MemorySegment begin(long cid) {
        int entered = space.locks.enter(cid, LockIntent.READ, space.config.lockTimeoutNs());
        if (entered != Status.OK) {
            throw Refusals.of(cid, entered);
        }
        try {
            space.locks.pinInside(cid);
            long word = space.word(cid);
            long length = space.chunks.length(word);
            return length == 0 ? MemorySegment.ofArray(new byte[0])
                : space.region.segment(EntryWord.address(word), length);
        } finally {
            space.locks.leave(cid);
        }
    }

    /**
     * Visits every chunk that is pinned now.
     *
     * @param visitor called once per chunk, inside the chunk's stripe
     */
    public void forEach(Visitor visitor) {
        space.locks.forEach(false, (cid, writer, readers, pins, waiters) -> {
            if (pins > 0) {
                visitor.pinned(cid, pins);
            }
        });
    }
}
