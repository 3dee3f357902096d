package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.util.AbstractCollection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: bulk operations and iterators of maps and their views never remove or replace a value that they have not
 * tested. Method: a test that changes the entry at the moment in which another thread could do it, on each kind of map;
 * and threads that count in entries, which other threads remove when they are zero.
 */
@Tag("modes")
final class MapRemovalTest {
    private static final long KEY = 7;
    private static final int KEYS = 16;
    private static final int THREADS = 4;
    private static final int ROUNDS = Form.size(1_000, 100_000);

    private final Store store = Stores.open();

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    /** A kind of map. */
    private record Kind(String name) {
        ConcurrentMap<Long, String> open(Store store) {
            return switch (name) {
                case "map" -> store.map(name, Codecs.of(Long.class), Codecs.STRING);
                case "longMap" -> store.longMap(name, Codecs.STRING);
                case "sortedMap" -> store.sortedMap(name, Codecs.LONG, Codecs.STRING, Comparator.reverseOrder());
                case "sortedLongMap" -> store.sortedLongMap(name, Codecs.STRING);
                case "subMap" -> sorted(store).subMap(0L, 100L);
                case "descendingMap" -> sorted(store).descendingMap();
                default -> throw new AssertionError(name);
            };
        }

        private ConcurrentNavigableMap<Long, String> sorted(Store store) {
            return store.sortedLongMap(name, Codecs.STRING);
        }
    }

    static Stream<Kind> kinds() {
        return Stream.of("map", "longMap", "sortedMap", "sortedLongMap", "subMap", "descendingMap").map(Kind::new);
    }

    /** Values of which some lie in chunks of their own. */
    private static List<String> values() {
        return List.of("", "short", "long".repeat(300));
    }

    // ---- one moment ----

    /** An operation on a map that shall remove the entries whose value a test accepts. */
    private interface Removal {
        boolean run(ConcurrentMap<Long, String> map, Predicate<String> test);
    }

    /** A collection that contains what a test accepts. */
    private static <T> AbstractCollection<T> containing(Predicate<Object> test) {
        return new AbstractCollection<>() {
            @Override
            public boolean contains(Object other) {
                return test.test(other);
            }

            @Override
            public Iterator<T> iterator() {
                throw new UnsupportedOperationException();
            }

            @Override
            public int size() {
                return 0;
            }
        };
    }

    @SuppressWarnings("CollectionIncompatibleType")
    private static final List<Removal> REMOVALS = List.of(
        (map, test) -> map.values().removeIf(test),
        (map, test) -> map.entrySet().removeIf(entry -> test.test(entry.getValue())),
        (map, test) -> map.values().removeAll(containing(other -> test.test((String) other))),
        (map, test) -> map.values().retainAll(containing(other -> !test.test((String) other))),
        (map, test) -> map.entrySet().retainAll(containing(
            other -> !test.test((String) ((Entry<?, ?>) other).getValue()))),
        (map, test) -> map.values().remove(new Object() {
            @Override
            @SuppressWarnings("EqualsUnsafeCast")
            public boolean equals(Object other) {
                return test.test((String) other);
            }

            @Override
            public int hashCode() {
                return 0;
            }
        }));

