package io.teff.engine.config;

/** A change of the calling thread's lock on a chunk, in one atomic step with an operation on the chunk. */
public enum LockStep {
    /** No change of the lock. */
    NONE,
    /** Before the operation: take a read lock. */
    LOCK_READ,
    /** Before the operation: take the write lock. */
    LOCK_WRITE,
    /** Before the operation: swap the thread's read lock for the write lock. */
    SWAP_TO_WRITE,
    /** After the operation: swap the thread's write lock for a read lock. */
    SWAP_TO_READ,
    /** After the operation: release the thread's lock. */
    UNLOCK
}
