package io.teff.engine.cache;

import java.util.concurrent.atomic.LongAdder;

/** The counters behind {@link CacheStatistics}. Thread-safe. */
final class CacheCounters {
    private final boolean isOn;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder loads = new LongAdder();
    private final LongAdder failedLoads = new LongAdder();
    private final LongAdder loadNs = new LongAdder();
    private final LongAdder[] removals = new LongAdder[RemovalCause.values().length];

    CacheCounters(boolean isOn) {
        this.isOn = isOn;
        for (int i = 0; i < removals.length; i++) {
            removals[i] = new LongAdder();
        }
    }

    void read(boolean isHit) {
        if (isOn) {
            (isHit ? hits : misses).increment();
        }
    }

    void loaded(boolean isDone, long ns) {
        if (isOn) {
            (isDone ? loads : failedLoads).increment();
            loadNs.add(ns);
        }
    }

    void removed(RemovalCause cause) {
        if (isOn) {
            removals[cause.ordinal()].increment();
        }
    }

    private long removals(RemovalCause cause) {
        return removals[cause.ordinal()].sum();
    }

    CacheStatistics now() {
        return new CacheStatistics(hits.sum(), misses.sum(), loads.sum(), failedLoads.sum(), loadNs.sum(),
            removals(RemovalCause.EXPLICIT), removals(RemovalCause.REPLACED), removals(RemovalCause.EXPIRED),
            removals(RemovalCause.SIZE));
    }
}
