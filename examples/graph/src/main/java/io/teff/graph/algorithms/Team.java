package io.teff.graph.algorithms;

import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/**
 * Workers and their watch, as algorithms use both: loops that end early when the watch cancels or a worker fails.
 *
 * <p>The threads of a loop have ended when the call returns or throws, and the caller sees all of their writes. One
 * thread at a time uses a team. A loop inside of a loop is an error.
 */
public final class Team {
    private static final int RANGES_PER_THREAD = 32;
    private static final int RANGE_MIN = 64;
    private static final int RANGE_MAX = 4096;

    private final Workers workers;
    private final WorkWatch watch;
    private final int grainMax;

    /**
     * Makes a team of workers, which still belong to the caller.
     *
     * @param workers the threads
     * @param watch sees the progress, and may cancel
     */
    public Team(Workers workers, WorkWatch watch) {
        this(workers, watch, Integer.MAX_VALUE);
    }

    private Team(Workers workers, WorkWatch watch, int grainMax) {
        this.workers = workers;
        this.watch = watch;
        this.grainMax = grainMax;
    }

    /**
     * Makes a team without a watch: no progress is seen, and nothing cancels.
     *
     * @param workers the threads, which still belong to the caller
     */
    public Team(Workers workers) {
        this(workers, WorkWatch.NONE);
    }

    /** A team with ranges of one index, so that threads also share the work of a small graph; for tests. */
    static Team ofSingleIndexes(Workers workers) {
        return new Team(workers, WorkWatch.NONE, 1);
    }

    /** {@return the number of threads, with the calling thread} */
    public int threads() {
        return workers.count();
    }

    /**
     * {@return one element for each worker, such as a cursor}
     *
     * @param <T> type of the elements
     * @param array makes the array of a length
     * @param element makes the element of a worker, from worker 0 on, on the calling thread
     */
    public <T> T[] each(IntFunction<T[]> array, IntFunction<T> element) {
        T[] all = array.apply(threads());
        for (int i = 0; i < all.length; i++) {
            all[i] = element.apply(i);
        }
        return all;
    }

    /**
     * Reports progress to the watch.
     *
     * @param step what is done, for people
     * @param done units of work done
     * @param total units of work of the step; -1 if unknown
     */
    public void report(String step, long done, long total) {
        watch.at(step, done, total);
    }

    /**
     * Ends the work if the watch has cancelled the work; loops call this before each range.
     *
     * @throws CancellationException if cancelled
     */
    public void check() {
        if (watch.isCancelled()) {
            throw new CancellationException("cancelled by the watch");
        }
    }

    /**
     * Runs a share on each worker at the same time, and waits for the end of all shares. Then an exception of a share
     * is thrown; of several exceptions, the exception of the worker with the smallest number.
     *
     * @param share run once by each worker; gets the number of the worker, 0 to {@code threads() - 1}
     */
    public void run(Workers.Share<RuntimeException> share) {
        workers.each(share);
    }

    /**
     * Runs a task on all indexes from 0, in ranges that free workers take one after the other. A single range is done
     * by the calling thread, which costs no message to another thread.
     *
     * @param total number of indexes
     * @param grain indexes of a range at most, at least 1
     * @param task run for each range once, in any order
     */
    public void forEach(int total, int grain, Workers.Range task) {
        share(total, grain(grain), task);
    }

    /** The number of indexes that are worth a range of their own, if a number is wished. */
    int grain(int wished) {
        return Math.min(wished, grainMax);
    }

    private void share(int total, int grain, Workers.Range task) {
        if (total <= grain || threads() == 1) {
            for (long from = 0; from < total; from += grain) {
                check();
                task.run((int) from, (int) Math.min(total, from + grain), 0);
            }
            return;
        }
        AtomicLong next = new AtomicLong();
        AtomicBoolean failed = new AtomicBoolean();
        run(worker -> {
            try {
                for (long from; !failed.get() && (from = next.getAndAdd(grain)) < total;) {
                    check();
                    task.run((int) from, (int) Math.min(total, from + grain), worker);
                }
            } catch (RuntimeException | Error e) {
                failed.set(true);
                throw e;
            }
        });
    }

    /**
     * Runs a task on all indexes from 0, in ranges of a usual size.
     *
     * @param total number of indexes
     * @param task run for each range once, in any order
     */
    public void forEach(int total, Workers.Range task) {
        long grain = total / ((long) RANGES_PER_THREAD * threads());
        forEach(total, Math.clamp(grain, RANGE_MIN, RANGE_MAX), task);
    }
}
