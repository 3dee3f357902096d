package io.teff.test.bench.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.teff.engine.Store;
import io.teff.engine.cache.CacheBuilder;
import io.teff.engine.cache.CacheMap;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/** Measures caches: hit rates, memory of an entry, time of a get and a put. */
public final class CacheTrial {
    private static final int VALUE_BYTES = 32;

    private CacheTrial() {}

    private static CacheBuilder<Long, byte[]> builder() {
        return CacheMap.builder(Codecs.LONG, Codecs.BYTES);
    }

    // ---- hit rates ----

    private static double hits(long[] keys, LongPredicate cache) {
        long hits = 0;
        for (long key : keys) {
            hits += cache.test(key) ? 1 : 0;
        }
        return 100.0 * hits / keys.length;
    }

    /**
     * Runs a load through a cache of Teff.
     *
     * @param keys the load; a key that is absent is put
     * @param entries limit of the cache
     * @return hits per hundred keys
     */
    public static double teffHits(long[] keys, int entries) {
        byte[] value = new byte[VALUE_BYTES];
        try (Store store = Store.open();
             CacheMap<Long, byte[]> cache = builder().limitEntries(entries).open(store, "cache")) {
            return hits(keys, key -> cache.get(key) != null || !cache.set(key, value));
        }
    }

    /**
     * Runs a load through a cache of Caffeine.
     *
     * @param keys the load; a key that is absent is put
     * @param entries limit of the cache
     * @return hits per hundred keys
     */
    public static double caffeineHits(long[] keys, int entries) {
        Cache<Long, byte[]> cache = Caffeine.newBuilder().maximumSize(entries).initialCapacity(entries)
            .executor(Runnable::run).build();
        byte[] value = new byte[VALUE_BYTES];
        return hits(keys, key -> {
            boolean isHit = cache.getIfPresent(key) != null;
            if (!isHit) {
                cache.put(key, value);
            }
            return isHit;
        });
    }

    // ---- memory ----

    /**
     * Measures the memory of an entry of a number and 32 bytes.
     *
     * @param entries number of entries
     * @return bytes per entry: of a map, of a cache with expiry, with a limit, with both; the last two with the heap of
     *     the policy
     */
    public static double[] memory(int entries) {
        byte[] value = new byte[VALUE_BYTES];
        try (Store store = Store.open()) {
            ChunkLongMap<byte[]> map = store.longMap("map", Codecs.BYTES);
            for (long key = 0; key < entries; key++) {
                map.set(key, value);
            }
            return new double[] {(double) map.memoryBytes() / entries,
                memory(store, builder().expireAfterWrite(Duration.ofHours(1)), entries),
                memory(store, builder().limitEntries(entries), entries),
                memory(store, builder().limitEntries(entries).expireAfterWrite(Duration.ofHours(1)), entries)};
        }
    }

    private static double memory(Store store, CacheBuilder<Long, byte[]> builder, int entries) {
        byte[] value = new byte[VALUE_BYTES];
        try (CacheMap<Long, byte[]> cache = builder.open(store, "cache")) {
            for (long key = 0; key < entries; key++) {
                cache.set(key, value);
            }
            return (double) (cache.memoryBytes() + cache.policyBytes()) / entries;
        } finally {
            store.names().drop("cache");
        }
    }

    // ---- speed ----

    private static double nanos(int operations, LongConsumer operation) {
        long begin = System.nanoTime();
        for (int i = 0; i < operations; i++) {
            operation.accept(i * 0x9E37_79B9_7F4A_7C15L);
        }
        return (double) (System.nanoTime() - begin) / operations;
    }

    /**
     * Measures gets and puts of random keys that are present.
     *
     * @param entries number of entries
     * @param ms time of each measurement, after as long a warm-up
     * @return nanoseconds: get and put of a map, of a cache with expiry, of a cache with a limit, of Caffeine with a
     *     limit
     */
    public static double[] speed(int entries, int ms) {
        byte[] value = new byte[VALUE_BYTES];
        Cache<Long, byte[]> caffeine = Caffeine.newBuilder().maximumSize(entries).executor(Runnable::run).build();
        try (Store store = Store.open();
             CacheMap<Long, byte[]> expiring = builder().expireAfterWrite(Duration.ofHours(1)).open(store, "expiring");
             CacheMap<Long, byte[]> limited = builder().limitEntries(entries).open(store, "limited")) {
            ChunkLongMap<byte[]> map = store.longMap("map", Codecs.BYTES);
            for (long key = 0; key < entries; key++) {
                map.set(key, value);
                expiring.set(key, value);
                limited.set(key, value);
                caffeine.put(key, value.clone());
            }
            return new double[] {time(ms, key -> map.get(key(key, entries))),
                time(ms, key -> map.set(key(key, entries), value)),
                time(ms, key -> expiring.get(key(key, entries))),
                time(ms, key -> expiring.set(key(key, entries), value)),
                time(ms, key -> limited.get(key(key, entries))),
                time(ms, key -> limited.set(key(key, entries), value)),
                time(ms, key -> {
                    var _ = caffeine.getIfPresent(key(key, entries));
                }),
                time(ms, key -> caffeine.put(key(key, entries), value.clone()))};
        }
    }

    private static long key(long random, int entries) {
        return Math.unsignedMultiplyHigh(random, entries);
    }

    private static double time(int ms, LongConsumer operation) {
        int operations = 1_000;
        double ns = 0;
        for (long spentNs = 0; spentNs < 2 * TimeUnit.MILLISECONDS.toNanos(ms); operations <<= 1) {
            ns = nanos(operations, operation);
            spentNs += (long) (ns * operations);
        }
        return ns;
    }
}
