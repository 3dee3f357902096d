package io.teff.engine.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Threads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Loads and refreshes of a cache. */
final class CacheLoadTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Store store = Store.open();
    private final ManualTime time = new ManualTime(0);
    private final AtomicInteger loads = new AtomicInteger();
    private final Deque<Runnable> background = new ArrayDeque<>();

    @AfterEach
    void close() {
        store.close();
    }

    private CacheBuilder<String, String> builder() {
        return CacheMap.builder(Codecs.STRING, Codecs.STRING).clock(time).withStatistics();
    }

    private CacheMap<String, String> refreshing() {
        return builder().refreshAfterWrite(MINUTE, background::add).loader(key -> key + loads.incrementAndGet())
            .open(store, "cache");
    }

    @Test
    void absentValue_isLoadedOnce_andStored() {
        CacheMap<String, String> cache = builder().loader(key -> key + loads.incrementAndGet()).open(store, "cache");
        assertEquals("a1", cache.getOrLoad("a"));
        assertEquals("a1", cache.getOrLoad("a"));
        assertEquals(Map.of("a", "a1", "b", "b2"), cache.getAllOrLoad(List.of("a", "b")));
        assertEquals("c!", cache.getOrLoad("c", key -> key + "!"));
        assertEquals(3, cache.statistics().loads());
    }

    @Test
    void loaderThatReturnsNull_storesNothing() {
        CacheMap<String, String> cache = builder().open(store, "cache");
        assertNull(cache.getOrLoad("a", _ -> null));
        assertEquals(0, cache.longSize());
        assertEquals(1, cache.statistics().failedLoads());
        assertThrows(IllegalStateException.class, () -> cache.getOrLoad("a"));
        assertThrows(IllegalStateException.class, () -> cache.refresh("a"));
    }

    @Test
    void manyCallers_waitForOneLoad() throws InterruptedException {
        CacheMap<String, String> cache = builder().open(store, "cache");
        CountDownLatch waiting = new CountDownLatch(3);
        Threads.runAll(4, number -> {
            if (number == 0) {
                cache.getOrLoad("a", key -> {
                    Threads.await("callers", () -> waiting.getCount() == 0);
                    return key + loads.incrementAndGet();
                });
            } else {
                waiting.countDown();
                cache.getOrLoad("a", key -> key + loads.incrementAndGet());
            }
        });
        assertEquals(1, loads.get());
        assertEquals("a1", cache.get("a"));
    }

    @Test
    void failureOfALoad_isThatOfItsCallers_andIsNotKept() {
        CacheMap<String, String> cache = builder().open(store, "cache");
        IllegalArgumentException failure = new IllegalArgumentException("loader");
        assertSame(failure, assertThrows(IllegalArgumentException.class, () -> cache.getOrLoad("a", _ -> {
            throw failure;
        })));
        assertEquals("b", cache.getOrLoad("a", _ -> "b"));
    }

    @Test
    void loaderThatAsksForItsOwnKey_isRefused() {
        CacheMap<String, String> cache = builder().open(store, "cache");
        assertThrows(IllegalStateException.class, () -> cache.getOrLoad("a", key -> cache.getOrLoad(key, _ -> "b")));
        assertEquals("c", cache.getOrLoad("a", _ -> cache.getOrLoad("b", _ -> "c")));
    }

    @Test
    void changeDuringALoad_winsOverTheLoad() {
        CacheMap<String, String> cache = builder().open(store, "cache");
        assertEquals("old", cache.getOrLoad("put", key -> {
            cache.put(key, "new");
            return "old";
        }));
        assertEquals("new", cache.get("put"));
        assertEquals("old", cache.getOrLoad("removed", key -> {
            cache.remove(key);
            return "old";
        }));
        assertNull(cache.get("removed"));
        assertEquals("old", cache.getOrLoad("cleared", _ -> {
            cache.clear();
            return "old";
        }));
        assertNull(cache.get("cleared"));
        assertEquals("old", cache.getOrLoad("closed", _ -> {
            cache.close();
            return "old";
        }));
        assertNull(builder().open(store, "cache").get("closed"));
    }

    @Test
    void oldValue_isReadWhileItIsLoadedAgain() {
        CacheMap<String, String> cache = refreshing();
        cache.put("a", "first");
        time.advance(MINUTE.toMillis() - 1);
        cache.get("a");
        assertTrue(background.isEmpty());
        time.advance(1);
        assertEquals("first", cache.get("a"));
        assertEquals("first", cache.get("a"));
        assertEquals(1, background.size());
        background.remove().run();
        assertEquals("a1", cache.get("a"));
        assertTrue(background.isEmpty());
    }

    @Test
    void refreshThatIsOlderThanAChange_isNotStored() {
        CacheMap<String, String> cache = refreshing();
        cache.put("a", "first");
        CompletableFuture<String> end = cache.refresh("a");
        cache.put("a", "second");
        background.remove().run();
        assertEquals("a1", end.join());
        assertEquals("second", cache.get("a"));
    }

    @Test
    void refreshThatFindsNothing_removesTheEntry() {
        CacheMap<String, String> cache = builder().loader(_ -> null).open(store, "cache");
        cache.put("a", "first");
        assertNull(cache.refresh("a").join());
        assertNull(cache.get("a"));
    }

    @Test
    void refreshThatFails_keepsTheValue_andIsTriedAgain() {
        CacheMap<String, String> cache = builder().refreshAfterWrite(MINUTE, background::add).loader(key -> {
            if (loads.incrementAndGet() == 1) {
                throw new IllegalArgumentException("loader");
            }
            return key;
        }).open(store, "cache");
        cache.put("a", "first");
        CompletableFuture<String> end = cache.refresh("a");
        background.remove().run();
        assertThrows(CompletionException.class, end::join);
        time.advance(MINUTE.toMillis());
        assertEquals("first", cache.get("a"));
        background.remove().run();
        assertEquals("a", cache.get("a"));
    }

    @Test
    void executorThatRefuses_letsALaterReadTryAgain() {
        CacheMap<String, String> cache = builder().refreshAfterWrite(MINUTE, task -> {
            if (loads.incrementAndGet() == 1) {
                throw new RejectedExecutionException("full");
            }
            task.run();
        }).loader(key -> key).open(store, "cache");
        cache.put("a", "first");
        time.advance(MINUTE.toMillis());
        assertEquals("first", cache.get("a"));
        assertEquals("first", cache.get("a"));
        assertEquals("a", cache.get("a"));
    }
}
