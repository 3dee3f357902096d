package io.teff.bridge.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.integration.CacheLoader;
import javax.cache.integration.CompletionListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Goal: what is closed refuses everything with the same exception, at any moment, and gives back what it held. */
@Tag("modes")
final class CloseTest {
    private static final int THREADS = 8;

    private final TestManager test = new TestManager();

    @AfterEach
    void close() {
        test.close();
    }

    private static MutableConfiguration<Integer, String> configuration() {
        return TestManager.types(Integer.class, String.class);
    }

    // ---- while others work ----

    @RepeatedTest(4)
    void cache_closedWhileOthersUseIt_refusesOrWorks() throws InterruptedException {
        TeffCache<Integer, String> cache = test.cache("busy", configuration());
        workUntilClosed(cache, cache::close);
        assertNull(test.manager.getCache("busy"));
        assertEquals(0, count(test.cache("busy", configuration())), "one of the same name begins empty");
    }

    @RepeatedTest(4)
    void manager_closedWhileOthersUseIt_refusesOrWorks() throws InterruptedException {
        TeffCache<Integer, String> cache = test.cache("busy", configuration());
        workUntilClosed(cache, test.manager::close);
        assertTrue(test.manager.isClosed());
    }

    private static void workUntilClosed(TeffCache<Integer, String> cache, Runnable close) throws InterruptedException {
        Workers.runAll(THREADS, number -> {
            SplittableRandom random = new SplittableRandom(number);
            if (number == 0) {
                try {
                    for (int step = 0; step < 2_000; step++) {
                        use(cache, random);
                    }
                } finally {
                    close.run();                                // so that the others end in any case
                }
            }
            IllegalStateException refusal = assertThrows(IllegalStateException.class, () -> {
                for (;;) {
                    use(cache, random);
                }
            });
            assertTrue(cache.isClosed(), refusal.toString());
        });
    }

    private static void use(TeffCache<Integer, String> cache, SplittableRandom random) {
        int key = random.nextInt(60);
        switch (random.nextInt(8)) {
            case 0 -> cache.remove(key);
            case 1, 2 -> cache.get(key);
            case 3 -> cache.putAll(Map.of(key, "some", key + 1, "value"));
            case 4 -> cache.getAll(Set.of(key, key + 1));
            case 5 -> cache.invoke(key, (entry, _) -> entry.getValue());
            case 6 -> cache.forEach(entry -> assertNotNull(entry.getValue()));
            default -> cache.put(key, "value".repeat(key * 10));
        }
    }

    private static int count(Cache<?, ?> cache) {
        int[] count = new int[1];
        cache.forEach(_ -> count[0]++);
        return count[0];
    }

    // ---- what was held ----

    @Test
    void cache_closed_givesItsMemoryBack() {
        test.cache("first", configuration()).close();           // the directory of names exists from now on
        long chunks = test.store().stats().chunks();
        TeffCache<Integer, String> cache = test.cache("second", configuration());
        for (int key = 0; key < 5_000; key++) {
            cache.put(key, "value " + key);
        }
        assertTrue(test.store().stats().chunks() > chunks + 100);
        cache.close();
        assertEquals(chunks, test.store().stats().chunks());
    }

    @Test
    void closeables_ofTheUser_areAllClosed_evenIfOneThrows() {
        List<String> closed = new ArrayList<>();
        TeffCache<Integer, String> cache = test.cache("closeables", configuration()
            .setCacheLoaderFactory(() -> new ClosingLoader(closed))
            .addCacheEntryListenerConfiguration(new MutableCacheEntryListenerConfiguration<>(
                () -> new ClosingListener(closed), null, false, true)));
        CacheException e = assertThrows(CacheException.class, cache::close);
        assertTrue(e.getMessage().contains("no, I will not"), e.getMessage());
        assertEquals(List.of("listener", "loader"), closed);
        assertTrue(cache.isClosed());
        cache.close();
    }

    /** Cannot be closed. */
    private record ClosingListener(List<String> closed)
        implements CacheEntryCreatedListener<Integer, String>, Closeable {
        @Override
        public void onCreated(Iterable<javax.cache.event.CacheEntryEvent<? extends Integer, ? extends String>> events) {
            throw new AssertionError("nothing was created");
        }

        @Override
        public void close() throws IOException {
            closed.add("listener");
            throw new IOException("no, I will not");
        }
    }

    /** Remembers that it was closed. */
    private record ClosingLoader(List<String> closed) implements CacheLoader<Integer, String>, Closeable {
        @Override
        public String load(Integer key) {
            return "loaded";
        }

        @Override
        public Map<Integer, String> loadAll(Iterable<? extends Integer> keys) {
            return Map.of();
        }

        @Override
        public void close() {
            closed.add("loader");
        }
    }

    // ---- within ----

    @Test
    void listener_thatClosesItsCache_endsTheOperation() {
        for (boolean synchronous : new boolean[] {true, false}) {
            AtomicReference<TeffCache<Integer, String>> cache = new AtomicReference<>();
            CacheEntryCreatedListener<Integer, String> listener = _ -> cache.get().close();
            cache.set(test.cache("suicide " + synchronous, configuration().addCacheEntryListenerConfiguration(
                new MutableCacheEntryListenerConfiguration<>(() -> listener, null, false, synchronous))));
            cache.get().put(1, "one");
            Workers.await("the close", cache.get()::isClosed);
            assertThrows(IllegalStateException.class, () -> cache.get().get(1));
        }
    }

    @Test
    void loadAll_ofACacheClosedInTheMeantime_notifiesTheListener() {
        AtomicReference<TeffCache<Integer, String>> cache = new AtomicReference<>();
        CacheLoader<Integer, String> loader = new CacheLoader<>() {
            @Override
            public String load(Integer key) {
                return "loaded";
            }

            @Override
            public Map<Integer, String> loadAll(Iterable<? extends Integer> keys) {
                cache.get().close();
                return Map.of(1, "loaded");
            }
        };
        cache.set(test.cache("loading", configuration().setCacheLoaderFactory(() -> loader)));
        AtomicReference<Exception> told = new AtomicReference<>();
        AtomicBoolean completed = new AtomicBoolean();
        cache.get().loadAll(Set.of(1), true, new CompletionListener() {
            @Override
            public void onCompletion() {
                completed.set(true);
            }

            @Override
            public void onException(Exception e) {
                told.set(e);
            }
        });
        Workers.await("an answer", () -> told.get() != null || completed.get());
        assertFalse(completed.get());
        assertSame(IllegalStateException.class, told.get().getCause().getClass());
    }
}
