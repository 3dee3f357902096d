package io.teff.tools.soak;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Runs an operation at a fixed rate and measures each latency from the time when the operation was due to its end. A
 * pause therefore shows in every operation that it delayed, not only in the one that it interrupted (no coordinated
 * omission).
 *
 * <p>Waits by parking: a spinning loop would take a core from the measured threads. The latency of parking is found by
 * an idle loop of the same rate.
 */
final class RateLoop {
    private static final long NS_MAX = TimeUnit.MINUTES.toNanos(10);
    private static final int DIGITS = 3;

    private final long intervalNs;
    private final Histogram times;
    private volatile boolean stopped;

    /** Creates a loop; only the loop uses the histogram until it has ended. */
    RateLoop(int rate, Histogram times) {
        this.intervalNs = TimeUnit.SECONDS.toNanos(1) / rate;
        this.times = times;
    }

    /** Returns a histogram for latencies in nanoseconds. */
    static Histogram histogram() {
        return new Histogram(1, NS_MAX, DIGITS);
    }

    /** Runs until {@link #stop}. A loop that is behind does not wait until it has caught up. */
    void run(Runnable operation) {
        long due = System.nanoTime();
        while (!stopped) {
            due += intervalNs;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            operation.run();
            times.recordValue(Math.clamp(System.nanoTime() - due, 1, NS_MAX));
        }
    }

    /** Ends the loop after its next operation. Thread-safe. */
    void stop() {
        stopped = true;
    }
}
