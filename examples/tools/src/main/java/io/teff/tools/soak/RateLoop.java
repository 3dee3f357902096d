package io.teff.tools.soak;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Does something at a fixed rate and measures each time from the moment when it should have begun to its end. So a
 * pause shows in everything that it held up, and not just in the one operation that met it (no coordinated omission).
 *
 * <p>Waits by parking: a loop that spins would take a core from those it shall measure. What the parking adds is found
 * by a loop of the same rate that does nothing.
 */
final class RateLoop {
    private static final long NS_MAX = TimeUnit.MINUTES.toNanos(10);
    private static final int DIGITS = 3;

    private final long intervalNs;
    private final Histogram times;
    private volatile boolean stopped;

    /** A loop that records its times in a histogram, which is its own until it has ended. */
    RateLoop(int rate, Histogram times) {
        this.intervalNs = TimeUnit.SECONDS.toNanos(1) / rate;
        this.times = times;
    }

    /** A histogram for a loop's times. */
    static Histogram histogram() {
        return new Histogram(1, NS_MAX, DIGITS);
    }

    /** Runs until it is stopped. A loop that is late does not wait before it has caught up. */
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

    /** Lets the loop end after its next operation; any thread may call it. */
    void stop() {
        stopped = true;
    }
}