    private static void forEachPair(BiConsumer<String, String> action) {
        for (String first : values()) {
            for (String second : values()) {
                if (!first.equals(second)) {
                    action.accept(first, second);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aValueThatWasPutDuringTheTest_isTestedItself(Kind kind) {
        ConcurrentMap<Long, String> map = kind.open(store);
        for (Removal removal : REMOVALS) {
            forEachPair((first, second) -> {
                map.put(KEY, first);
                assertFalse(removal.run(map, value -> {
                    map.put(KEY, second);
                    return value.equals(first);
                }));
                assertEquals(second, map.get(KEY));
                assertTrue(removal.run(map, value -> {
                    map.put(KEY, first);
                    return true;
                }));
                assertTrue(map.isEmpty());
            });
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void anEntryThatWasRemovedDuringTheTest_isNotRemovedByIt(Kind kind) {
        ConcurrentMap<Long, String> map = kind.open(store);
        for (Removal removal : REMOVALS) {
            map.put(KEY, "value");
            assertFalse(removal.run(map, _ -> {
                map.remove(KEY);
                return true;
            }));
        }
        assertFalse(map.keySet().removeIf(_ -> {
            map.remove(KEY);
            return true;
        }));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void bulkRemovals_removeWhatTheyAccept(Kind kind) {
        ConcurrentMap<Long, String> map = kind.open(store);
        for (Removal removal : REMOVALS.subList(0, REMOVALS.size() - 1)) {
            for (long key = 0; key < KEYS; key++) {
                map.put(key, values().get((int) key % 3) + key);
            }
            assertTrue(removal.run(map, value -> value.startsWith("long") || value.equals("0")));
            assertEquals(KEYS - KEYS / 3 - 1, map.size());
            assertFalse(removal.run(map, value -> value.startsWith("long")));
            assertTrue(map.keySet().retainAll(List.of(1L, 3L)));
            assertEquals(Map.of(1L, "short1", 3L, "3"), map);
            assertTrue(map.keySet().removeIf(key -> key == 1));
            map.clear();
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void iterators_removeTheValueThatTheyHaveShown(Kind kind) {
        ConcurrentMap<Long, String> map = kind.open(store);
        forEachPair((first, second) -> {
            map.put(KEY, first);
            Iterator<String> values = map.values().iterator();
            values.next();
            map.put(KEY, second);
            values.remove();
            assertEquals(second, map.get(KEY));
            Iterator<Entry<Long, String>> entries = map.entrySet().iterator();
            entries.next();
            map.put(KEY, first);
            entries.remove();
            assertEquals(first, map.get(KEY));
            entries = map.entrySet().iterator();
            assertEquals(first, entries.next().setValue(second));
            entries.remove();
            assertTrue(map.isEmpty());
            map.put(KEY, first);
            Iterator<Long> keys = map.keySet().iterator();
            keys.next();
            map.put(KEY, second);
            keys.remove();
            assertTrue(map.isEmpty());
        });
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void setValue_returnsWhatItReplaces_andCreatesNothing(Kind kind) {
        ConcurrentMap<Long, String> map = kind.open(store);
        map.put(KEY, "shown");
        Entry<Long, String> entry = map.entrySet().iterator().next();
        map.put(KEY, "newer");
        assertEquals("newer", entry.setValue("newest"));
        assertEquals("newest", entry.getValue());
        map.remove(KEY);
        assertNull(entry.setValue("late"));
        assertEquals("newest", entry.getValue());
        assertTrue(map.isEmpty());
        assertThrows(NullPointerException.class, () -> entry.setValue(null));
    }

    @Test
    void valuesWithoutEquals_areComparedByTheirBytes() {
        ChunkMap<String, byte[]> map = store.map("arrays", Codecs.STRING, Codecs.BYTES);
        map.put("a", new byte[]{1});
        map.put("b", new byte[]{2});
        assertTrue(map.values().removeIf(value -> value[0] == 1));
        Iterator<byte[]> iterator = map.values().iterator();
        iterator.next();
        iterator.remove();
        assertTrue(map.isEmpty());
        assertThrows(IllegalStateException.class, iterator::remove);
    }

    // ---- many threads ----

    /**
     * Each thread adds to entries and subtracts from them, and removes those that are zero. No addition is lost, so the
     * sum of all entries is the sum of all additions.
     */
    @ParameterizedTest
    @MethodSource("kinds")
    void updatesBesideRemovals_areKept(Kind kind) throws InterruptedException {
        ConcurrentMap<Long, String> map = kind.open(store);
        long seed = Seed.first();
        AtomicLong sum = new AtomicLong();
        Threads.runAll(THREADS, number -> {
            SplittableRandom random = Seed.random(seed + number);
            for (int round = 0; round < ROUNDS; round++) {
                if (random.nextInt(4) == 0) {
                    REMOVALS.get(random.nextInt(REMOVALS.size())).run(map, MapRemovalTest::isZero);
                } else {
                    int added = random.nextInt(3) - 1;
                    map.merge((long) random.nextInt(2), text(added), (x, y) -> text(number(x) + number(y)));
                    sum.addAndGet(added);
                }
            }
        });
        assertEquals(sum.get(), map.values().stream().mapToLong(MapRemovalTest::number).sum(), "seed " + seed);
    }

    private static boolean isZero(String text) {
        return number(text) == 0;
    }

    private static String text(long number) {
        return number + " ".repeat((int) (number & 1) * 600);
    }

    private static long number(String text) {
        return Long.parseLong(text.trim());
    }
}
