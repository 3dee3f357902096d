package io.teff.engine.config;

/** What happens to the calling thread's lock on a chunk in the same step as an operation on it. */
public enum LockStep {
    /** Nothing. */
    NONE,
    /** Before the operation: take a read lock. */
    LOCK_READ,
    /** Before the operation: take the write lock. */
    LOCK_WRITE,
    /** Before the operation: swap the thread's read lock for the write lock. */
    SWAP_TO_WRITE,
    /** After the operation: swap the thread's write lock for a read lock. */
    SWAP_TO_READ,
    /** After the operation: end the thread's lock. */
    UNLOCK
}
