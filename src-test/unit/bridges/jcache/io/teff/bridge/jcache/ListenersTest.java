package io.teff.bridge.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.cache.CacheException;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryUpdatedListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Goal: a listener may fail, be late or use the cache, and no operation waits for ever or is lost. */
@Tag("modes")
final class ListenersTest {
    private final TestManager test = new TestManager(ManagerSettings.LOCK_TIMEOUT, "200");

    @AfterEach
    void close() {
        test.close();
    }

    private static MutableConfiguration<Integer, Long> configuration() {
        return TestManager.types(Integer.class, Long.class);
    }

    private static MutableCacheEntryListenerConfiguration<Integer, Long> of(
        CacheEntryCreatedListener<Integer, Long> listener, boolean synchronous) {
        return new MutableCacheEntryListenerConfiguration<>(() -> listener, null, false, synchronous);
    }

    @Test
    void listenerThatThrows_theChangeStays_othersAreTold() {
        AtomicInteger told = new AtomicInteger();
        IllegalArgumentException thrown = new IllegalArgumentException("broken");
        TeffCache<Integer, Long> cache = test.cache("throws", configuration()
            .addCacheEntryListenerConfiguration(of(_ -> {
                throw thrown;
            }, true)).addCacheEntryListenerConfiguration(of(_ -> told.incrementAndGet(), true)));
        CacheEntryListenerException e = assertThrows(CacheEntryListenerException.class,
            () -> cache.putAll(Map.of(1, 1L, 2, 2L)));
        assertSame(thrown, e.getCause());
        assertEquals(2, told.get());
        assertEquals(Map.of(1, 1L, 2, 2L), ChainListener.content(cache));
    }

    @Test
    void filterThatThrows_isAFailureOfTheListener() {
        CacheEntryEventFilter<Integer, Long> filter = _ -> {
            throw new IllegalStateException("broken filter");
        };
        CacheEntryCreatedListener<Integer, Long> listener = _ -> { };
        TeffCache<Integer, Long> cache = test.cache("filter", configuration().addCacheEntryListenerConfiguration(
            new MutableCacheEntryListenerConfiguration<>(() -> listener, () -> filter, false, true)));
        assertThrows(CacheEntryListenerException.class, () -> cache.put(1, 1L));
        assertEquals(1L, cache.get(1));
    }

    @Test
    void listenerThatUsesItsEntry_worksWithinTheOperation() {
        AtomicReference<TeffCache<Integer, Long>> cache = new AtomicReference<>();
        cache.set(test.cache("again", configuration().addCacheEntryListenerConfiguration(of(events ->
            events.forEach(event -> cache.get().put(event.getKey(), event.getValue() + 1)), true))));
        cache.get().put(1, 1L);
        assertEquals(2L, cache.get().get(1));
    }

    @Test
    void deregisteredListener_hearsNoMore() {
        AtomicInteger told = new AtomicInteger();
        MutableCacheEntryListenerConfiguration<Integer, Long> listener = of(_ -> told.incrementAndGet(), true);
        TeffCache<Integer, Long> cache = test.cache("deregistered", configuration());
        cache.registerCacheEntryListener(listener);
        assertThrows(IllegalArgumentException.class, () -> cache.registerCacheEntryListener(listener));
        cache.put(1, 1L);
        cache.deregisterCacheEntryListener(listener);
        cache.put(2, 1L);
        assertEquals(1, told.get());
    }

    // ---- waiting ----

    @Test
    void twoProcessors_thatUseEachOthersEntries_bothEnd() throws InterruptedException {
        TeffCache<Integer, Long> cache = test.cache("deadlock", configuration());
        CyclicBarrier inside = new CyclicBarrier(2);
        List<Throwable> failures = new ArrayList<>();
        Workers.runAll(2, number -> {
            try {
                cache.invoke(number, (entry, _) -> {
                    await(inside);
                    cache.put(1 - number, 7L);
                    return null;
                });
            } catch (CacheException e) {
                synchronized (failures) {
                    failures.add(e);
                }
            }
        });
        assertTrue(!failures.isEmpty(), "keys 0 and 1 have stripes of their own, so one must have given up");
        assertTrue(failures.getFirst().toString().contains(ManagerSettings.LOCK_TIMEOUT), failures.toString());
        cache.put(0, 1L);
        cache.put(1, 1L);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void interruptedThread_canUseTheCache_andStaysInterrupted() {
        TeffCache<Integer, Long> cache = test.cache("interrupted", configuration());
        Thread.currentThread().interrupt();
        cache.put(1, 1L);
        assertTrue(Thread.interrupted());
        assertEquals(1L, cache.get(1));
    }

    @Test
    void asynchronousListener_tooFarBehind_stopsOperationsBeforeAnyChange() {
        CountDownLatch go = new CountDownLatch(1);
        AtomicLong told = new AtomicLong();
        TeffCache<Integer, Long> cache = test.cache("late", configuration().addCacheEntryListenerConfiguration(of(
            _ -> {
                awaitUninterrupted(go);
                told.incrementAndGet();
            }, false)));
        for (int key = 0; key < EventQueue.CAPACITY; key++) {
            cache.put(key, 1L);
        }
        CacheException e = assertThrows(CacheException.class, () -> cache.put(-1, 1L));
        assertTrue(e.getMessage().contains("late"), e.getMessage());
        assertNull(cache.get(-1));
        go.countDown();
        Workers.await("all events", () -> told.get() == EventQueue.CAPACITY);
        cache.put(-1, 1L);
        assertEquals(1L, cache.get(-1));
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void asynchronousListener_thatFails_hearsTheNextEvent() {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        AtomicInteger uncaught = new AtomicInteger();
        Thread.setDefaultUncaughtExceptionHandler((_, _) -> uncaught.incrementAndGet());
        try {
            List<Long> told = new CopyOnWriteArrayList<>();
            CacheEntryUpdatedListener<Integer, Long> listener = events -> events.forEach(event -> {
                told.add(event.getOldValue());
                if (event.getValue() == 2) {
                    throw new IllegalStateException("broken");
                }
            });
            TeffCache<Integer, Long> cache = test.cache("fails", configuration().addCacheEntryListenerConfiguration(
                new MutableCacheEntryListenerConfiguration<>(() -> listener, null, true, false)));
            cache.put(1, 1L);
            cache.put(1, 2L);
            cache.put(1, 3L);
            Workers.await("both events", () -> told.size() == 2);   // a close waits for them for 200 ms only
            cache.close();
            assertEquals(List.of(1L, 2L), told);
            Workers.await("the handler", () -> uncaught.get() == 1);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }
}
