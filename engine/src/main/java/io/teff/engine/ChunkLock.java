package io.teff.engine;

import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.error.Status;

/** A lock that a thread holds on a chunk; {@link #close()} ends it. Used by the thread that took it. */
public final class ChunkLock implements AutoCloseable {
    private final ChunkSpace space;
    /** Keeps the store open while only this object of it is used. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final StoreHandle handle;
    private final long cid;
    private boolean ended;

    ChunkLock(StoreHandle handle, ChunkSpace space, long cid) {
        this.handle = handle;
        this.space = space;
        this.cid = cid;
    }

    /** {@return the locked chunk} */
    public long cid() {
        return cid;
    }

    /**
     * Ends the lock; idempotent. A lock whose chunk was removed is over already.
     *
     * @throws IllegalStateException if another thread calls it
     */
    @Override
    public void close() {
        if (ended) {
            return;
        }
        if (space.locks.unlock(cid) == Status.NOT_HELD) {
            throw new IllegalStateException("thread " + Thread.currentThread().getName() + " does not hold chunk "
                + Cid.toString(cid));
        }
        ended = true;
    }
}
