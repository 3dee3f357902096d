package io.teff.bridge.jcache;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.cache.CacheException;
import org.jspecify.annotations.Nullable;

/**
 * The queue of events for asynchronous listeners: one thread calls them, in the order of the queue.
 *
 * <p><b>Bound.</b> An operation waits in {@link #admit} while the queue is full, before it takes its stripe, so that a
 * listener that uses the cache can continue and empty the queue. A thread that already holds a stripe does not wait, so
 * the queue may exceed its capacity by the events of running operations.
 *
 * <p>Exceptions of a listener are passed to the thread's handler of uncaught exceptions.
 */
final class EventQueue {
    /** Maximum number of undelivered events at which an operation may begin. */
    static final int CAPACITY = 1 << 16;

    private final String cacheName;
    private final long timeoutNs;
    private final ExecutorService executor;
    private final AtomicInteger length = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hasRoom = lock.newCondition();
    /** The thread that calls the listeners. */
    private volatile @Nullable Thread deliverer;

    EventQueue(String cacheName, long timeoutNs) {
        this.cacheName = cacheName;
        this.timeoutNs = timeoutNs;
        executor = Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("jcache-events " + cacheName)
            .factory());
    }

    /**
     * Waits until the queue is not full.
     *
     * @throws CacheException if the queue is full until the timeout; nothing is changed
     */
    void admit(EntryLocks stripes) {
        if (length.get() >= CAPACITY && !stripes.isHeldByThisThread()) {
            lock.lock();
            try {
                long rest = timeoutNs;
                while (length.get() >= CAPACITY) {
                    if (rest <= 0) {
                        throw new CacheException("the asynchronous listeners of cache " + cacheName + " are " + CAPACITY
                            + " events behind, and did not catch up within " + TimeUnit.NANOSECONDS.toMillis(timeoutNs)
                            + " ms");
                    }
                    rest = hasRoom.awaitNanos(rest);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CacheException("interrupted while the asynchronous listeners of cache " + cacheName
                    + " are behind", e);
            } finally {
                lock.unlock();
            }
        }
    }

    void put(Runnable event) {
        length.incrementAndGet();
        try {
            executor.execute(() -> {
                deliverer = Thread.currentThread();
                try {
                    event.run();
                } finally {
                    if (length.getAndDecrement() == CAPACITY) {
                        wakeAll();
                    }
                }
            });
        } catch (RejectedExecutionException e) {
            length.decrementAndGet();                           // closed in the meantime: there is no listener
        }
    }

    private void wakeAll() {
        lock.lock();
        try {
            hasRoom.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Delivers the queued events until the timeout, and none from then on. */
    void close() {
        executor.shutdown();
        boolean done = Thread.currentThread().equals(deliverer);   // a listener that closes the cache gets the rest
        try {
            done = done || executor.awaitTermination(timeoutNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!done) {
            executor.shutdownNow();
        }
    }
}
