package io.teff.engine.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.engine.Store;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: any sequence of operations leaves a cache equal to a map of entries with deadlines, at each moment of a manual
 * clock. Each value that leaves the cache is reported once, with its cause.
 *
 * <p>Method: swarm. Each seed draws its own weights of operations. After the sequence, all entries are removed, and the
 * reported values are compared as a whole.
 */
final class CacheModelTest {
    private static final int SEQUENCES = Form.size(4, 20, 60);
    private static final int STEPS = Form.size(3_000, 10_000, 30_000);
    private static final int OPERATIONS = 14;
    private static final int KEYS = 60;
    private static final long WRITE_MS = 200;
    private static final long ACCESS_MS = 90;

    /** Settings of expiry. */
    enum Expiry implements CacheReference.Rule {
        /** After each write. */
        WRITE {
            @Override
            CacheBuilder<?, String> set(CacheBuilder<?, String> builder) {
                return builder.expireAfterWrite(Duration.ofMillis(WRITE_MS));
            }

            @Override
            public long written(String value, long nowMs) {
                return nowMs + WRITE_MS;
            }
        },
        /** After each access. */
        ACCESS {
            @Override
            CacheBuilder<?, String> set(CacheBuilder<?, String> builder) {
                return builder.expireAfterAccess(Duration.ofMillis(ACCESS_MS));
            }

            @Override
            public long written(String value, long nowMs) {
                return nowMs + ACCESS_MS;
            }

            @Override
            public long read(CacheReference.Entry entry, long nowMs) {
                return nowMs + ACCESS_MS;
            }
        },
        /** Whichever is earlier. */
        BOTH {
            @Override
            CacheBuilder<?, String> set(CacheBuilder<?, String> builder) {
                return builder.expireAfterAccess(Duration.ofMillis(ACCESS_MS))
                    .expireAfterWrite(Duration.ofMillis(WRITE_MS));
            }

            @Override
            public long written(String value, long nowMs) {
                return nowMs + ACCESS_MS;
            }

            @Override
            public long read(CacheReference.Entry entry, long nowMs) {
                return Math.min(nowMs + ACCESS_MS, entry.writtenMs() + WRITE_MS);
            }
        },
        /** A function decides; a value tells how long it lives. */
        LIFETIME {
            @Override
            CacheBuilder<?, String> set(CacheBuilder<?, String> builder) {
                return builder.expireBy((_, value) -> lifetimeMs(value) == 0 ? null
                    : Duration.ofMillis(lifetimeMs(value)));
            }

            @Override
            public long written(String value, long nowMs) {
                return lifetimeMs(value) == 0 ? CacheReference.NEVER : nowMs + lifetimeMs(value);
            }
        },
        /** Entries have deadlines of their own, or none. */
        ENTRY {
            @Override
            CacheBuilder<?, String> set(CacheBuilder<?, String> builder) {
                return builder.expirePerEntry();
            }

            @Override
            public long written(String value, long nowMs) {
                return CacheReference.NEVER;
            }
        };

        abstract CacheBuilder<?, String> set(CacheBuilder<?, String> builder);

        @Override
        public long read(CacheReference.Entry entry, long nowMs) {
            return entry.deadlineMs();
        }

        private static long lifetimeMs(String value) {
            return Math.floorMod(value.hashCode(), 5) * 50L;
        }
    }

