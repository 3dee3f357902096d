package io.teff.engine.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.error.StoreClosedException;
import io.teff.test.kit.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Settings, expiry, close and memory of a cache, one behaviour each. */
final class CacheMapTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int MANY = 20_000;

    private final Store store = Store.open();
    private final ManualTime time = new ManualTime(0);

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    private CacheBuilder<Long, String> builder() {
        return CacheMap.builder(Codecs.LONG, Codecs.STRING).clock(time);
    }

    private CacheMap<Long, String> expiring() {
        return builder().expireAfterWrite(MINUTE).open(store, "cache");
    }

    @Test
    void entry_whoseDeadlineIsReached_isAbsentForEachMethod() {
        CacheMap<Long, String> cache = expiring();
        cache.put(1L, "one");
        time.advance(MINUTE.toMillis() - 1);
        assertEquals("one", cache.get(1L));
        assertEquals(Duration.ofMillis(1), cache.timeLeft(1L));
        time.advance(1);
        assertFalse(cache.containsKey(1L));
        assertNull(cache.peek(1L));
        assertNull(cache.timeLeft(1L));
        assertEquals(List.of(), List.copyOf(cache.keySet()));
        assertNull(cache.replace(1L, "two"));
        assertNull(cache.get(1L));
        assertEquals(0, cache.longSize());
        assertNull(cache.putIfAbsent(1L, "three"));
    }

    @Test
    void access_movesTheDeadline_inStepsThatNeverShortenIt() {
        Duration hour = Duration.ofHours(1);
        CacheMap<Long, String> cache = builder().expireAfterAccess(hour).open(store, "cache");
        cache.put(1L, "one");
        for (int i = 0; i < 1_000; i++) {
            time.advance(7_919);
            cache.get(1L);
            Duration left = cache.timeLeft(1L);
            Duration late = left.minus(hour);
            assertTrue(!late.isNegative() && late.compareTo(hour.dividedBy(256)) <= 0, left::toString);
        }
    }

    @Test
    void writes_removeExpiredEntries_thatNobodyReads() {
        CacheMap<Long, String> cache = expiring();
        for (long key = 0; key < MANY; key++) {
            cache.set(key, "old");
        }
        time.advance(MINUTE.toMillis());
        long writes = 0;
        while (cache.longSize() > 1_000 && writes < MANY) {
            cache.set(MANY + writes++ % 500, "new");
        }
        assertTrue(writes <= MANY / 4, "writes " + writes);
    }

    @Test
    void cleanUp_removesAllExpiredEntries_andNoOther() {
        CacheMap<Long, String> cache = expiring();
        LongStream.range(0, MANY).forEach(key -> cache.set(key, "old"));
        time.advance(MINUTE.toMillis() / 2);
        LongStream.range(MANY, MANY + 10).forEach(key -> cache.set(key, "new"));
        time.advance(MINUTE.toMillis() / 2);
        cache.cleanUp();
        assertEquals(10, cache.longSize());
    }

    @Test
    void lifetimes_ofReads_areAsked() {
        CacheMap<Long, String> cache = builder().expireBy(new Lifetime<Long, String>() {
            @Override
            public Duration afterCreate(Long key, String value) {
                return MINUTE;
            }

            @Override
            public Duration afterRead(Long key, String value, Duration left) {
                return left.dividedBy(2);
            }
        }).open(store, "cache");
        cache.put(1L, "one");
        cache.get(1L);
        assertEquals(MINUTE.dividedBy(2), cache.timeLeft(1L));
    }

    @Test
    void lifetime_thatUsesTheMap_isRefused() {
        List<CacheMap<Long, String>> opened = new ArrayList<>();
        opened.add(builder().expireBy((_, _) -> {
            opened.getFirst().put(2L, "two");
            return MINUTE;
        }).open(store, "cache"));
        assertThrows(IllegalStateException.class, () -> opened.getFirst().put(1L, "one"));
        assertEquals(0, opened.getFirst().longSize());
    }

    @Test
    void lifetimeOfAnEntry_needsASetting() {
        CacheMap<Long, String> cache = builder().limitEntries(10).open(store, "cache");
        assertThrows(IllegalStateException.class, () -> cache.put(1L, "one", MINUTE));
        assertThrows(IllegalStateException.class, () -> cache.expireAfter(1L, MINUTE));
        cache.put(1L, "one");
        assertEquals(CacheMap.FOREVER, cache.timeLeft(1L));
    }

    @Test
    void wrongSettings_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> builder().limitEntries(0));
        assertThrows(IllegalArgumentException.class, () -> builder().limitBytes(-1));
        assertThrows(IllegalArgumentException.class, () -> builder().expireAfterWrite(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> builder().refreshAfterWrite(MINUTE, Runnable::run)
            .open(store, "cache"));
    }

    @Test
    void name_ofAnotherKind_isRefused() {
        store.map("map", Long.class, String.class);
        assertThrows(IllegalArgumentException.class, () -> builder().open(store, "map"));
        expiring().close();
        assertThrows(IllegalArgumentException.class, () -> builder().open(store, "cache"));
        assertThrows(IllegalArgumentException.class, () -> store.map("cache", Long.class, String.class));
    }

    @Test
    void cache_isOpenedOnceAtATime() {
        CacheMap<Long, String> cache = expiring();
        cache.put(1L, "one");
        assertThrows(IllegalStateException.class, this::expiring);
        cache.close();
        cache.close();
        assertThrows(IllegalStateException.class, () -> cache.get(1L));
        assertThrows(IllegalStateException.class, () -> cache.put(1L, "two"));
        assertThrows(IllegalStateException.class, cache::longSize);
        assertThrows(IllegalStateException.class, () -> cache.keySet().iterator());
        try (CacheMap<Long, String> again = expiring()) {
            assertEquals("one", again.get(1L));
        }
    }

    @Test
    void cache_ofAClosedStore_throws() {
        CacheMap<Long, String> cache;
        try (Store other = Store.open()) {
            cache = builder().expireAfterWrite(MINUTE).open(other, "cache");
        }
        assertThrows(StoreClosedException.class, () -> cache.get(1L));
        assertThrows(StoreClosedException.class, () -> cache.put(1L, "one"));
        cache.close();
    }

    @Test
    void cache_thatWasDropped_throws() {
        CacheMap<Long, String> cache = expiring();
        store.names().drop("cache");
        assertThrows(IllegalStateException.class, () -> cache.put(1L, "one"));
        cache.close();
        expiring().put(1L, "one");
    }

    @Test
    void listener_thatThrows_changesNothing() {
        List<Throwable> thrown = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((_, e) -> thrown.add(e));
        try {
            CacheMap<Long, String> cache = builder().listener((_, _, _) -> {
                throw new IllegalArgumentException("listener");
            }).open(store, "cache");
            cache.put(1L, "one");
            assertEquals("one", cache.remove(1L));
            assertEquals(1, thrown.size());
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(null);
        }
    }

    @Test
    void listener_mayUseTheMap() {
        List<CacheMap<Long, String>> opened = new ArrayList<>();
        opened.add(builder().expireAfterWrite(MINUTE).listener((key, _, cause) -> {
            if (cause == RemovalCause.EXPIRED) {
                opened.getFirst().put(key + MANY, "again");
            }
        }).open(store, "cache"));
        LongStream.range(0, 1_000).forEach(key -> opened.getFirst().set(key, "old"));
        time.advance(MINUTE.toMillis());
        opened.getFirst().cleanUp();
        assertEquals(1_000, opened.getFirst().longSize());
    }

    @Test
    void statistics_countReadsAndRemovals() {
        CacheMap<Long, String> cache = builder().expireAfterWrite(MINUTE).withStatistics().open(store, "cache");
        cache.put(1L, "one");
        cache.put(1L, "two");
        cache.get(1L);
        cache.get(2L);
        cache.getAll(List.of(1L, 3L));
        time.advance(MINUTE.toMillis());
        cache.get(1L);
        cache.put(4L, "four");
        cache.remove(4L);
        assertEquals(new CacheStatistics(2, 3, 0, 0, 0, 1, 1, 1, 0), cache.statistics());
        assertEquals(0.4, cache.statistics().hitRate());
        assertEquals(1, cache.statistics().removals(RemovalCause.REPLACED));
    }

    @Test
    void cleaner_cleansAnIdleCache_untilItIsClosed() {
        try (ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor()) {
            CacheMap<Long, String> cache = builder().expireAfterWrite(MINUTE).cleanEvery(Duration.ofMillis(1), executor)
                .open(store, "cache");
            cache.put(1L, "one");
            time.advance(MINUTE.toMillis());
            Threads.await("cleaning", () -> cache.longSize() == 0);
            cache.close();
        }
    }

    @Test
    void iteration_isSplit_andRemovesWhatItShows() {
        CacheMap<Long, String> cache = expiring();
        LongStream.range(0, MANY).forEach(key -> cache.set(key, "v" + key));
        time.advance(1);
        assertEquals(MANY, cache.entrySet().parallelStream().map(Map.Entry::getKey).distinct().count());
        assertTrue(cache.entrySet().removeIf(entry -> entry.getKey() % 2 == 0));
        assertEquals(MANY / 2, cache.longSize());
        assertFalse(cache.containsKey(2L));
    }

    /** The memory that a map without expiry takes, times 1.15, is enough for a cache whose entries expire. */
    @Test
    void memory_ofEntriesThatExpire_isLittleMore() {
        byte[] value = new byte[32];
        ChunkLongMap<byte[]> map = store.longMap("map", Codecs.BYTES);
        CacheMap<Long, byte[]> cache = CacheMap.builder(Codecs.LONG, Codecs.BYTES).expireAfterWrite(MINUTE)
            .open(store, "cache");
        for (long key = 0; key < 5 * MANY; key++) {
            map.set(key, value);
            cache.set(key, value);
        }
        assertTrue(cache.memoryBytes() <= 1.15 * map.memoryBytes(), cache.memoryBytes() + " of " + map.memoryBytes());
        assertEquals(0, cache.policyBytes());
    }
}
