package io.teff.cluster.net.thread;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that sleep while a queue is empty. A producer takes a lock only if a thread sleeps.
 *
 * <p>A producer adds and then reads the count of sleepers; a thread about to sleep counts itself and then looks into
 * the queue. With a full fence in between on both sides, the producer sees the sleeper or the sleeper sees the element.
 * Thread-safe.
 */
final class ThreadParking {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    private final AtomicInteger count = new AtomicInteger();

    /** Wakes one sleeping thread after an element was added. */
    void wake() {
        if (areThere()) {
            lock.lock();
            try {
                added.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Returns whether a thread sleeps, or will sleep without having seen the caller's last addition. */
    boolean areThere() {
        VarHandle.fullFence();
        return count.get() > 0;
    }

    /** Wakes all threads, as this is the end. */
    void wakeAll() {
        lock.lock();
        try {
            added.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes from a queue, and sleeps while the queue is empty; returns null at the end, when nothing is left. */
    <T> @Nullable T take(Supplier<@Nullable T> queue, BooleanSupplier isOver) {
        lock.lock();
        try {
            while (true) {
                join();
                final T found = queue.get();
                if (found != null || isOver.getAsBoolean()) {
                    count.decrementAndGet();
                    return found;
                }
                added.awaitUninterruptibly();
                count.decrementAndGet();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Counts the caller as a sleeper: a caller that finds no element after this call sleeps. */
    void join() {
        count.incrementAndGet();
        VarHandle.fullFence();
    }
}
