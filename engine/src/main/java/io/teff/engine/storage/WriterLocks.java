package io.teff.engine.storage;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The locks of a collection's writers: {@value #COUNT} of them, chosen by some bits of what is changed. A writer holds
 * one at a time; only {@link #quietly} takes all, in order. Functions of users run while a lane is held, so a change by
 * such a function is refused: it could wait for itself, or for a thread that waits for it.
 */
public final class WriterLocks {
    /** How many there are. */
    public static final int COUNT = 256;

    private final WriterLock[] locks = new WriterLock[COUNT];
    /** Threads that run functions of users. */
    private final Set<Thread> callers = ConcurrentHashMap.newKeySet();
    private final CollectionState life;

    /**
     * Makes free ones.
     *
     * @param nodes of the collection
     * @param life of the collection
     */
    public WriterLocks(CollectionChunks nodes, CollectionState life) {
        this.life = life;
        for (int i = 0; i < COUNT; i++) {
            locks[i] = new WriterLock(nodes);
        }
    }

    /**
     * The lane of something.
     *
     * @param bits its lowest bits choose
     * @return 0 to {@link #COUNT} - 1
     */
    public static int of(long bits) {
        return (int) bits & COUNT - 1;
    }

    /**
     * Takes a lane.
     *
     * @param lane its number
     * @throws IllegalStateException if the collection was dropped, or a function, codec or comparator of a user that
     *     runs under a lane calls
     */
    public void lock(int lane) {
        if (locks[lane].isHeldByCurrentThread()
            || !callers.isEmpty() && callers.contains(Thread.currentThread())) {
            throw new IllegalStateException("a function that is called by a change of the collection changes it "
                + "itself");
        }
        locks[lane].lock();
        if (life.isDropped()) {
            locks[lane].unlock();
            life.check();
        }
    }

    /**
     * Takes a lane if it is free.
     *
     * @param lane its number
     * @return whether it was
     */
    public boolean tryLock(int lane) {
        return locks[lane].tryLock();
    }

    /**
     * The same, but a lane that this thread has already is not free: a codec of the user runs under it.
     *
     * @param lane its number
     * @return whether it was taken
     */
    public boolean tryLockOnce(int lane) {
        return !locks[lane].isHeldByCurrentThread() && locks[lane].tryLock();
    }

    /**
     * Gives a lane back.
     *
     * @param lane its number
     */
    public void unlock(int lane) {
        locks[lane].unlock();
    }

    /** A function of a user is about to run under a lane of this thread. */
    public void beginCall() {
        callers.add(Thread.currentThread());
    }

    /** The function is over. */
    public void endCall() {
        callers.remove(Thread.currentThread());
    }

    /**
     * Does something while nobody else holds a lane.
     *
     * @param action what
     * @throws IllegalStateException if the collection was dropped or the store is closed
     */
    public void quietly(Runnable action) {
        life.check();
        int held = 0;
        try {
            for (; held < COUNT; held++) {
                lock(held);
            }
            action.run();
        } finally {
            for (int lane = 0; lane < held; lane++) {
                unlock(lane);
            }
        }
    }
}
