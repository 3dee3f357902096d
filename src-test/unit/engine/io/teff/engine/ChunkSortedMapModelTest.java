package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Codecs;
import io.teff.engine.collect.ChunkSortedMap;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: any sequence of operations leaves a sorted map equal to a TreeMap, whatever the defragmenter does meanwhile.
 *
 * <p>Method: swarm. Each seed draws how many keys there are, how long values are and which operations are frequent, so
 * that some maps are split and joined many times and some have most of their values outside; then it runs them beside a
 * TreeMap. A thread defragments all the time. Now and then the map is audited, compared, parts of it are compared in
 * both directions, and it is found again in a restored store. {@code -Dteff.map.sequences} and {@code -Dteff.map.steps}
 * set the size.
 */
@Tag("modes")
@Tag("heavy")
final class ChunkSortedMapModelTest {
    private static final int SEQUENCES = Integer.getInteger("teff.map.sequences", 12);
    private static final int STEPS = Integer.getInteger("teff.map.steps", 45_000);
    private static final int KINDS = 15;

    /** Which keys. */
    enum Keys {
        /** Numbers of all sizes. */
        LONG,
        /** Strings, some of them long, many of them with the same beginning, some of them not ASCII. */
        STRING,
        /** Four bytes. */
        INT,
        /** Bytes in the order of unsigned ones. */
        BYTES,
        /** Strings by their lengths. */
        COMPARED
    }

    private final MemoryDisk disk = new MemoryDisk();

