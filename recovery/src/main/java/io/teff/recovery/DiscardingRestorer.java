package io.teff.recovery;

import io.teff.engine.error.StoreException;
import io.teff.engine.journal.ChunkRestorer;
import java.lang.foreign.MemorySegment;

/**
 * Lets go of what was restored instead of restoring it: each chunk that it is to make is gone afterwards. It has no
 * memory for itself.
 */
final class DiscardingRestorer implements ChunkRestorer {
    private final ChunkRestorer restorer;

    DiscardingRestorer(ChunkRestorer restorer) {
        this.restorer = restorer;
    }

    @Override
    public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
        removed(cid);
    }

    @Override
    public Pieces begin(long length) {
        return new Pieces() {
            @Override
            public void write(long at, MemorySegment source, long offset, long bytes) { }

            @Override
            public void put(long cid, boolean isReadOnly) {
                removed(cid);
            }

            @Override
            public void discard() { }
        };
    }

    @Override
    public void removed(long cid) {
        try {
            restorer.removed(cid);
        } catch (StoreException _) {
            // there is no memory for its entry, so there is none to let go of either
        }
    }

    @Override
    public void reserved(long cid) {
        removed(cid);
    }
}
