package io.teff.engine;

import io.teff.engine.error.Status;

/**
 * A lock on a chunk that a thread holds until {@link #close()}. Not thread-safe: only the thread that took the lock may
 * close it.
 */
public final class ChunkLock implements AutoCloseable {
    private final LockOperations locks;
    private final long cid;
    private boolean ended;

    /**
     * Creates the object for a lock that the calling thread has taken.
     *
     * @param locks the operations that release the lock
     * @param cid the locked chunk
     */
    public ChunkLock(LockOperations locks, long cid) {
        this.locks = locks;
        this.cid = cid;
    }

    /** {@return the locked chunk} */
    public long cid() {
        return cid;
    }

    /**
     * Releases the lock; idempotent. Does nothing if the chunk was removed: a removal ends all locks of the chunk.
     *
     * @throws IllegalStateException if the calling thread does not hold a lock on the chunk
     */
    @Override
    public void close() {
        if (ended) {
            return;
        }
        if (locks.unlock(cid) == Status.NOT_HELD) {
            throw new IllegalStateException("thread " + Thread.currentThread().getName() + " does not hold chunk "
                + Cid.toString(cid));
        }
        ended = true;
    }
}
