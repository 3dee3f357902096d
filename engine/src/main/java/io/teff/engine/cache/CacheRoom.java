package io.teff.engine.cache;

import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.hash.StampLayout;
import io.teff.engine.hash.StampedBucket;
import io.teff.engine.hash.StampedMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes room in a cache: evicts entries while the limit is exceeded, and removes entries that have expired, a bounded
 * number for each write.
 *
 * <p>Threads evict at the same time, without a lock. Each thread that has added an entry sees the size afterwards, so
 * the last one of them sees the size of all, and goes on until the limit is kept. Two threads may evict for one entry.
 */
final class CacheRoom<K, V> {
    /** Evictions of one write at most. */
    static final int EVICTIONS_MAX = 16;

    /** Entries to choose from, if the map has as many. */
    private static final int SAMPLE_MIN = 8;
    private static final int SAMPLE_MAX = 64;
    /** Buckets that are read for a sample; a small map has empty ones. */
    private static final int BUCKETS_MAX = 512;

    /** Removes an entry by the hash of its key. */
    interface Evictor {
        /** Removes the entry, which has expired or is to go because of the limit; returns whether it was removed. */
        boolean evict(long hash, RemovalCause cause);
    }

    private final StampedMap<K, V> map;
    private final CacheSettings<K, V> settings;
    private final @Nullable AccessPolicy policy;
    private final @Nullable ExpiryScan scan;
    private final Evictor evictor;
    private final AtomicLong draws = new AtomicLong();
    /** Threads that are making room, if there is a listener. */
    private final Set<Thread> cleaners = ConcurrentHashMap.newKeySet();

    CacheRoom(StampedMap<K, V> map, CacheSettings<K, V> settings, Evictor evictor) {
        this.map = map;
        this.settings = settings;
        this.evictor = evictor;
        policy = settings.isLimited() ? new AccessPolicy(settings.expectedEntries()) : null;
        scan = settings.deadlines().isExpiring() ? new ExpiryScan(map) : null;
    }

    long policyBytes() {
        return policy == null ? 0 : policy.bytes();
    }

    /** Notes a read. */
    void used(long hash) {
        if (policy != null) {
            policy.use(hash);
        }
    }

    /** Makes room after a write. A shortage of the store does not fail the write, which is done. */
    void wrote(long hash, boolean isAdded, long nowMs) {
        if (!begin()) {
            note(hash, isAdded);
            return;
        }
        try {
            AccessPolicy order = policy;
            if (order != null) {
                order.use(hash);
                if (isAdded || settings.bytesMax() != Long.MAX_VALUE) {
                    boolean isFull = isOver();
                    if (isAdded) {
                        order.added(hash, isFull);
                    }
                    if (isFull) {
                        shrink(order, nowMs, EVICTIONS_MAX);
                    }
                }
            }
            expire(nowMs);
        } catch (StoreException e) {
            if (e.category() == Category.FATAL) {
                throw e;
            }
        } finally {
            end();
        }
    }

    /**
     * Returns false if the thread is making room already, and its listener writes to the cache: without this, each
     * reported entry could report the next one, and the stack would grow.
     */
    private boolean begin() {
        return settings.listener() == null || cleaners.add(Thread.currentThread());
    }

    private void end() {
        if (settings.listener() != null) {
            cleaners.remove(Thread.currentThread());
        }
    }

    private void note(long hash, boolean isAdded) {
        AccessPolicy order = policy;
        if (order != null) {
            order.use(hash);
            if (isAdded) {
                order.added(hash, true);
            }
        }
    }

    private boolean isOver() {
        return map.longSize() > settings.entriesMax()
            || settings.bytesMax() != Long.MAX_VALUE && map.memoryBytes() > settings.bytesMax();
    }

    private void shrink(AccessPolicy order, long nowMs, long evictionsMax) {
        long evictions = 0;
        do {
            evict(order, nowMs);
        } while (++evictions < evictionsMax && isOver());
    }

    private void expire(long nowMs) {
        if (scan != null) {
            for (long hash : scan.move(nowMs)) {
                evictor.evict(hash, RemovalCause.EXPIRED);
            }
        }
    }

    /** Removes all expired entries, and then restores the limit. */
    void cleanUp(long nowMs) {
        if (!begin()) {
            return;
        }
        try {
            if (scan != null) {
                ExpiryScan.all(map, nowMs, hash -> evictor.evict(hash, RemovalCause.EXPIRED));
            }
            AccessPolicy order = policy;
            if (order != null && isOver()) {
                shrink(order, nowMs, map.longSize());
            }
        } finally {
            end();
        }
    }

    /** Evicts one entry; returns whether one was removed. */
    private boolean evict(AccessPolicy order, long nowMs) {
        long candidate = order.candidate();
        StampedBucket bucket = StampedBucket.POOL.acquire();
        long victim = AccessPolicy.NONE;
        RemovalCause cause = RemovalCause.SIZE;
        try {
            long[] sample = new long[SAMPLE_MAX];
            long place = Spread.of(draws.incrementAndGet() * Spread.FIRST);
            int size = 0;
            for (int i = 0; i < BUCKETS_MAX && size < SAMPLE_MIN && victim == AccessPolicy.NONE; i++) {
                place = map.bucket(place, bucket);
                size = AccessPolicy.sample(bucket, sample, size);
                victim = expired(bucket, nowMs);
            }
            if (victim != AccessPolicy.NONE) {
                cause = RemovalCause.EXPIRED;
            } else {
                victim = size == 0 ? candidate : order.victim(candidate, sample, size);
            }
        } finally {
            StampedBucket.POOL.release(bucket);
        }
        return victim != AccessPolicy.NONE && evictor.evict(victim, cause);
    }

    private static long expired(StampedBucket bucket, long nowMs) {
        for (int i = 0; i < bucket.count(); i++) {
            if (StampLayout.isOver(bucket.deadline(i), nowMs)) {
                return bucket.hash(i);
            }
        }
        return AccessPolicy.NONE;
    }
}
