package io.teff.tools.demo;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Counts the operations of one kind of one thread, and measures the latency of one in {@value #SAMPLE_EVERY}.
 *
 * <p>Reading the clock twice costs a large share of a fast operation, so timing each operation would slow all of them
 * down and measure the clock as well. An operation that is not timed costs an increment and a branch. For one thread.
 */
final class OperationMeter {
    /** Number of operations per timed operation; a power of two. */
    static final int SAMPLE_EVERY = 64;

    private static final long NOT_TIMED = Long.MIN_VALUE;
    private static final long NS_MAX = TimeUnit.MINUTES.toNanos(10);
    private static final int DIGITS = 2;

    private final Histogram latencies = new Histogram(1, NS_MAX, DIGITS);
    private long count;

    /** Called before the operation. Returns the argument of {@link #end}. */
    long begin() {
        return (count++ & SAMPLE_EVERY - 1) == 0 ? System.nanoTime() : NOT_TIMED;
    }

    /** Called right after the operation, with the result of {@link #begin}. */
    void end(long begun) {
        if (begun != NOT_TIMED) {
            record(System.nanoTime() - begun);
        }
    }

    private void record(long ns) {
        latencies.recordValue(Math.clamp(ns, 1, NS_MAX));
    }

    /** Adds the operations of another thread; both threads must have ended. */
    void add(OperationMeter other) {
        latencies.add(other.latencies);
        count += other.count;
    }

    long count() {
        return count;
    }

    Histogram latencies() {
        return latencies;
    }
}
