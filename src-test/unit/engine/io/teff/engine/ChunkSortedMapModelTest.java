package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.view.EditScope;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: any sequence of operations leaves a sorted map equal to a TreeMap, whatever the defragmenter does meanwhile.
 *
 * <p>Method: {@link MapModel}; also, neighbours and submaps are compared in both directions. {@code
 * -Dteff.map.sequences} and {@code -Dteff.map.steps} set the size.
 */
@Tag("modes")
@Tag("heavy")
final class ChunkSortedMapModelTest {
    private static final int SEQUENCES = Form.size("teff.map.sequences", 1, 2, 12);
    private static final int STEPS = Form.size("teff.map.steps", 20_000, 45_000, 45_000);
    /** Navigation in both directions, and submaps. */
    private static final int MORE_KINDS = 3;

    /** Types of keys. */
    enum Keys {
        /** Numbers of all sizes. */
        LONG,
        /** Strings, some long, many with a common prefix, some not ASCII. */
        STRING,
        /** Four bytes. */
        INT,
        /** Byte arrays in unsigned order. */
        BYTES,
        /** Strings ordered by length. */
        COMPARED
    }

    @ParameterizedTest
    @EnumSource
    void anySequence_equalsTreeMap(Keys keys) throws InterruptedException {
        long first = Seed.first();
        for (long seed = first; seed < first + SEQUENCES; seed++) {
            try {
                switch (keys) {
                    case LONG -> new Run<>(Codecs.LONG, null, key -> (key - 1000) * 0x1_0001_0001_0001L, seed).run();
                    case STRING -> new Run<>(Codecs.STRING, null, ChunkSortedMapModelTest::string, seed).run();
                    case INT -> new Run<>(Codecs.INT, null, key -> (int) key * 0x9E37_79B1, seed).run();
                    case BYTES -> new Run<>(Codecs.BYTES, null, ChunkSortedMapModelTest::bytes, seed).run();
                    case COMPARED -> new Run<>(Codecs.STRING,
                        Comparator.comparingInt(String::length).thenComparing(Comparator.reverseOrder()),
                        ChunkSortedMapModelTest::string, seed).run();
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                    Seed.reproduce(ChunkSortedMapModelTest.class, seed, "-Dteff.map.sequences=1"), e);
            }
        }
    }

    private static String string(long key) {
        String common = switch ((int) key % 5) {
            case 0 -> "";
            case 1 -> "customer/";
            case 2 -> "\u2603\uD83D\uDE00";
            case 3 -> "\u00E9\u0000";
            default -> "a";
        };
        return common + Long.toString(key, 36) + "k".repeat((int) (key % 97 == 0 ? 460 : key % 9));
    }

    private static byte[] bytes(long key) {
        byte[] bytes = new byte[(int) (key % 13)];
        Arrays.fill(bytes, (byte) (key % 3 - 1));
        if (bytes.length > 1) {
            bytes[bytes.length - 1] = (byte) key;
        }
        return bytes;
    }

    /** One sequence of operations. */
    private static final class Run<K> extends MapModel<K, ChunkSortedMap<K, byte[]>, NavigableMap<K, byte[]>> {
        private final Codec<K> codec;
        private final Comparator<K> comparator;

        Run(Codec<K> codec, Comparator<K> comparator, LongFunction<K> maker, long seed) {
            super(maker, seed, STEPS, MORE_KINDS);
            this.codec = codec;
            this.comparator = comparator;
        }

        @Override
        ChunkSortedMap<K, byte[]> open(Store from, String name) {
            return comparator == null ? from.sortedMap(name, codec, Codecs.BYTES)
                : from.sortedMap(name, codec, Codecs.BYTES, comparator);
        }

        @Override
        NavigableMap<K, byte[]> empty() {
            return new TreeMap<>(map.comparator());
        }

        @Override
        boolean update(K key, EditScope scope) {
            return map.update(key, scope);
        }

        @Override
        void more(int kind, K key) {
            switch (kind) {
                case 0 -> navigate(model, map, key);
                case 1 -> navigate(model.descendingMap(), map.descendingMap(), key);
                default -> {
                    if (random.nextInt(8) == 0) {
                        part();
                    }
                }
            }
        }

        private void navigate(NavigableMap<K, byte[]> expected, NavigableMap<K, byte[]> actual, K key) {
            switch (random.nextInt(8)) {
                case 0 -> same(expected.lowerEntry(key), actual.lowerEntry(key));
                case 1 -> same(expected.floorEntry(key), actual.floorEntry(key));
                case 2 -> same(expected.ceilingEntry(key), actual.ceilingEntry(key));
                case 3 -> same(expected.higherEntry(key), actual.higherEntry(key));
                case 4 -> same(expected.firstEntry(), actual.firstEntry());
                case 5 -> same(expected.lastEntry(), actual.lastEntry());
                case 6 -> same(expected.pollFirstEntry(), actual.pollFirstEntry());
                default -> same(expected.pollLastEntry(), actual.pollLastEntry());
            }
        }

        private void same(Entry<K, byte[]> expected, Entry<K, byte[]> actual) {
            if (expected == null) {
                assertNull(actual);
            } else {
                sameKey(expected.getKey(), actual.getKey());
                assertArrayEquals(expected.getValue(), actual.getValue());
            }
        }

        private void sameKey(K expected, K actual) {
            if (expected instanceof byte[] bytes) {
                assertArrayEquals(bytes, (byte[]) actual);
            } else {
                assertEquals(expected, actual);
            }
        }

        @SuppressWarnings("unchecked")
        private Comparator<? super K> comparator() {
            return model.comparator() != null ? model.comparator() : (Comparator<K>) Comparator.naturalOrder();
        }

        private void part() {
            K from = key();
            K end = key();
            if (comparator().compare(from, end) > 0) {
                K other = from;
                from = end;
                end = other;
            }
            boolean fromIn = random.nextBoolean();
            boolean endIn = random.nextBoolean();
            NavigableMap<K, byte[]> expected;
            NavigableMap<K, byte[]> actual;
            switch (random.nextInt(3)) {
                case 0 -> {
                    expected = model.headMap(end, endIn);
                    actual = map.headMap(end, endIn);
                }
                case 1 -> {
                    expected = model.tailMap(from, fromIn);
                    actual = map.tailMap(from, fromIn);
                }
                default -> {
                    expected = model.subMap(from, fromIn, end, endIn);
                    actual = map.subMap(from, fromIn, end, endIn);
                }
            }
            if (random.nextBoolean()) {
                expected = expected.descendingMap();
                actual = actual.descendingMap();
            }
            sameAll(expected, actual);
            navigate(expected, actual, key());
            if (random.nextInt(20) == 0) {
                actual.clear();
                expected.clear();
                assertTrue(actual.isEmpty());
            }
        }

        private void sameAll(NavigableMap<K, byte[]> expected, NavigableMap<K, byte[]> actual) {
            assertEquals(expected.size(), actual.size());
            Iterator<Entry<K, byte[]>> entries = actual.entrySet().iterator();
            for (Entry<K, byte[]> entry : expected.entrySet()) {
                assertTrue(entries.hasNext());
                same(entry, entries.next());
            }
            assertFalse(entries.hasNext());
        }

        @Override
        Iterator<K> keys() {
            return (random.nextBoolean() ? map.keySet() : map.descendingKeySet()).iterator();
        }

        @Override
        void compareAll() {
            sameAll(model, map);
            sameAll(model.descendingMap(), map.descendingMap());
        }

        @Override
        void checkCleared() {
            assertTrue(map.memoryBytes() < 20_000, "left after clear: " + map.memoryBytes());
        }
    }
}
