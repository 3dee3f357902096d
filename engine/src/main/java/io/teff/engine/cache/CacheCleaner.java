package io.teff.engine.cache;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs the cleaning of a cache regularly, by an executor of the application. Thread-safe. */
final class CacheCleaner {
    private final ScheduledExecutorService executor;
    private final Duration pause;
    private volatile @Nullable ScheduledFuture<?> running;

    CacheCleaner(ScheduledExecutorService executor, Duration pause) {
        this.executor = executor;
        this.pause = pause;
    }

    /** Begins; a cleaning that throws is the last one. */
    void begin(Runnable cleaning) {
        running = executor.scheduleWithFixedDelay(cleaning, pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Ends, and does not wait for a cleaning that runs. */
    void end() {
        ScheduledFuture<?> all = running;
        if (all != null) {
            all.cancel(false);
        }
    }
}
