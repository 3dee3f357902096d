package io.teff.engine.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits: how well they are kept, whom they evict, and what is reported of it. */
final class CacheLimitTest {
    private static final int ENTRIES = 1_000;
    private static final int THREADS = 4;
    private static final int ROUNDS = Form.size(6_000, 100_000, 400_000);

    private static CacheBuilder<Long, Long> builder() {
        return CacheMap.builder(Codecs.LONG, Codecs.LONG);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 10, 300, 3_000})
    void limitOfEntries_isKept_afterEachPut(long limit) {
        try (Store store = Store.open();
             CacheMap<Long, Long> cache = builder().limitEntries(limit).withStatistics().open(store, "cache")) {
            for (long key = 0; key < 4_000; key++) {
                cache.put(key, key);
                assertTrue(cache.longSize() <= limit, () -> "entries " + cache.longSize());
            }
            assertEquals(limit, cache.longSize());
            assertEquals(4_000 - limit, cache.statistics().evicted());
            cache.audit();
        }
    }

    @Test
    void limitOfBytes_isKept_withinAPage() {
        long limit = 1 << 20;
        try (Store store = Store.open(); CacheMap<Long, byte[]> cache = CacheMap.builder(Codecs.LONG, Codecs.BYTES)
            .limitBytes(limit).open(store, "cache")) {
            SplittableRandom random = Seed.random(1);
            for (long key = 0; key < 5_000; key++) {
                cache.set(key, new byte[random.nextInt(1_000)]);
                assertTrue(cache.memoryBytes() <= limit + (1 << 16), () -> "bytes " + cache.memoryBytes());
            }
            cache.cleanUp();
            assertTrue(cache.memoryBytes() <= limit && cache.memoryBytes() > limit / 2, () -> "" + cache.memoryBytes());
        }
    }

    /** What leaves the cache, or is in it at the end, is what was put: each value once. */
    @Test
    void manyThreads_keepTheLimit_andReportEachValueOnce() throws InterruptedException {
        Map<Long, RemovalCause> heard = new ConcurrentHashMap<>();
        AtomicLong twice = new AtomicLong();
        ManualTime time = new ManualTime(0);
        try (Store store = Store.open(); CacheMap<Long, Long> cache = builder().limitEntries(ENTRIES).clock(time)
            .expireAfterWrite(Duration.ofMillis(5)).listener((_, value, cause) -> {
                if (heard.put(value, cause) != null) {
                    twice.incrementAndGet();
                }
            }).open(store, "cache")) {
            AtomicLong values = new AtomicLong();
            Threads.runAll(THREADS, number -> {
                SplittableRandom random = Seed.random(number);
                for (int i = 0; i < ROUNDS; i++) {
                    long key = random.nextInt(3 * ENTRIES);
                    switch (random.nextInt(8)) {
                        case 0 -> cache.remove(key);
                        case 1 -> cache.get(key);
                        case 2 -> cache.computeIfAbsent(key, _ -> values.incrementAndGet());
                        case 3 -> {
                            if (random.nextInt(100) == 0) {
                                time.advance(1);
                            }
                        }
                        default -> cache.put(key, values.incrementAndGet());
                    }
                }
            });
            assertTrue(cache.longSize() <= ENTRIES, () -> "entries " + cache.longSize());
            cache.audit();
            cache.clear();
            assertEquals(0, twice.get());
            assertEquals(values.get(), heard.size());
            assertTrue(heard.containsValue(RemovalCause.SIZE) && heard.containsValue(RemovalCause.EXPIRED));
        }
    }

    private static double hits(int count, IntToLongFunction load) {
        try (Store store = Store.open();
             CacheMap<Long, Long> cache = builder().limitEntries(ENTRIES).withStatistics().open(store, "cache")) {
            for (int i = 0; i < count; i++) {
                long key = load.applyAsLong(i);
                if (cache.get(key) == null) {
                    cache.set(key, key);
                }
            }
            return cache.statistics().hitRate();
        }
    }

    /** A cache that evicts the entry that was used longest ago has no hit. */
    @Test
    void loopOverTwiceTheEntries_keepsAlmostHalf() {
        double rate = hits(40 * ENTRIES, i -> i % (2 * ENTRIES));
        assertTrue(rate > 0.4, "hit rate " + rate);
    }

    @Test
    void scanOfNewKeys_leavesTheFrequentOnes() {
        SplittableRandom random = Seed.random(1);
        double rate = hits(40 * ENTRIES, i -> i % 2 == 0 ? random.nextInt(ENTRIES * 8 / 10) : 1_000_000 + i);
        assertTrue(rate > 0.4, "hit rate " + rate);             // at most a half
    }

    /** All frequent keys change: those of before are many times more frequent in the sketch. */
    @Test
    void hotKeysThatChange_areFollowed() {
        SplittableRandom random = Seed.random(1);
        double rate = hits(40 * ENTRIES, i -> random.nextInt(ENTRIES) + i / (8 * ENTRIES) * 1_000_000L);
        assertTrue(rate > 0.7, "hit rate " + rate);
    }
}