    @ParameterizedTest
    @EnumSource
    void anySequence_equalsTheReference(Expiry expiry) {
        long first = Seed.first();
        for (long seed = first; seed < first + SEQUENCES; seed++) {
            try {
                if (seed % 2 == 0) {
                    new Run<>(expiry, Codecs.LONG, key -> key, seed).run();
                } else {
                    new Run<>(expiry, Codecs.STRING, key -> key + "k".repeat(key % 20 == 0 ? 600 : 3), seed).run();
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(Seed.reproduce(CacheModelTest.class, seed), e);
            }
        }
    }

    /** One sequence. */
    private static final class Run<K> {
        private final CacheReference reference;
        private final Codec<K> codec;
        private final Expiry expiry;
        private final LongFunction<K> keys;
        private final SplittableRandom random;
        private final int[] weights;
        private final ManualTime time;
        private final List<String> heard = new ArrayList<>();
        private int values;

        Run(Expiry expiry, Codec<K> codec, LongFunction<K> keys, long seed) {
            this.expiry = expiry;
            this.codec = codec;
            this.keys = keys;
            reference = new CacheReference(expiry);
            random = Seed.random(seed);
            weights = random.ints(OPERATIONS, 0, 10).toArray();
            weights[0]++;
            time = new ManualTime(random.nextLong(1L << 50));
        }

        @SuppressWarnings("unchecked")
        private CacheMap<K, String> open(Store store) {
            CacheBuilder<K, String> builder = CacheMap.builder(codec, Codecs.STRING).clock(time)
                .listener((_, value, cause) -> heard.add(value + ' ' + cause));
            return ((CacheBuilder<K, String>) expiry.set(builder)).open(store, "cache");
        }

        void run() {
            try (Store store = Store.open()) {
                CacheMap<K, String> cache = open(store);
                for (int step = 0; step < STEPS; step++) {
                    try {
                        step(cache);
                    } catch (RuntimeException | AssertionError e) {
                        throw new AssertionError("step " + step, e);
                    }
                    if (random.nextInt(1_000) == 0) {
                        cache.close();
                        cache = open(store);
                    }
                }
                compareAll(cache);
                cache.audit();
                cache.clear();
                reference.all(time.millis()).keySet().forEach(key -> reference.remove(key, time.millis()));
                assertEquals(0, cache.longSize());
                Collections.sort(heard);
                Collections.sort(reference.left);
                assertEquals(reference.left, heard);
                store.audit();
            }
        }

        private int pick() {
            int at = random.nextInt(Arrays.stream(weights).sum());
            int operation = 0;
            while (at >= weights[operation]) {
                at -= weights[operation++];
            }
            return operation;
        }

        private String value() {
            return values++ + "v".repeat(random.nextInt(100) == 0 ? 700 : random.nextInt(9));
        }

        private void step(CacheMap<K, String> cache) {
            K key = keys.apply(random.nextLong(KEYS));
            long nowMs = time.millis();
            String value = value();
            switch (pick()) {
                case 0 -> assertEquals(reference.put(key, value, nowMs), cache.put(key, value));
                case 1 -> assertEquals(reference.put(key, value, nowMs) == null, cache.set(key, value));
                case 2 -> assertEquals(reference.get(key, nowMs), cache.get(key));
                case 3 -> assertEquals(reference.remove(key, nowMs), cache.remove(key));
                case 4 -> assertEquals(reference.remove(key, nowMs) != null, cache.delete(key));
                case 5 -> time.advance(random.nextInt(60));
                case 6 -> assertEquals(reference.peek(key, nowMs), cache.peek(key));
                case 7 -> putWithLifetime(cache, key, value, nowMs);
                case 8 -> expireAfter(cache, key, nowMs);
                case 9 -> merge(cache, key, value, nowMs);
                case 10 -> {
                    if (random.nextInt(50) == 0) {
                        compareAll(cache);
                    }
                }
                case 11 -> cache.cleanUp();
                case 12 -> {
                    String before = reference.peek(key, nowMs);
                    assertEquals(before != null && reference.remove(key, nowMs) != null, before != null
                        && cache.remove(key, before));
                }
                default -> {
                    String before = reference.peek(key, nowMs);
                    boolean isReplaced = before != null && cache.replace(key, before, value);
                    assertEquals(before != null, isReplaced);
                    if (isReplaced) {
                        reference.put(key, value, nowMs);
                    }
                }
            }
        }

        private void putWithLifetime(CacheMap<K, String> cache, K key, String value, long nowMs) {
            long lifetimeMs = random.nextInt(300);
            assertEquals(reference.put(key, value, nowMs + lifetimeMs, nowMs), cache.put(key, value,
                Duration.ofMillis(lifetimeMs)));
        }

        private void expireAfter(CacheMap<K, String> cache, K key, long nowMs) {
            long leftMs = random.nextInt(100);
            assertEquals(reference.expireAt(key, nowMs + leftMs, nowMs), cache.expireAfter(key,
                Duration.ofMillis(leftMs)));
            assertEquals(reference.peek(key, nowMs) == null ? null : Duration.ofMillis(leftMs), cache.timeLeft(key));
        }

        private void merge(CacheMap<K, String> cache, K key, String value, long nowMs) {
            String before = reference.peek(key, nowMs);
            String expected = before == null ? value : before.length() > 30 ? null : before + value;
            assertEquals(expected, cache.merge(key, value, (old, added) -> old.length() > 30 ? null : old + added));
            if (expected == null) {
                reference.remove(key, nowMs);
            } else {
                reference.put(key, expected, nowMs);
            }
        }

        private void compareAll(CacheMap<K, String> cache) {
            Map<Object, String> seen = new HashMap<>();
            cache.forEach((key, value) -> seen.put(key, Objects.requireNonNull(value)));
            assertEquals(reference.all(time.millis()), seen);
        }
    }
}
