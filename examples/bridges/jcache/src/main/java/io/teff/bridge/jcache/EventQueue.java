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
 * Events on their way to asynchronous listeners: one thread calls them, in the order in which they were put here.
 *
 * <p><b>Bound.</b> An operation waits at {@link #admit} as long as the queue is full, before it takes its stripe: so a
 * listener that uses the cache can go on meanwhile, and empties the queue. Who holds a stripe already is let in, so the
 * queue is longer than its capacity by what operations under way have to tell.
 *
 * <p>What a listener throws goes to the thread's handler of uncaught exceptions, as nobody else is there to be told.
 */
final class EventQueue {
    /** Events of which nobody has been told yet. */
    static final int CAPACITY = 1 << 16;

    private final String cacheName;
    private final long timeoutNs;
    private final ExecutorService executor;
    private final AtomicInteger length = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hasRoom = lock.newCondition();
    /** The thread that calls the listeners. */
    private volatile @Nullable Thread teller;

    EventQueue(String cacheName, long timeoutNs) {
        this.cacheName = cacheName;
        this.timeoutNs = timeoutNs;
        executor = Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("jcache-events " + cacheName)
            .factory());
    }

    /**
     * Waits until there is room.
     *
     * @throws CacheException if there is none until the time is over; nothing was changed
     */
    void admit(Stripes stripes) {
        if (length.get() >= CAPACITY && !stripes.isHeldByThisThread()) {
            lock.lock();
            try {
                long rest = timeoutNs;
                while (length.get() >= CAPACITY) {
                    if (rest <= 0) {
                        throw new CacheException("the asynchronous listeners of cache " + cacheName + " are " + CAPACITY
                            + " events late, and have not caught up within " + TimeUnit.NANOSECONDS.toMillis(timeoutNs)
                            + " ms");
                    }
                    rest = hasRoom.awaitNanos(rest);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CacheException("interrupted while the asynchronous listeners of cache " + cacheName
                    + " are late", e);
            } finally {
                lock.unlock();
            }
        }
    }

    void put(Runnable event) {
        length.incrementAndGet();
        try {
            executor.execute(() -> {
                teller = Thread.currentThread();
                try {
                    event.run();
                } finally {
                    if (length.getAndDecrement() == CAPACITY) {
                        wakeAll();
                    }
                }
            });
        } catch (RejectedExecutionException e) {
            length.decrementAndGet();                           // closed meanwhile, so nobody listens any more
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

    /** Tells what is there, if that does not take longer than the time, and nothing from then on. */
    void close() {
        executor.shutdown();
        boolean done = Thread.currentThread().equals(teller);   // a listener that closes the cache is told the rest
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
