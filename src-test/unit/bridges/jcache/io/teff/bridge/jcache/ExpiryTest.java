package io.teff.bridge.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.cache.configuration.Factory;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.expiry.AccessedExpiryPolicy;
import javax.cache.expiry.CreatedExpiryPolicy;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import javax.cache.expiry.ModifiedExpiryPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Goal: what has expired is never seen, and its memory comes back whether or not anybody asks for it again. */
@Tag("modes")
final class ExpiryTest {
    private static final int ENTRIES = 25_000;
    private static final Duration TEN_MS = new Duration(TimeUnit.MILLISECONDS, 10);

    private final TestManager test = new TestManager();

    @AfterEach
    void close() {
        test.close();
    }

    private static MutableConfiguration<Integer, String> configuration(Factory<? extends ExpiryPolicy> policy) {
        return TestManager.types(Integer.class, String.class).setExpiryPolicyFactory(policy);
    }

    private TeffCache<Integer, String> created(String name) {
        return test.cache(name, configuration(CreatedExpiryPolicy.factoryOf(TEN_MS)));
    }

    private static void fill(TeffCache<Integer, String> cache, int count) {
        for (int key = 0; key < count; key++) {
            cache.put(key, "value of some length " + key);
        }
    }

    @Test
    void expiredEntry_noOperation_seesIt() {
        TeffCache<Integer, String> cache = created("unseen");
        fill(cache, 12);
        test.clock.pass(9);
        assertEquals("value of some length 0", cache.get(0));
        test.clock.pass(1);
        assertFalse(cache.iterator().hasNext());
        assertNull(cache.get(0));
        assertFalse(cache.containsKey(1));
        assertEquals(Map.of(), cache.getAll(Set.of(2, 3)));
        assertNull(cache.getAndPut(4, "new"));
        assertTrue(cache.putIfAbsent(5, "new"));
        assertFalse(cache.remove(6));
        assertFalse(cache.replace(7, "new"));
        assertFalse(cache.remove(8, "value of some length 8"));
        assertFalse(cache.replace(9, "value of some length 9", "new"));
        assertEquals(false, cache.<Boolean>invoke(10, (entry, _) -> entry.exists()));
        assertNull(cache.getAndRemove(11));
    }

    @Test
    void access_extendsTheLife_untilAccessesEnd() {
        TeffCache<Integer, String> cache = test.cache("accessed",
            configuration(AccessedExpiryPolicy.factoryOf(TEN_MS)));
        fill(cache, 2);
        for (int i = 0; i < 5; i++) {
            test.clock.pass(9);
            assertEquals("value of some length 0", cache.get(0));
        }
        assertFalse(cache.containsKey(1));
        test.clock.pass(10);
        assertNull(cache.get(0));
    }

    @Test
    void update_livesLonger_accessDoesNot() {
        TeffCache<Integer, String> cache = test.cache("modified",
            configuration(ModifiedExpiryPolicy.factoryOf(TEN_MS)));
        fill(cache, 1);
        test.clock.pass(9);
        cache.put(0, "again");
        test.clock.pass(9);
        assertEquals("again", cache.get(0));
        test.clock.pass(1);
        assertNull(cache.get(0));
    }

    @Test
    void policyThatThrows_decidesNothing() {
        TeffCache<Integer, String> cache = test.cache("broken", configuration(() -> new ExpiryPolicy() {
            @Override
            public Duration getExpiryForCreation() {
                throw new IllegalStateException("no idea");
            }

            @Override
            public Duration getExpiryForAccess() {
                throw new IllegalStateException("no idea");
            }

            @Override
            public Duration getExpiryForUpdate() {
                throw new IllegalStateException("no idea");
            }
        }));
        cache.put(1, "one");
        cache.put(1, "two");
        test.clock.pass(Long.MAX_VALUE / 4);
        assertEquals("two", cache.get(1));
    }

    @Test
    void durationBeyondAllTime_isForEver() {
        TeffCache<Integer, String> cache = test.cache("long", configuration(
            CreatedExpiryPolicy.factoryOf(new Duration(TimeUnit.DAYS, Long.MAX_VALUE))));
        cache.put(1, "one");
        test.clock.pass(Long.MAX_VALUE / 2);
        assertEquals("one", cache.get(1));
    }

    // ---- memory ----

    private long memoryBytes(String name) {
        return test.store().map(name, Codecs.BYTES, Codecs.BYTES).memoryBytes();
    }

