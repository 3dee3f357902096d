package io.teff.bridge.jcache;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.cache.CacheException;

/**
 * The locks of a cache's entries: the bytes of a key determine its lock. A change of an entry holds the lock from its
 * first read to the last listener, so changes of a key and their events have the same order.
 *
 * <p><b>No permanent deadlock.</b> The locks are reentrant, so a listener or processor may use the entry it is called
 * for. If it uses another entry, two threads may wait for each other; every wait is bounded, and an operation that
 * reaches the timeout throws.
 */
final class EntryLocks {
    /** Number of locks: more than threads, so that contention is rare; together they take 16 KiB. */
    static final int COUNT = 256;
    private static final int SPREAD = 0x9E3779B9;
    private static final int SHIFT = Integer.SIZE - Integer.numberOfTrailingZeros(COUNT);

    private final ReentrantLock[] locks = new ReentrantLock[COUNT];
    private final String cacheName;
    private final long timeoutNs;

    EntryLocks(String cacheName, long timeoutNs) {
        this.cacheName = cacheName;
        this.timeoutNs = timeoutNs;
        Arrays.setAll(locks, _ -> new ReentrantLock());
    }

    /** Returns the stripe of a key. */
    static int of(byte[] key) {
        return Arrays.hashCode(key) * SPREAD >>> SHIFT;
    }

    /**
     * Takes a lock.
     *
     * @throws CacheException if other threads hold the lock until the timeout; nothing is changed
     */
    void lock(int stripe) {
        if (!isTaken(locks[stripe])) {
            throw new CacheException("another thread has held an entry of cache " + cacheName + " for "
                + TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms; a loader, writer, processor or listener takes that "
                + "long or waits for this thread. The timeout is the property " + ManagerSettings.LOCK_TIMEOUT);
        }
    }

    /** Waits for the lock; an interrupt does not end the wait, and is preserved. */
    private boolean isTaken(ReentrantLock lock) {
        if (lock.tryLock()) {
            return true;
        }
        boolean interrupted = false;
        long end = System.nanoTime() + timeoutNs;
        try {
            for (;;) {
                try {
                    return lock.tryLock(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    boolean tryLock(int stripe) {
        return locks[stripe].tryLock();
    }

    void unlock(int stripe) {
        locks[stripe].unlock();
    }

    /** Takes several locks in ascending order, so that two such threads cannot wait for each other. */
    HeldStripes lockAll(int[] stripes) {
        int[] ordered = Arrays.stream(stripes).sorted().distinct().toArray();
        int taken = 0;
        try {
            for (; taken < ordered.length; taken++) {
                lock(ordered[taken]);
            }
            return new HeldStripes(this, ordered);
        } finally {
            if (taken < ordered.length) {
                unlock(ordered, taken);
            }
        }
    }

    /** Takes all locks. */
    HeldStripes lockAll() {
        int[] all = new int[COUNT];
        Arrays.setAll(all, stripe -> stripe);
        return lockAll(all);
    }

    private void unlock(int[] stripes, int count) {
        for (int i = count - 1; i >= 0; i--) {
            unlock(stripes[i]);
        }
    }

    boolean isHeldByThisThread() {
        return Arrays.stream(locks).anyMatch(ReentrantLock::isHeldByCurrentThread);
    }

    /** Locks held by this thread, released by {@link #close}. */
    record HeldStripes(EntryLocks stripes, int[] numbers) implements AutoCloseable {
        @Override
        public void close() {
            stripes.unlock(numbers, numbers.length);
        }
    }
}
