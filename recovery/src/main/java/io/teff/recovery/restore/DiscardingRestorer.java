package io.teff.recovery.restore;

import io.teff.engine.error.StoreException;
import io.teff.engine.journal.ChunkRestorer;
import java.lang.foreign.MemorySegment;

/**
 * Removes each chunk instead of restoring it, so that nothing of a zone stays in memory. Needs no memory itself.
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
    public boolean change(long cid, MemorySegment source, long offset, int length) {
        return true;
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
            // without memory for its entry there is nothing to remove
        }
    }

    @Override
    public void reserved(long cid) {
        removed(cid);
    }
}