    private StoreConfig config(SplittableRandom random) {
        return StoreConfig.builder().memoryLimitBytes(192 << 20).defragSlackBytes(0)
            .debugLevel(random.nextInt(4) == 0 ? DebugLevel.CANARIES : DebugLevel.OFF)
            .seams(StoreConfig.defaults().time(), disk, StoreConfig.defaults().background()).build();
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

    /** One sequence. */
    private final class Run<K> {
        private final Codec<K> codec;
        private final Comparator<K> comparator;
        private final LongFunction<K> maker;
        private final SplittableRandom random;
        private NavigableMap<K, byte[]> model;
        private final int keyCount;
        private final int lengthMax;
        private final int[] weights = new int[KINDS];
        private int weightSum;
        private Store store;
        private ChunkSortedMap<K, byte[]> map;

        Run(Codec<K> codec, Comparator<K> comparator, LongFunction<K> maker, long seed) {
            this.codec = codec;
            this.comparator = comparator;
            this.maker = maker;
            random = Seed.random(seed);
            keyCount = 1 + random.nextInt(random.nextBoolean() ? 40 : 6000);
            lengthMax = new int[] {1, 40, 300, 900}[random.nextInt(4)];
            for (int i = 0; i < KINDS; i++) {
                weights[i] = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(8);
                weightSum += weights[i];
            }
            store = Store.open(config(random));
            map = open();
            model = new TreeMap<>(map.comparator());
        }

        private ChunkSortedMap<K, byte[]> open() {
            return comparator == null ? store.sortedMap("model", codec, Codecs.BYTES)
                : store.sortedMap("model", codec, Codecs.BYTES, comparator);
        }

        void run() throws InterruptedException {
            AtomicBoolean done = new AtomicBoolean();
            for (int part = 0; part < 3; part++) {
                Store defragmented = store;
                Threads.Running defragmenter = Threads.start("defragmenter", ignored -> {
                    for (int i = 0; i < 200 || !done.get(); i++) {
                        defragmented.defragment();
                    }
                });
                try {
                    for (int step = 0; step < STEPS / 3; step++) {
                        step(step);
                    }
                } finally {
                    done.set(true);
                    defragmenter.end();
                }
                compare();
                store.audit();
                reopen();
            }
            map.clear();
            model.clear();
            compare();
            assertEquals(0, map.longSize());
            assertTrue(map.memoryBytes() < 20_000, "left after clear: " + map.memoryBytes());
            assertTrue(store.names().drop("model"));
            store.audit();
            store.close();
        }

        private void reopen() {
            Path path = Path.of("map.teff");
            disk.files.clear();
            store.snapshot(path);
            store.close();
            store = Store.restore(path, config(random));
            map = open();
            compare();
        }

        private K key() {
            return maker.apply(random.nextInt(keyCount));
        }

        private void step(int step) {
            K key = key();
            byte[] value = new byte[random.nextInt(20) == 0 ? random.nextInt(1200) : random.nextInt(lengthMax + 1)];
            random.nextBytes(value);
            switch (kind()) {
                case 0 -> assertArrayEquals(model.put(key, value), map.put(key, value));
                case 1 -> assertArrayEquals(model.remove(key), map.remove(key));
                case 2 -> assertArrayEquals(model.get(key), map.get(key));
                case 3 -> {
                    assertEquals(!model.containsKey(key), map.set(key, value));
                    model.put(key, value);
                }
                case 4 -> assertEquals(model.remove(key) != null, map.delete(key));
                case 5 -> assertArrayEquals(model.putIfAbsent(key, value), map.putIfAbsent(key, value));
                case 6 -> assertArrayEquals(model.replace(key, value), map.replace(key, value));
                case 7 -> assertArrayEquals(model.compute(key, (same, old) -> longer(old)),
                    map.compute(key, (same, old) -> longer(old)));
                case 8 -> assertArrayEquals(model.merge(key, value, ChunkSortedMapModelTest::joined),
                    map.merge(key, value, ChunkSortedMapModelTest::joined));
                case 9 -> assertEquals(model.containsKey(key), map.containsKey(key));
                case 10 -> update(key);
                case 11 -> navigate(model, map, key);
                case 12 -> navigate(model.descendingMap(), map.descendingMap(), key);
                case 13 -> {
                    if (random.nextInt(8) == 0) {
                        part();
                    }
                }
                default -> rare(step);
            }
        }

        private int kind() {
            int drawn = random.nextInt(Math.max(weightSum, 1));
            for (int kind = 0; kind < KINDS; kind++) {
                drawn -= weights[kind];
                if (drawn < 0) {
                    return kind;
                }
            }
            return 0;
        }

        private void update(K key) {
            byte[] old = model.get(key);
            boolean there = map.update(key, editor -> {
                assertEquals(old.length, editor.length());
                if (old.length > 0) {
                    editor.putByte(old.length - 1, (byte) 77);
                }
            });
            assertEquals(old != null, there);
            if (old != null && old.length > 0) {
                old[old.length - 1] = 77;
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

        private void rare(int step) {
            switch (random.nextInt(400)) {
                case 0 -> {
                    map.clear();
                    model.clear();
                }
                case 1 -> compare();
                case 2 -> removeSome();
                default -> assertEquals(model.size(), map.size(), "step " + step);
            }
        }

        private void removeSome() {
            Iterator<K> keys = (random.nextBoolean() ? map.keySet() : map.descendingKeySet()).iterator();
            while (keys.hasNext()) {
                K key = keys.next();
                if (random.nextInt(4) > 0) {
                    keys.remove();
                    assertNotNull(model.remove(key));
                }
            }
        }

        private void compare() {
            map.audit();
            assertEquals(model.size(), map.longSize());
            model.forEach((key, value) -> assertArrayEquals(value, map.get(key)));
            sameAll(model, map);
            sameAll(model.descendingMap(), map.descendingMap());
        }
    }

    private static byte[] longer(byte[] old) {
        return old == null ? new byte[] {1} : old.length > 600 ? null : Arrays.copyOf(old, old.length * 3 / 2 + 1);
    }

    private static byte[] joined(byte[] left, byte[] right) {
        byte[] both = Arrays.copyOf(left, Math.min(left.length + right.length, 1000));
        System.arraycopy(right, 0, both, left.length > 1000 ? 0 : Math.min(left.length, both.length),
            Math.max(0, both.length - left.length));
        return both.length > 900 ? null : both;
    }
}
