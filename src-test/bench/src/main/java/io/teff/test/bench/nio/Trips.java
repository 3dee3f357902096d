package io.teff.test.bench.nio;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What ends have counted, and their first failure. */
final class Trips {
    private static final int DIGITS = 3;

    private final Histogram histogram = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(1), DIGITS);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean isOver;

    void restart() {
        histogram.reset();
    }

    void record(long ns) {
        histogram.recordValue(Math.min(ns, histogram.getHighestTrackableValue()));
    }

    void failed(Throwable cause) {
        if (!isOver) {
            failure.compareAndSet(null, cause);
        }
    }

    boolean isFailed() {
        return failure.get() != null;
    }

    boolean isOver() {
        return isOver;
    }

    void over() {
        isOver = true;
    }

    /** {@return recorded times} */
    Histogram result() {
        final Throwable cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException("an end has failed", cause);
        }
        return histogram;
    }
}
