package io.teff.engine.cache;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test moves. */
final class ManualTime implements InstantSource {
    private final AtomicLong nowMs;

    ManualTime(long nowMs) {
        this.nowMs = new AtomicLong(nowMs);
    }

    void advance(long ms) {
        nowMs.addAndGet(ms);
    }

    @Override
    public long millis() {
        return nowMs.get();
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }
}
