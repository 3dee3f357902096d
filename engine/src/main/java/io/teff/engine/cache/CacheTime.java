package io.teff.engine.cache;

import io.teff.engine.os.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * The time of a cache by default: the time of day when the cache was opened, and the monotonic clock since. So setting
 * the time of day expires nothing while the cache is open, and deadlines survive a restart.
 */
final class CacheTime implements InstantSource {
    private final Clock clock;
    private final long startMs;
    private final long startNs;

    CacheTime(Clock clock) {
        this.clock = clock;
        startMs = clock.epochMs();
        startNs = clock.nowNs();
    }

    @Override
    public long millis() {
        return startMs + TimeUnit.NANOSECONDS.toMillis(clock.nowNs() - startNs);
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }
}
