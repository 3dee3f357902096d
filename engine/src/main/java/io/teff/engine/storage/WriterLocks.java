package io.teff.engine.storage;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The locks of a collection's writers: {@value #COUNT} locks, chosen by the lowest bits of a hash or CID. A writer
 * holds one at a time; only {@link #runExclusively} takes all of them, in ascending order. Functions of the application
 * run while a lock is held. A change made by such a function is refused, because the function could wait for itself or
 * for a waiting thread.
 */
public final class WriterLocks {
    /** Number of locks. */
    public static final int COUNT = 256;

    private final WriterLock[] locks = new WriterLock[COUNT];
    /** Threads that are running a function of the application. */
    private final Set<Thread> callers = ConcurrentHashMap.newKeySet();
    private final CollectionState state;

    /**
     * Creates free locks.
     *
     * @param chunks chunk operations of the store
     * @param state state of the collection
     */
    public WriterLocks(CollectionChunks chunks, CollectionState state) {
        this.state = state;
        for (int i = 0; i < COUNT; i++) {
            locks[i] = new WriterLock(chunks);
        }
    }

    /**
     * Returns the index of the lock for a hash or CID.
     *
     * @param bits hash or CID; its lowest bits choose
     * @return 0 to {@link #COUNT} - 1
     */
    public static int of(long bits) {
        return (int) bits & COUNT - 1;
    }

    /**
     * Takes a lock.
     *
     * @param lockIndex index of the lock
     * @throws IllegalStateException if the collection was dropped, or if the caller is a function, codec or comparator
     *     of the application that runs under a lock of this collection
     */
    public void lock(int lockIndex) {
        if (locks[lockIndex].isHeldByCurrentThread()
            || !callers.isEmpty() && callers.contains(Thread.currentThread())) {
            throw inside();
        }
        locks[lockIndex].lock();
        if (state.isDropped()) {
            locks[lockIndex].unlock();
            state.check();
        }
    }

    /**
     * Takes a lock if it is free or held by the current thread.
     *
     * @param lockIndex index of the lock
     * @return whether the lock was taken
     */
    public boolean tryLock(int lockIndex) {
        return locks[lockIndex].tryLock();
    }

    /**
     * Takes a lock if it is free. Unlike {@link #tryLock}, fails if the current thread holds the lock, because a codec
     * of the application may be running under it.
     *
     * @param lockIndex index of the lock
     * @return whether the lock was taken
     */
    public boolean tryLockOnce(int lockIndex) {
        return !locks[lockIndex].isHeldByCurrentThread() && locks[lockIndex].tryLock();
    }

    /**
     * Releases a lock.
     *
     * @param lockIndex index of the lock
     */
    public void unlock(int lockIndex) {
        locks[lockIndex].unlock();
    }

    /**
     * Releases a lock like {@link #unlock}, but does not wait until the changes are durable.
     *
     * @param lockIndex index of the lock
     */
    public void unlockOnly(int lockIndex) {
        locks[lockIndex].unlockOnly();
    }

    /**
     * Checks that the calling thread is no function, codec or comparator of the application that runs under a lock of
     * this collection. For changes by several threads, which would wait for each other.
     *
     * @throws IllegalStateException if it is
     */
    public void checkNotInside() {
        boolean isInside = callers.contains(Thread.currentThread());
        for (WriterLock lock : locks) {
            isInside |= lock.isHeldByCurrentThread();
        }
        if (isInside) {
            throw inside();
        }
    }

    private static IllegalStateException inside() {
        return new IllegalStateException("a function that is called by a change of the collection changes it itself");
    }

    /** Records that the current thread, which holds a lock, is about to run a function of the application. */
    public void beginCall() {
        callers.add(Thread.currentThread());
    }

    /** Records that the function has returned. */
    public void endCall() {
        callers.remove(Thread.currentThread());
    }

    /**
     * Runs an action while all locks are held, so that no writer runs.
     *
     * @param action code to run under all locks
     * @throws IllegalStateException if the collection was dropped or the store is closed
     */
    public void runExclusively(Runnable action) {
        state.check();
        int held = 0;
        try {
            for (; held < COUNT; held++) {
                lock(held);
            }
            action.run();
        } finally {
            for (int lockIndex = 0; lockIndex < held; lockIndex++) {
                unlock(lockIndex);
            }
        }
    }
}
