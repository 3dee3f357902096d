package io.teff.cluster.net.thread;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that sleep while a queue is empty; who adds to it pays for a lock only if one of them does.
 *
 * <p>Who adds, adds and then counts the sleepers; who wants to sleep counts itself among them and then looks into the
 * queue. With a full fence in between on both sides one of them sees the other. Thread-safe.
 */
final class ThreadParking {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    private final AtomicInteger count = new AtomicInteger();

    /** Something was added: wakes one of those that sleep. */
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

    /** Whether somebody sleeps, or will without having seen what the caller has added before. */
    boolean areThere() {
        VarHandle.fullFence();
        return count.get() > 0;
    }

    /** Everything is over: wakes all. */
    void wakeAll() {
        lock.lock();
        try {
            added.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes something, and sleeps until there is something; null when all is over and nothing is left. */
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

    /** The caller sleeps if it finds nothing after this. */
    void join() {
        count.incrementAndGet();
        VarHandle.fullFence();
    }
}
