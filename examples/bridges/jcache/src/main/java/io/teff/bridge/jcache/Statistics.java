package io.teff.bridge.jcache;

import java.util.concurrent.atomic.LongAdder;
import javax.cache.management.CacheStatisticsMXBean;

/** Counts of a cache while statistics are enabled. Times are of whole operations, loaders and listeners included. */
final class Statistics implements CacheStatisticsMXBean {
    private static final float PERCENT = 100;
    private static final float NS_PER_US = 1_000;

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder puts = new LongAdder();
    private final LongAdder removals = new LongAdder();
    private final LongAdder evictions = new LongAdder();
    private final LongAdder getNs = new LongAdder();
    private final LongAdder putNs = new LongAdder();
    private final LongAdder removeNs = new LongAdder();
    private volatile boolean enabled;

    void enable(boolean on) {
        enabled = on;
    }

    // ---- counting ----

    /** {@return the argument of the methods below at the end of the operation} */
    long start() {
        return enabled ? System.nanoTime() : 0;
    }

    void got(boolean hit, long start) {
        if (enabled) {
            (hit ? hits : misses).increment();
            getNs.add(nsSince(start));
        }
    }

    void put(long start) {
        if (enabled) {
            puts.increment();
            putNs.add(nsSince(start));
        }
    }

    void removed(long start) {
        if (enabled) {
            removals.increment();
            removeNs.add(nsSince(start));
        }
    }

    void evicted() {
        if (enabled) {
            evictions.increment();
        }
    }

    /** Returns the nanoseconds since {@code start}, or 0 if statistics were enabled in the meantime. */
    private static long nsSince(long start) {
        return start == 0 ? 0 : System.nanoTime() - start;
    }

    // ---- the bean ----

    @Override
    public void clear() {
        for (LongAdder counter : new LongAdder[] {hits, misses, puts, removals, evictions, getNs, putNs, removeNs}) {
            counter.reset();
        }
    }

    @Override
    public long getCacheHits() {
        return hits.sum();
    }

    @Override
    public float getCacheHitPercentage() {
        return percentage(hits);
    }

    @Override
    public long getCacheMisses() {
        return misses.sum();
    }

    @Override
    public float getCacheMissPercentage() {
        return percentage(misses);
    }

    @Override
    public long getCacheGets() {
        return hits.sum() + misses.sum();
    }

    @Override
    public long getCachePuts() {
        return puts.sum();
    }

    @Override
    public long getCacheRemovals() {
        return removals.sum();
    }

    @Override
    public long getCacheEvictions() {
        return evictions.sum();
    }

    @Override
    public float getAverageGetTime() {
        return averageUs(getNs, getCacheGets());
    }

    @Override
    public float getAveragePutTime() {
        return averageUs(putNs, puts.sum());
    }

    @Override
    public float getAverageRemoveTime() {
        return averageUs(removeNs, removals.sum());
    }

    private float percentage(LongAdder part) {
        long gets = getCacheGets();
        return gets == 0 ? 0 : part.sum() * PERCENT / gets;
    }

    private static float averageUs(LongAdder ns, long count) {
        return count == 0 ? 0 : ns.sum() / NS_PER_US / count;
    }
}
