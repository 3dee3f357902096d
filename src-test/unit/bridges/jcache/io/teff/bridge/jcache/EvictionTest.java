package io.teff.bridge.jcache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Threads;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.Duration;
import org.junit.jupiter.api.Test;

/** Goal: a cache with a limit keeps the limit by evictions, and keeps all other promises of a cache. */
final class EvictionTest {
    private static final int LIMIT = 500;
    private static final int KEYS = 2000;
    private static final int THREADS = 3;
    private static final int STEPS = 5000;
    private static final Duration SECOND = new Duration(TimeUnit.SECONDS, 1);

    private static MutableConfiguration<Integer, byte[]> configuration() {
        return TestManager.types(Integer.class, byte[].class).setStatisticsEnabled(true);
    }

    private static int size(Cache<Integer, byte[]> cache) {
        int[] count = new int[1];
        cache.forEach(_ -> count[0]++);
        return count[0];
    }

    @Test
    void putsBeyondTheLimit_evict_withoutEvents() {
        AtomicInteger events = new AtomicInteger();
        CacheEntryExpiredListener<Integer, byte[]> expired = _ -> events.incrementAndGet();
        CacheEntryRemovedListener<Integer, byte[]> removed = _ -> events.incrementAndGet();
        try (TestManager test = new TestManager(ManagerSettings.LIMIT_ENTRIES, "" + LIMIT)) {
            TeffCache<Integer, byte[]> cache = test.cache("limited", configuration()
                .addCacheEntryListenerConfiguration(new MutableCacheEntryListenerConfiguration<>(() -> expired, null,
                    false, true))
                .addCacheEntryListenerConfiguration(new MutableCacheEntryListenerConfiguration<>(() -> removed, null,
                    false, true)));
            for (int key = 0; key < KEYS; key++) {
                cache.put(key, new byte[key % 50]);
            }
            assertEquals(LIMIT, size(cache));
            assertEquals(KEYS - LIMIT, cache.statistics().getCacheEvictions());
            assertEquals(0, events.get());
            cache.clear();
            assertEquals(0, size(cache));
        }
    }

    @Test
    void entriesOfALimitedCache_expireByTheirPolicy() {
        AtomicInteger events = new AtomicInteger();
        CacheEntryExpiredListener<Integer, byte[]> expired = _ -> events.incrementAndGet();
        try (TestManager test = new TestManager(ManagerSettings.LIMIT_BYTES, "1000000")) {
            TeffCache<Integer, byte[]> cache = test.cache("limited", configuration()
                .setExpiryPolicyFactory(AccessedExpiryPolicy.factoryOf(SECOND))
                .addCacheEntryListenerConfiguration(new MutableCacheEntryListenerConfiguration<>(() -> expired, null,
                    false, true)));
            cache.put(1, new byte[] {1});
            cache.put(2, new byte[] {2});
            test.clock.pass(600);
            assertArrayEquals(new byte[] {1}, cache.get(1));    // moves the time of expiry
            test.clock.pass(600);
            assertArrayEquals(new byte[] {1}, cache.get(1));
            assertNull(cache.get(2));
            assertEquals(1, events.get());
            for (int key = 0; key < KEYS; key++) {
                cache.put(key, new byte[1000]);
            }
            assertTrue(size(cache) < 1000, () -> size(cache) + " entries of 1,000 bytes");
            assertNotNull(cache.getAndRemove(KEYS - 1));
        }
    }

    @Test
    void changesOfSeveralThreads_areAtomic_whileEntriesAreEvicted() throws InterruptedException {
        try (TestManager test = new TestManager(ManagerSettings.LIMIT_ENTRIES, "" + LIMIT)) {
            TeffCache<Integer, byte[]> cache = test.cache("limited", configuration());
            Threads.runAll(THREADS, number -> {
                SplittableRandom random = new SplittableRandom(number);
                for (int step = 0; step < STEPS; step++) {
                    int key = random.nextInt(KEYS);
                    switch (random.nextInt(4)) {
                        case 0 -> cache.put(key, new byte[] {(byte) key});
                        case 1 -> cache.remove(key);
                        case 2 -> cache.invoke(key, (entry, _) -> {
                            entry.setValue(new byte[] {(byte) key});
                            return null;
                        });
                        default -> {
                            byte[] value = cache.get(key);
                            assertTrue(value == null || value[0] == (byte) key, () -> "key " + key);
                        }
                    }
                }
            });
            assertTrue(size(cache) <= LIMIT + THREADS);
        }
    }

    @Test
    void limits_thatAreWrongOrTwo_areRefused() {
        assertThrows(CacheException.class, () -> new TestManager(ManagerSettings.LIMIT_ENTRIES, "0"));
        assertThrows(CacheException.class, () -> new TestManager(ManagerSettings.LIMIT_BYTES, "many"));
        assertThrows(CacheException.class, () -> new TestManager(ManagerSettings.LIMIT_BYTES, "1000000",
            ManagerSettings.LIMIT_ENTRIES, "10"));
        assertThrows(CacheException.class, () -> new TestManager(ManagerSettings.LIMIT_ENTRIES, "10",
            ManagerSettings.STORE, "nowhere:1", ManagerSettings.MEMORY_LIMIT, ""));
    }
}
