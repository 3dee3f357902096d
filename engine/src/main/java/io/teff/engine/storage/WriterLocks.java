package io.teff.engine.storage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The locks of a collection's writers: {@value #COUNT} locks, chosen by the lowest bits of a hash or CID. A writer
 * holds one at a time; only {@link #runExclusively} takes all of them, in ascending order. Functions of the application
 * run while a lock is held. A change made by such a function is refused, because the function could wait for itself or
 * for a waiting thread.
 */
public final class WriterLocks {
    /** Number of locks. */
    public static final int COUNT = 256;

    private static final VarHandle LOCK = MethodHandles.arrayElementVarHandle(WriterLock[].class);

    /** Each lock is made when it is taken first, so that a small collection has few. */
    private final @Nullable WriterLock[] locks = new WriterLock[COUNT];
    private final CollectionChunks chunks;
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
        this.chunks = chunks;
        this.state = state;
    }

    /** A lock that was published by a race is whole, because its fields are final. */
    private WriterLock at(int lockIndex) {
        WriterLock lock = locks[lockIndex];
        return lock != null ? lock : make(lockIndex);
    }

    private WriterLock make(int lockIndex) {
        WriterLock made = new WriterLock(chunks);
        WriterLock first = (WriterLock) LOCK.compareAndExchange(locks, lockIndex, null, made);
        return first != null ? first : made;
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
        WriterLock lock = at(lockIndex);
        if (lock.isHeldByCurrentThread() || !callers.isEmpty() && callers.contains(Thread.currentThread())) {
            throw inside();
        }
        lock.lock();
        if (state.isDropped()) {
            lock.unlock();
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
        return at(lockIndex).tryLock();
    }

    /**
     * Takes a lock if it is free. Unlike {@link #tryLock}, fails if the current thread holds the lock, because a codec
     * of the application may be running under it.
     *
     * @param lockIndex index of the lock
     * @return whether the lock was taken
     */
    public boolean tryLockOnce(int lockIndex) {
        WriterLock lock = at(lockIndex);
        return !lock.isHeldByCurrentThread() && lock.tryLock();
    }

    /**
     * Releases a lock.
     *
     * @param lockIndex index of the lock
     */
    public void unlock(int lockIndex) {
        at(lockIndex).unlock();
    }

    /**
     * Releases a lock like {@link #unlock}, but does not wait until the changes are durable.
     *
     * @param lockIndex index of the lock
     */
    public void unlockOnly(int lockIndex) {
        at(lockIndex).unlockOnly();
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
            isInside |= lock != null && lock.isHeldByCurrentThread();
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
