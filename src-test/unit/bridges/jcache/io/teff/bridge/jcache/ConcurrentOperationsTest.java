package io.teff.bridge.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.Duration;
import javax.cache.expiry.TouchedExpiryPolicy;
import javax.cache.integration.CacheLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: under eight threads on few keys no update is lost, and listeners hear of all changes of a key in their order.
 *
 * <p>Method: each way of adding one must add up. A listener keeps a model of the cache from the events alone; each
 * event must follow from the one before it, and in the end the model must be what the cache has.
 */
@Tag("modes")
final class ConcurrentOperationsTest {
    private static final int THREADS = 8;
    private static final int OPERATIONS = 6_000;
    private static final int KEYS = 5;

    private final TestManager test = new TestManager();

    @AfterEach
    void close() {
        test.close();
    }

    private static MutableConfiguration<Integer, Long> configuration() {
        return TestManager.types(Integer.class, Long.class);
    }

    @Test
    void addingInAllWays_losesNothing() throws InterruptedException {
        TeffCache<Integer, Long> cache = test.cache("sums", configuration());
        AtomicLongArray added = new AtomicLongArray(KEYS);
        Workers.runAll(THREADS, number -> {
            SplittableRandom random = new SplittableRandom(number);
            for (int i = 0; i < OPERATIONS; i++) {
                int key = random.nextInt(KEYS);
                added.addAndGet(key, add(cache, key, random.nextInt(5)));
            }
        });
        for (int key = 0; key < KEYS; key++) {
            assertEquals(added.get(key), cache.get(key), "key " + key);
        }
    }

    /** Adds to a key in one of several ways; how much was added. */
    private static long add(TeffCache<Integer, Long> cache, int key, int way) {
        switch (way) {
            case 0 -> {
                return cache.putIfAbsent(key, 1L) ? 1 : 0;
            }
            case 1 -> {
                Long before = cache.get(key);
                return before != null && cache.replace(key, before, before + 1) ? 1 : 0;
            }
            case 2 -> {
                Long taken = cache.getAndRemove(key);               // what is taken out is brought back at once
                if (taken != null) {
                    bring(cache, key, taken + 1);
                }
                return taken != null ? 1 : 0;
            }
            case 3 -> {
                Long before = cache.get(key);
                if (before != null && cache.remove(key, before)) {
                    bring(cache, key, before + 1);
                    return 1;
                }
                return 0;
            }
            default -> {
                bring(cache, key, 1);
                return 1;
            }
        }
    }

    private static void bring(TeffCache<Integer, Long> cache, int key, long amount) {
        cache.invoke(key, (entry, _) -> {
            Long before = entry.getValue();
            entry.setValue(before == null ? amount : before + amount);
            return null;
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void mixedOperations_listenersHearAllInOrder(boolean synchronous) throws InterruptedException {
        ChainListener listener = new ChainListener();
        TeffCache<Integer, Long> cache = test.cache("chain", configuration()
            .addCacheEntryListenerConfiguration(listener.configuration(synchronous))
            .setExpiryPolicyFactory(TouchedExpiryPolicy.factoryOf(new Duration(TimeUnit.MILLISECONDS, 3))));
        Workers.runAll(THREADS, number -> {
            SplittableRandom random = new SplittableRandom(number + 100);
            for (int i = 0; i < OPERATIONS; i++) {
                mixed(cache, random);
            }
        });
        test.manager.sweeper().round();
        Map<Integer, Long> content = ChainListener.content(cache);
        cache.close();                                          // after the last event was delivered
        assertEquals(List.of(), List.copyOf(listener.breaks));
        assertEquals(content, listener.model);
        assertTrue(listener.expired.get() > 0, "nothing has ever expired");
    }

    private void mixed(TeffCache<Integer, Long> cache, SplittableRandom random) {
        int key = random.nextInt(KEYS);
        long value = random.nextLong(1_000_000);
        switch (random.nextInt(12)) {
            case 0 -> cache.put(key, value);
            case 1 -> cache.getAndPut(key, value);
            case 2 -> cache.putIfAbsent(key, value);
            case 3 -> cache.remove(key);
            case 4 -> cache.getAndRemove(key);
            case 5 -> cache.replace(key, value);
            case 6 -> cache.putAll(Map.of(key, value, (key + 1) % KEYS, value + 1));
            case 7 -> cache.removeAll(Set.of(key, (key + 2) % KEYS));
            case 8 -> cache.get(key);
            case 9 -> cache.invoke(key, (entry, _) -> {
                if (entry.exists() && (value & 1) != 0) {
                    entry.remove();
                } else {
                    entry.setValue(value);
                }
                return null;
            });
            case 10 -> cache.iterator().forEachRemaining(entry -> assertTrue(entry.getKey() < KEYS));
            default -> test.clock.pass(1);
        }
    }

    @Test
    void missingKey_askedForByAll_isLoadedOnce() throws InterruptedException {
        AtomicLong loads = new AtomicLong();
        CacheLoader<Integer, Long> loader = new CacheLoader<>() {
            @Override
            public Long load(Integer key) {
                return loads.incrementAndGet();
            }

            @Override
            public Map<Integer, Long> loadAll(Iterable<? extends Integer> keys) {
                loads.incrementAndGet();
                return Map.of(keys.iterator().next(), loads.get());
            }
        };
        TeffCache<Integer, Long> cache = test.cache("loads", configuration().setReadThrough(true)
            .setCacheLoaderFactory(() -> loader));
        for (int key = 0; key < 200; key++) {
            int asked = key;
            long before = loads.get();
            Workers.runAll(4, number -> {
                long value = number % 2 == 0 ? cache.get(asked) : cache.getAll(Set.of(asked)).get(asked);
                assertEquals(before + 1, value);
            });
            assertEquals(before + 1, loads.get());
        }
    }

    /** A replacement makes no entry, so after a clear there is none, however the two meet. */
    @Test
    void clear_whileOthersReplace_leavesNothing() throws InterruptedException {
        TeffCache<Integer, Long> cache = test.cache("clears", configuration());
        for (int round = 0; round < 200; round++) {
            cache.put(1, 0L);
            Workers.runAll(4, number -> {
                if (number == 0) {
                    cache.clear();
                }
                for (long value = 1; value < 100_000 && cache.replace(1, value); value++) {
                    Thread.onSpinWait();                        // ends with the clear, unless that has failed
                }
            });
            assertEquals(Map.of(), ChainListener.content(cache), "round " + round);
        }
    }
}
