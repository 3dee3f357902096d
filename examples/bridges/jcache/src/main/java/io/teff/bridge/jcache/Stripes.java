package io.teff.bridge.jcache;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.cache.CacheException;

/**
 * The locks of a cache's entries: a key's lock is chosen by the bytes of the key. Whoever changes an entry holds it
 * from the first look to the last listener, so changes of a key and what is told of them have one order.
 *
 * <p><b>No deadlock for ever.</b> The lock may be taken again by the thread that has it, so a listener or processor may
 * use the entry it is called for. When it uses another entry, two threads may wait for each other; every wait is
 * bounded, and the operation that has waited for too long throws.
 */
final class Stripes {
    /** How many locks: more than threads, so that they seldom meet; all of them take 16 KiB. */
    static final int COUNT = 256;
    private static final int SPREAD = 0x9E3779B9;
    private static final int SHIFT = Integer.SIZE - Integer.numberOfTrailingZeros(COUNT);

    private final ReentrantLock[] locks = new ReentrantLock[COUNT];
    private final String cacheName;
    private final long timeoutNs;

    Stripes(String cacheName, long timeoutNs) {
        this.cacheName = cacheName;
        this.timeoutNs = timeoutNs;
        Arrays.setAll(locks, _ -> new ReentrantLock());
    }

    /** The stripe of a key. */
    static int of(byte[] key) {
        return Arrays.hashCode(key) * SPREAD >>> SHIFT;
    }

    /**
     * Takes a lock.
     *
     * @throws CacheException if others have had it until the time was over; nothing was changed
     */
    void lock(int stripe) {
        if (!isTaken(locks[stripe])) {
            throw new CacheException("another thread has held an entry of cache " + cacheName + " for "
                + TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms; a loader, writer, processor or listener takes that "
                + "long or waits for this thread. The property " + ManagerSettings.LOCK_TIMEOUT + " sets the time");
        }
    }

    /** An interrupt neither ends the wait nor gets lost. */
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

    /** Takes several locks, in their order, so that two threads that do it do not wait for each other. */
    Held lockAll(int[] stripes) {
        int[] ordered = Arrays.stream(stripes).sorted().distinct().toArray();
        int taken = 0;
        try {
            for (; taken < ordered.length; taken++) {
                lock(ordered[taken]);
            }
            return new Held(this, ordered);
        } finally {
            if (taken < ordered.length) {
                unlock(ordered, taken);
            }
        }
    }

    /** Takes all locks. */
    Held lockAll() {
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

    /** Locks that are held. */
    record Held(Stripes stripes, int[] numbers) implements AutoCloseable {
        @Override
        public void close() {
            stripes.unlock(numbers, numbers.length);
        }
    }
}