    @Test
    void sweep_afterExpiry_givesMemoryBack() {
        TeffCache<Integer, String> cache = created("swept");
        long emptyBytes = memoryBytes("swept");
        long emptyPayload = test.store().stats().payloadBytes();
        fill(cache, ENTRIES);
        long fullBytes = memoryBytes("swept");
        assertTrue(fullBytes > ENTRIES * 30L, "only " + fullBytes);
        test.manager.sweeper().round();
        assertEquals(fullBytes, memoryBytes("swept"), "nothing has expired yet");
        test.clock.pass(10);
        test.manager.sweeper().round();
        assertTrue(memoryBytes("swept") < emptyBytes + fullBytes / 50, memoryBytes("swept") + " of " + fullBytes);
        assertTrue(test.store().stats().payloadBytes() < emptyPayload + fullBytes / 50);
    }

    @Test
    void sweep_onePart_isBounded() {
        TeffCache<Integer, String> cache = created("parts");
        fill(cache, ENTRIES);
        assertEquals(new Sweep.Part(Sweep.ENTRIES_PER_PART, 0, false), cache.sweep().part());
        test.clock.pass(10);
        Sweep.Part second = cache.sweep().part();
        assertEquals(Sweep.ENTRIES_PER_PART, second.removed(), "it goes on where the first has ended");
        assertTrue(second.isWorthMore());
        Sweep.Part third = cache.sweep().part();
        assertTrue(third.isEnd());
        assertEquals(ENTRIES - 2 * Sweep.ENTRIES_PER_PART, third.removed());
        assertEquals(Sweep.ENTRIES_PER_PART, cache.sweep().all(), "those that the first part has seen alive");
    }

    @Test
    void sweep_ofLargeValues_isBoundedInBytes() {
        TeffCache<Integer, String> cache = created("large");
        for (int key = 0; key < 40; key++) {
            cache.put(key, "x".repeat(1 << 20));
        }
        test.clock.pass(10);
        Sweep.Part part = cache.sweep().part();
        assertFalse(part.isEnd());
        assertEquals(Sweep.BYTES_PER_PART >> 20, part.seen());
    }

    @Test
    void sweep_withoutExpiringEntries_readsNothing() {
        TeffCache<Integer, String> cache = test.cache("eternal", TestManager.types(Integer.class, String.class));
        fill(cache, 100);
        assertEquals(new Sweep.Part(0, 0, true), cache.sweep().part());
    }

    @Test
    void sweeperThread_alone_removesAndNotifiesOnce() {
        try (TestManager quick = new TestManager(ManagerSettings.SWEEP, "1")) {
            AtomicInteger told = new AtomicInteger();
            CacheEntryExpiredListener<Integer, String> listener = _ -> told.incrementAndGet();
            TeffCache<Integer, String> cache = quick.cache("background", configuration(CreatedExpiryPolicy.factoryOf(
                TEN_MS)).addCacheEntryListenerConfiguration(new MutableCacheEntryListenerConfiguration<>(
                    () -> listener, null, false, true)));
            fill(cache, ENTRIES);
            quick.clock.pass(10);
            Workers.await("the sweeper", () -> told.get() >= ENTRIES);
            assertFalse(cache.iterator().hasNext());
            assertEquals(ENTRIES, told.get());
        }
    }

    @Test
    void sweeperThread_listenerThrows_goesOn() {
        try (TestManager quick = new TestManager(ManagerSettings.SWEEP, "1")) {
            Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
            AtomicInteger uncaught = new AtomicInteger();
            Thread.setDefaultUncaughtExceptionHandler((_, _) -> uncaught.incrementAndGet());
            try {
                CacheEntryExpiredListener<Integer, String> listener = _ -> {
                    throw new IllegalStateException("broken");
                };
                TeffCache<Integer, String> cache = quick.cache("thrown", configuration(CreatedExpiryPolicy.factoryOf(
                    TEN_MS)).addCacheEntryListenerConfiguration(new MutableCacheEntryListenerConfiguration<>(
                        () -> listener, null, false, true)));
                fill(cache, 5);
                quick.clock.pass(10);
                Workers.await("all five", () -> uncaught.get() >= 5);
                assertFalse(cache.iterator().hasNext());
            } finally {
                Thread.setDefaultUncaughtExceptionHandler(before);
            }
        }
    }
}
