package io.teff.engine;

import io.teff.engine.config.LockStep;
import java.util.Optional;

/**
 * Read and write locks on chunks, with deadlines.
 *
 * <p>A lock belongs to a thread (platform or virtual). While a thread holds the write lock, other threads' operations
 * on the chunk wait; while it holds a read lock, other threads' changes wait. A thread that has a read lock may take
 * further read locks; write locks are not reentrant. A thread that would wait for itself gets an
 * {@link IllegalStateException}. Writers have priority: new readers wait while a writer waits. Removing a chunk ends
 * all its locks.
 *
 * <p>Timeouts are in nanoseconds: 0 tries once, {@link Long#MAX_VALUE} waits without a limit. Interrupts do not end a
 * wait. Thread-safe.
 */
public interface LockOperations {
    /**
     * Takes a read lock.
     *
     * @param cid the chunk
     * @param timeoutNs longest wait in nanoseconds
     * @return OK, ABSENT or LOCKED
     */
    int lockRead(long cid, long timeoutNs);

    /**
     * Takes the write lock.
     *
     * @param cid the chunk
     * @param timeoutNs longest wait in nanoseconds
     * @return OK, ABSENT, LOCKED or READ_ONLY
     */
    int lockWrite(long cid, long timeoutNs);

    /**
     * Ends the thread's write lock, or one of its read locks.
     *
     * @param cid the chunk
     * @return OK, ABSENT, or NOT_HELD
     */
    int unlock(long cid);

    /**
     * Swaps a read lock of the thread for the write lock; no other writer can change the chunk in between. Further read
     * locks of the thread on the chunk are suspended until the write lock ends.
     *
     * @param cid the chunk
     * @param timeoutNs longest wait for other readers, in nanoseconds
     * @return OK, ABSENT, NOT_HELD, or LOCKED if other readers keep their locks, or another thread already waits for
     *     this swap
     */
    int swapToWrite(long cid, long timeoutNs);

    /**
     * Swaps the thread's write lock for a read lock; never waits.
     *
     * @param cid the chunk
     * @return OK or NOT_HELD
     */
    int swapToRead(long cid);

    /**
     * Returns whether the calling thread holds the write lock.
     *
     * @param cid the chunk
     * @return true if it does
     */
    boolean isWriteHeld(long cid);

    /**
     * Returns whether the calling thread holds a read lock.
     *
     * @param cid the chunk
     * @return true if it does
     */
    boolean isReadHeld(long cid);

    /**
     * Takes a lock for a try-with-resources block.
     *
     * @param cid the chunk
     * @param write true for the write lock, false for a read lock
     * @param timeoutNs longest wait in nanoseconds
     * @return the lock, or empty if the timeout expired
     * @throws java.util.NoSuchElementException if there is no such chunk
     */
    Optional<ChunkLock> hold(long cid, boolean write, long timeoutNs);

    /**
     * Copies a chunk, with lock steps before and after, all in one atomic step.
     *
     * @param cid the chunk
     * @param target array to copy to
     * @param offset first index
     * @param before NONE, LOCK_READ, LOCK_WRITE or SWAP_TO_WRITE
     * @param after NONE, UNLOCK or SWAP_TO_READ
     * @param timeoutNs longest wait in nanoseconds
     * @return the length, or a status. A status leaves the lock unchanged, except that TOO_SMALL keeps the lock of
     *     {@code before}
     */
    int get(long cid, byte[] target, int offset, LockStep before, LockStep after, long timeoutNs);

    /**
     * Overwrites a chunk with content of the same length, with lock steps before and after, all in one atomic step.
     *
     * @param cid the chunk
     * @param source array to copy from
     * @param offset first index
     * @param length must be the chunk's length
     * @param before NONE, LOCK_WRITE or SWAP_TO_WRITE
     * @param after NONE, UNLOCK or SWAP_TO_READ
     * @param timeoutNs longest wait in nanoseconds
     * @return OK, or a status. OUT_OF_RANGE, for another length, keeps the lock of {@code before}
     */
    int put(long cid, byte[] source, int offset, int length, LockStep before, LockStep after, long timeoutNs);

    /**
     * Creates a chunk that the calling thread holds from the first moment.
     *
     * @param source its content
     * @param offset first index
     * @param length bytes
     * @param write true for the write lock, false for a read lock
     * @return the CID, or FULL
     */
    long create(byte[] source, int offset, int length, boolean write);

    /**
     * Takes the write lock and removes the chunk in one step, so that no other thread changes it in between.
     *
     * @param cid the chunk
     * @param timeoutNs longest wait in nanoseconds
     * @return the removed length, or a status
     */
    long remove(long cid, long timeoutNs);
}
