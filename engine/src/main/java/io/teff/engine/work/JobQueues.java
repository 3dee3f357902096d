package io.teff.engine.work;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * The waiting tasks of a pool: a queue of each priority for each worker. A worker takes the oldest task of the highest
 * priority, from its own queues first, and else steals the newest task of another worker. Thread-safe.
 *
 * <p><b>No task is starved.</b> Each sixteenth take of a worker begins with the lowest priority.
 *
 * <p><b>No task is lost.</b> The count of a priority rises when a task is in its queue, and falls when a task has left.
 * A take that finds nothing has looked at each queue of a positive count while other workers have taken these tasks.
 *
 * @param <T> type of the tasks
 */
final class JobQueues<T> {
    /** Every such take begins with the lowest priority. */
    static final int FAIR_TAKES = 16;

    private final Lane<T>[] lanes;
    private final int priorities;
    private final int queuedMax;
    private final AtomicIntegerArray counts;
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicInteger next = new AtomicInteger();

    /** The queues of one worker. Guarded by itself, except the number of takes. */
    private static final class Lane<T> {
        private final ArrayDeque<T>[] queues;
        /** Takes of the worker, which alone uses this number. */
        private int takes;

        @SuppressWarnings({"unchecked", "rawtypes"})            // an array of generic queues
        Lane(int priorities) {
            queues = new ArrayDeque[priorities];
            for (int i = 0; i < priorities; i++) {
                queues[i] = new ArrayDeque<>();
            }
        }

        synchronized void add(int priority, T task) {
            queues[priority].addLast(task);
        }

        synchronized @Nullable T oldest(int priority) {
            return queues[priority].pollFirst();
        }

        synchronized @Nullable T newest(int priority) {
            return queues[priority].pollLast();
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})                // an array of generic lanes
    JobQueues(int workers, int priorities, int queuedMax) {
        this.priorities = priorities;
        this.queuedMax = queuedMax;
        counts = new AtomicIntegerArray(priorities);
        lanes = new Lane[workers];
        for (int i = 0; i < workers; i++) {
            lanes[i] = new Lane<>(priorities);
        }
    }

    /** Adds a task to the queue of the next worker in turn; false if there are too many tasks. */
    boolean add(int priority, T task) {
        return add(Math.floorMod(next.getAndIncrement(), lanes.length), priority, task);
    }

    /** Adds a task to the queue of a worker; false if there are too many tasks. */
    boolean add(int worker, int priority, T task) {
        if (size.incrementAndGet() > queuedMax) {
            size.decrementAndGet();
            return false;
        }
        lanes[worker].add(priority, task);
        counts.incrementAndGet(priority);
        return true;
    }

    /** Takes a task for a worker, or returns null. */
    @Nullable T take(int worker) {
        final boolean isFair = ++lanes[worker].takes % FAIR_TAKES == 0;
        for (int i = 0; i < priorities; i++) {
            final int priority = isFair ? priorities - 1 - i : i;
            final T task = counts.get(priority) > 0 ? take(worker, priority) : null;
            if (task != null) {
                counts.decrementAndGet(priority);
                size.decrementAndGet();
                return task;
            }
        }
        return null;
    }

    private @Nullable T take(int worker, int priority) {
        T task = lanes[worker].oldest(priority);
        for (int i = 1; task == null && i < lanes.length; i++) {
            task = lanes[(worker + i) % lanes.length].newest(priority);
        }
        return task;
    }

    /** Returns the number of waiting tasks. */
    int size() {
        return size.get();
    }
}
