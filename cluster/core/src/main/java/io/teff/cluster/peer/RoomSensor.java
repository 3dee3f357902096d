package io.teff.cluster.peer;

import io.teff.engine.error.StoreException;
import io.teff.engine.journal.ChunkRestorer;
import java.lang.foreign.MemorySegment;

/**
 * Passes chunks on, and notes a refusal for lack of memory: the reading log uses the same exception for different
 * reasons. Thread-safe if the target is thread-safe.
 */
final class RoomSensor implements ChunkRestorer {
    private final ChunkRestorer to;
    private volatile boolean isFull;

    RoomSensor(ChunkRestorer to) {
        this.to = to;
    }

    /** Returns whether a chunk was refused. */
    boolean isFull() {
        return isFull;
    }

    @Override
    public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
        try {
            to.put(cid, isReadOnly, source, offset, length);
        } catch (StoreException e) {
            throw noted(e);
        }
    }

    private StoreException noted(StoreException e) {
        if (e.category() == StoreException.Category.DEGRADED) {
            isFull = true;
        }
        return e;
    }

    @Override
    public Pieces begin(long length) {
        try {
            return to.begin(length);
        } catch (StoreException e) {
            throw noted(e);
        }
    }

    @Override
    public boolean useHeadroom() {
        return to.useHeadroom();
    }

    @Override
    public void removed(long cid) {
        try {
            to.removed(cid);
        } catch (StoreException e) {
            throw noted(e);
        }
    }

    @Override
    public void reserved(long cid) {
        try {
            to.reserved(cid);
        } catch (StoreException e) {
            throw noted(e);
        }
    }
}
