package io.teff.engine;

import io.teff.engine.config.LockStep;
import java.util.Optional;

/**
 * Read and write locks on chunks, with deadlines.
 *
 * <p>A lock belongs to a thread (platform or virtual). While a thread holds the write lock, other threads' operations
 * on the chunk wait; while a thread holds a read lock, other threads' changes wait. A thread that holds a read lock
 * may take further read locks; write locks are not reentrant. A request that would make the thread wait for itself
 * throws {@link IllegalStateException}: any lock while the thread holds the write lock, or the write lock while it
 * holds a read lock. Writers have priority: requests for read locks wait while a thread waits for the write lock.
 * Removing a chunk ends all locks of the chunk; the end of a thread does not end its locks. Releasing a lock happens-
 * before every later lock of the chunk.
 *
 * <p>Timeouts are in nanoseconds: 0 tries once, {@link Long#MAX_VALUE} waits without a limit. Interrupts do not end a
 * wait; the interrupt status of the thread is set again after the wait. Thread-safe.
 */
public interface LockOperations {
    /**
     * Takes a read lock.
     *
     * @param cid the chunk
     * @param timeoutNs longest wait in nanoseconds
     * @return OK, ABSENT or LOCKED
     * @throws IllegalStateException if the calling thread holds the write lock
     */
    int lockRead(long cid, long timeoutNs);

    /**
     * Takes the write lock.
     *
     * @param cid the chunk
     * @param timeoutNs longest wait in nanoseconds
     * @return OK, ABSENT, LOCKED or READ_ONLY
     * @throws IllegalStateException if the calling thread holds a lock on the chunk
     */
    int lockWrite(long cid, long timeoutNs);

    /**
     * Releases the calling thread's write lock, or one of the calling thread's read locks.
     *
     * @param cid the chunk
     * @return OK, ABSENT, or NOT_HELD
     */
    int unlock(long cid);

    /**
     * Swaps a read lock of the calling thread for the write lock; no other thread can change the chunk in between.
     * Further read locks of the thread on the chunk are suspended until the write lock ends.
     *
     * @param cid the chunk
     * @param timeoutNs longest wait for other readers, in nanoseconds
     * @return OK, ABSENT, READ_ONLY, NOT_HELD, or LOCKED if other readers keep their locks, or another thread already
     *     waits for this swap
     */
    int swapToWrite(long cid, long timeoutNs);

    /**
     * Swaps the calling thread's write lock for a read lock. Does not wait.
     *
     * @param cid the chunk
     * @return OK or NOT_HELD
     */
    int swapToRead(long cid);

    /**
     * Returns whether the calling thread holds the write lock.
     *
     * @param cid the chunk
     * @return whether the calling thread holds the write lock
     */
    boolean isWriteHeld(long cid);

    /**
     * Returns whether the calling thread holds a read lock.
     *
     * @param cid the chunk
     * @return whether the calling thread holds a read lock
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
     * @throws io.teff.engine.error.StoreException of category RETRY if {@code write} is true and the chunk is read-only
     * @throws IllegalStateException if the calling thread's own lock would make it wait for itself
     */
    Optional<ChunkLock> hold(long cid, boolean write, long timeoutNs);

    /**
     * Copies a chunk, with lock steps before and after the copy, as one atomic operation.
     *
     * @param cid the chunk
     * @param target array to copy to
     * @param offset first index in the array
     * @param before NONE, LOCK_READ, LOCK_WRITE or SWAP_TO_WRITE
     * @param after NONE, UNLOCK or SWAP_TO_READ
     * @param timeoutNs longest wait in nanoseconds
     * @return the chunk's length in bytes, or a status. A status leaves the lock unchanged, except that TOO_SMALL keeps
     *     the lock of {@code before}
     * @throws IllegalArgumentException if a step is not one of those above, or SWAP_TO_READ follows LOCK_READ
     */
    int get(long cid, byte[] target, int offset, LockStep before, LockStep after, long timeoutNs);

    /**
     * Overwrites a chunk with content of the same length, with lock steps before and after, as one atomic operation.
     *
     * @param cid the chunk
     * @param source array to copy from
     * @param offset first index in the array
     * @param length number of bytes; must be the chunk's length
     * @param before NONE, LOCK_WRITE or SWAP_TO_WRITE
     * @param after NONE, UNLOCK or SWAP_TO_READ
     * @param timeoutNs longest wait in nanoseconds
     * @return OK, or a status. OUT_OF_RANGE, for another length, keeps the lock of {@code before}
     * @throws IllegalArgumentException if a step is not one of those above
     */
    int put(long cid, byte[] source, int offset, int length, LockStep before, LockStep after, long timeoutNs);

    /**
     * Creates a chunk that is locked by the calling thread before any other thread can access the chunk.
     *
     * @param source array to copy from
     * @param offset first index in the array
     * @param length length of the chunk in bytes
     * @param write true for the write lock, false for a read lock
     * @return CID of the new chunk, or FULL
     */
    long create(byte[] source, int offset, int length, boolean write);

    /**
     * Takes the write lock and removes the chunk in a single step, so that no other thread changes the chunk in
     * between.
     *
     * @param cid the chunk
     * @param timeoutNs longest wait in nanoseconds
     * @return length of the removed chunk in bytes, or ABSENT, LOCKED, PINNED
     */
    long remove(long cid, long timeoutNs);
}
