package io.teff.engine;

import io.teff.engine.error.Status;

/** A lock that a thread holds on a chunk; {@link #close()} ends it. Used by the thread that took it. */
public final class ChunkLock implements AutoCloseable {
    private final Core core;
    /** Keeps the store reachable while only this part of it is used. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final Store store;
    private final long cid;
    private boolean ended;

    ChunkLock(Store store, Core core, long cid) {
        this.store = store;
        this.core = core;
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
        if (core.locks.unlock(cid) == Status.NOT_HELD) {
            throw new IllegalStateException("thread " + Thread.currentThread().getName() + " does not hold chunk "
                + Cid.toString(cid));
        }
        ended = true;
    }
}
