package io.teff.engine;

import io.teff.engine.error.Status;

/** A lock that a thread holds on a chunk; {@link #close()} ends it. Used by the thread that took it. */
public final class ChunkLock implements AutoCloseable {
    private final LockOperations locks;
    private final long cid;
    private boolean ended;

    /**
     * Creates the object for a lock that the calling thread has taken.
     *
     * @param locks ends the lock
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
     * Ends the lock; idempotent. Has no effect if the chunk was removed, because that has ended the lock.
     *
     * @throws IllegalStateException if another thread calls it
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
