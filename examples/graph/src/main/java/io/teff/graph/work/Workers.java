package io.teff.graph.work;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of threads that work on one task together. The calling thread is one of them.
 *
 * <p>One task runs at a time; further callers wait. A task must not start another task of the same workers.
 */
public final class Workers implements AutoCloseable {
    /** Most threads of one pool. */
    public static final int THREADS_MAX = 1024;

    private final int count;
    private final @Nullable ExecutorService others;

    /**
     * Work of one of the threads.
     *
     * @param <E> exception of the work
     */
    @FunctionalInterface
    public interface Share<E extends Exception> {
        /**
         * Does the share of a worker.
         *
         * @param worker number of the worker, 0 to {@link Workers#count()} - 1
         * @throws E if the share fails; {@link Workers#each} throws the exception to its caller
         */
        void run(int worker) throws E;
    }

    /** Work on a range of indexes. */
    @FunctionalInterface
    public interface Range {
        /**
         * Does the work on a range.
         *
         * @param from first index
         * @param to index behind the last
         * @param worker number of the worker, 0 to {@link Workers#count()} - 1
         */
        void run(int from, int to, int worker);
    }

    /**
     * Starts the threads.
     *
     * @param count number of threads with the caller, 1 to {@value #THREADS_MAX}
     */
    public Workers(int count) {
        if (count < 1 || count > THREADS_MAX) {
            throw new IllegalArgumentException("count=" + count + " is not in 1 to " + THREADS_MAX);
        }
        this.count = count;
        this.others = count == 1 ? null : Executors.newFixedThreadPool(count - 1,
            Thread.ofPlatform().daemon().name("teff-graph-", 1).factory());
    }

    /** {@return workers for all processors of this JVM} */
    public static Workers ofProcessors() {
        return new Workers(Math.min(Runtime.getRuntime().availableProcessors(), THREADS_MAX));
    }

    /** {@return number of threads with the caller} */
    public int count() {
        return count;
    }

    /**
     * Runs a share on each worker, and returns when all have ended.
     *
     * @param <E> exception of the work
     * @param share run once by each worker
     * @throws E the first exception of a share; the other shares have ended, too
     */
    public synchronized <E extends Exception> void each(Share<E> share) throws E {
        List<Future<?>> running = new ArrayList<>(count);
        if (others != null) {
            for (int i = 1; i < count; i++) {
                int worker = i;
                running.add(others.submit(() -> {
                    share.run(worker);
                    return worker;
                }));
            }
        }
        Throwable failure = null;
        try {
            share.run(0);
        } catch (Throwable thrown) {
            failure = thrown;
        }
        for (Future<?> future : running) {
            Throwable thrown = await(future);
            failure = failure == null ? thrown : failure;
        }
        if (failure != null) {
            Workers.<RuntimeException>raise(failure);
        }
    }

    /** Waits for the end of a share; returns its exception, or null. An interrupt does not end the wait. */
    private static @Nullable Throwable await(Future<?> future) {
        boolean interrupted = false;
        try {
            for (;;) {
                try {
                    future.get();
                    return null;
                } catch (ExecutionException e) {
                    return e.getCause();
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

    /** Throws an exception of a share as itself: the compiler knows it as E of {@link #each}. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void raise(Throwable failure) throws T {
        throw (T) failure;
    }

    /**
     * Runs a task on all indexes from 0, in ranges that free workers take one after the other. A single range is done
     * by the calling thread.
     *
     * @param total number of indexes
     * @param grain indexes of a range
     * @param task run for each range
     */
    public void ranges(int total, int grain, Range task) {
        if (count == 1 || total <= grain) {
            if (total > 0) {
                task.run(0, total, 0);
            }
            return;
        }
        AtomicInteger next = new AtomicInteger();
        int parts = Math.ceilDiv(total, grain);
        each(worker -> {
            for (int part = next.getAndIncrement(); part < parts; part = next.getAndIncrement()) {
                int from = part * grain;
                task.run(from, Math.min(grain, total - from) + from, worker);
            }
        });
    }

    /** Ends the threads, after the task that runs. Idempotent. */
    @Override
    public synchronized void close() {
        if (others != null) {
            others.close();
        }
    }
}
