package io.teff.bridge.jcache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.integration.CacheWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Goal: a store that is full says so, loses nothing, and takes entries again as soon as others are gone. */
@Tag("modes")
final class MemoryLimitTest {
    private static final int LIMIT = 8 << 20;
    private static final int LENGTH = 1_000;

    private final TestManager test = new TestManager(ManagerSettings.MEMORY_LIMIT, Integer.toString(LIMIT));

    @AfterEach
    void close() {
        test.close();
    }

    private static MutableConfiguration<Integer, byte[]> configuration() {
        return TestManager.types(Integer.class, byte[].class);
    }

    /** Puts until there is no memory; how many there are. */
    private static int fill(Cache<Integer, byte[]> cache) {
        for (int key = 0;; key++) {
            try {
                cache.put(key, new byte[LENGTH]);
            } catch (CacheException e) {
                assertTrue(e.getMessage().contains(ManagerSettings.MEMORY_LIMIT), e.getMessage());
                assertTrue(e.getMessage().contains(Integer.toString(LIMIT)), e.getMessage());
                return key;
            }
        }
    }

    @Test
    void put_intoFullStore_failsAndLosesNothing() {
        Cache<Integer, byte[]> cache = test.cache("full", configuration());
        int count = fill(cache);
        assertTrue(count > 2_000, "only " + count);
        assertNull(cache.get(count));
        for (int key = 0; key < count; key++) {
            assertArrayEquals(new byte[LENGTH], cache.get(key));
        }
        cache.removeAll();
        assertEquals(count, fill(cache), count / 10.0);
    }

    @Test
    void put_intoStoreFullOfExpired_findsRoom() {
        Cache<Integer, byte[]> cache = test.cache("expired", configuration().setExpiryPolicyFactory(
            CreatedExpiryPolicy.factoryOf(new Duration(TimeUnit.MILLISECONDS, 10))));
        Cache<Integer, byte[]> other = test.cache("other", configuration());    // there would be no room afterwards
        int count = fill(cache);
        test.clock.pass(TestManager.NEVER_MS);
        assertEquals(count, fill(other), count / 10.0);
    }

    /** A put is not to blame for what the listeners of other entries do. */
    @Test
    void put_whenListenersOfTheExpiredThrow_findsRoom() {
        CacheEntryExpiredListener<Integer, byte[]> listener = _ -> {
            throw new IllegalStateException("broken");
        };
        AtomicInteger uncaught = new AtomicInteger();
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((_, _) -> uncaught.incrementAndGet());
        try {
            Cache<Integer, byte[]> cache = test.cache("expired", configuration()
                .addCacheEntryListenerConfiguration(new MutableCacheEntryListenerConfiguration<>(() -> listener, null,
                    false, true))
                .setExpiryPolicyFactory(CreatedExpiryPolicy.factoryOf(new Duration(TimeUnit.MILLISECONDS, 10))));
            int count = fill(cache);
            test.clock.pass(TestManager.NEVER_MS);
            for (int key = -1; uncaught.get() == 0; key--) {      // there may be room for some before that
                cache.put(key, new byte[LENGTH]);
            }
            assertEquals(count, uncaught.get());
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }
    }

    @Test
    void valueAboveTheLimit_isRefused() {
        Cache<Integer, byte[]> cache = test.cache("above", configuration());
        CacheException e = assertThrows(CacheException.class, () -> cache.put(1, new byte[2 * LIMIT]));
        assertTrue(e.getMessage().contains(ManagerSettings.MEMORY_LIMIT), e.getMessage());
        cache.put(1, new byte[LIMIT / 4]);
        assertEquals(LIMIT / 4, cache.get(1).length);
    }

    @Test
    void createCache_inFullStore_failsWithTheReason() {
        fill(test.cache("full", configuration()));
        CacheException e = assertThrows(CacheException.class, () -> {
            for (int i = 0; i < 1_000_000; i++) {
                test.cache("cache " + i, configuration());
            }
        });
        assertTrue(e.getMessage().contains(ManagerSettings.MEMORY_LIMIT), e.getMessage());
    }

    /** The outside has the new value, so the cache must not go on to show the old one. */
    @Test
    void writtenEntry_withoutMemory_leavesTheCache() {
        Map<Integer, byte[]> outside = new HashMap<>();
        CacheWriter<Integer, byte[]> writer = new CacheWriter<>() {
            @Override
            public void write(Cache.Entry<? extends Integer, ? extends byte[]> entry) {
                outside.put(entry.getKey(), entry.getValue());
            }

            @Override
            public void writeAll(Collection<Cache.Entry<? extends Integer, ? extends byte[]>> entries) {
                entries.forEach(this::write);
                entries.clear();
            }

            @Override
            public void delete(Object key) {
                outside.remove(key);
            }

            @Override
            public void deleteAll(Collection<?> keys) {
                outside.keySet().removeAll(keys);
                keys.clear();
            }
        };
        Cache<Integer, byte[]> cache = test.cache("through", configuration().setWriteThrough(true)
            .setStatisticsEnabled(true).setCacheWriterFactory(() -> writer));
        cache.put(-1, new byte[] {1});
        cache.put(-2, new byte[] {2});
        assertThrows(CacheException.class, () -> cache.put(-1, new byte[LIMIT]));
        assertEquals(LIMIT, outside.get(-1).length);
        assertNull(cache.get(-1));
        assertThrows(CacheException.class, () -> cache.putAll(Map.of(-2, new byte[LIMIT], -3, new byte[] {3})));
        assertNull(cache.get(-2));
        assertArrayEquals(new byte[] {3}, cache.get(-3));
    }
}
