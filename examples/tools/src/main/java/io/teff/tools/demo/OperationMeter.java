package io.teff.tools.demo;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Counts one thread's operations of one kind, and times one of {@value #SAMPLE_EVERY}.
 *
 * <p>Reading the clock twice costs a good part of what a fast operation costs, so timing each one would slow all of
 * them down and measure the clock as well. Most operations pass through with an increment and a branch instead.
 */
final class OperationMeter {
    /** One of so many operations is timed; a power of two. */
    static final int SAMPLE_EVERY = 64;

    private static final long NOT_TIMED = Long.MIN_VALUE;
    private static final long NS_MAX = TimeUnit.MINUTES.toNanos(10);
    private static final int DIGITS = 2;

    private final Histogram latencies = new Histogram(1, NS_MAX, DIGITS);
    private long count;

    /** Called before the operation; what it returns goes to {@link #end}. */
    long begin() {
        return (count++ & SAMPLE_EVERY - 1) == 0 ? System.nanoTime() : NOT_TIMED;
    }

    /** Called right after the operation. */
    void end(long begun) {
        if (begun != NOT_TIMED) {
            record(System.nanoTime() - begun);
        }
    }

    private void record(long ns) {
        latencies.recordValue(Math.clamp(ns, 1, NS_MAX));
    }

    /** Adds another thread's operations of the same kind; both threads are done. */
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
