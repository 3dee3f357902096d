package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.journal.JournaledStores;
import io.teff.test.kit.Content;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.util.AbstractMap;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/**
 * Goal: {@code putAll} of a sorted map leaves what single puts leave, in few records of the journal. Method: random
 * entries beside a TreeMap; prefixes of the records; threads that put, remove and read meanwhile.
 */
final class SortedLoadTest {
    private static final int ROUNDS = Form.size(6, 20, 60);
    private static final int ENTRIES = Form.size(400, 2000, 2000);
    private static final int THREADS = 3;

    private static StoreConfig config() {
        return Stores.small().memoryLimitBytes(128 << 20).build();
    }

    private static byte[] value(SplittableRandom random) {
        return Content.of(random.nextInt(20) == 0 ? 1000 : random.nextInt(90), random.nextInt(1000));
    }

    private static void assertSame(Map<?, byte[]> expected, Map<?, byte[]> actual, long seed) {
        assertEquals(List.copyOf(expected.keySet()), List.copyOf(actual.keySet()), () -> "seed " + seed);
        expected.forEach((key, bytes) -> assertArrayEquals(bytes, actual.get(key), () -> "seed " + seed));
    }

    private static <K> void compare(Codec<K> codec, Comparator<K> comparator, LongFunction<K> keys) {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        try (Store store = Store.open(config())) {
            ChunkSortedMap<K, byte[]> map = comparator == null ? store.sortedMap("it", codec, Codecs.BYTES)
                : store.sortedMap("it", codec, Codecs.BYTES, comparator);
            Map<K, byte[]> model = new TreeMap<>(comparator);
            for (int round = 0; round < ROUNDS; round++) {
                Map<K, byte[]> some = new HashMap<>();
                for (int i = random.nextInt(ENTRIES); i > 0; i--) {
                    some.put(keys.apply(random.nextInt(ENTRIES * 3)), value(random));
                }
                map.putAll(some);
                model.putAll(some);
                for (int i = random.nextInt(ENTRIES); i > 0; i--) {
                    K key = keys.apply(random.nextInt(ENTRIES * 3));
                    assertEquals(model.remove(key) != null, map.delete(key));
                }
                assertSame(model, map, seed);
                map.audit();
            }
            store.audit();
        }
    }

    @Test
    void putAll_ofNumbers_equalsTreeMap() {
        compare(Codecs.LONG, null, key -> (key - 1000) * 0x1_0001_0001L);
    }

    @Test
    void putAll_ofStrings_equalsTreeMap() {
        compare(Codecs.STRING, null, key -> (key % 3 == 0 ? "a common prefix " : "") + Long.toString(key, 7));
    }

    @Test
    void putAll_ofComparedKeys_equalsTreeMap() {
        compare(Codecs.STRING, Comparator.comparingInt(String::length).thenComparing(Comparator.reverseOrder()),
            key -> Long.toString(key, 3));
    }

    /** A map whose keys are equal by their bytes shows the later one of two entries with one key. */
    private static final class Pairs extends AbstractMap<byte[], byte[]> {
        private final Map<byte[], byte[]> all = new LinkedHashMap<>();

        @Override
        public Set<Entry<byte[], byte[]>> entrySet() {
            return all.entrySet();
        }
    }

    @Test
    void putAll_ofEqualKeys_keepsTheLaterEntry() {
        Pairs pairs = new Pairs();
        for (int i = 0; i < 300; i++) {
            pairs.all.put(new byte[] {(byte) (i % 7), 2, 3, 4, 5, 6, 7, 8, 9}, new byte[] {(byte) i, (byte) (i >> 8)});
        }
        try (Store store = Store.open(config())) {
            ChunkSortedMap<byte[], byte[]> map = store.sortedMap("it", Codecs.BYTES, Codecs.BYTES);
            map.putAll(pairs);
            assertEquals(7, map.longSize());
            int number = 0;
            for (byte[] bytes : map.values()) {
                assertEquals(299 - Math.floorMod(299 - number++, 7), bytes[0] & 0xFF | bytes[1] << 8);
            }
        }
    }

    @Test
    void anyPrefixOfRecords_hasTheFirstKeysOfAPutAll() {
        RecordingJournal journal = new RecordingJournal();
        SplittableRandom random = Seed.random(Seed.first());
        Map<Long, byte[]> first = new TreeMap<>();
        Map<Long, byte[]> some = new TreeMap<>();
        for (long key = 0; key < ENTRIES; key++) {
            (key % 3 == 0 ? first : some).put(key, value(random));
        }
        int begin;
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            ChunkSortedMap<Long, byte[]> map = store.sortedMap("it", Codecs.LONG, Codecs.BYTES);
            map.putAll(first);
            begin = journal.size();
            map.putAll(some);
        }
        assertTrue(journal.size() - begin < some.size() / 3, () -> journal.size() - begin + " records");
        List<Long> order = List.copyOf(some.keySet());
        for (int count = begin; count <= journal.size(); count++) {
            try (Store restored = journal.restore(count, config(), new RecordingJournal())) {
                ChunkSortedMap<Long, byte[]> map = restored.sortedMap("it", Codecs.LONG, Codecs.BYTES);
                Map<Long, byte[]> expected = new TreeMap<>(first);
                order.subList(0, map.size() - first.size()).forEach(key -> expected.put(key, some.get(key)));
                assertSame(expected, map, count);
                map.audit();
                restored.audit();
            }
        }
    }

    /** Writes each text but one. */
    private static final class Failing implements Codec<String> {
        @Override
        public void write(String value, Output out) {
            if (value.equals("bad")) {
                throw new IllegalStateException(value);
            }
            out.putString(value);
        }

        @Override
        public String read(Input in) {
            return in.getString();
        }

        @Override
        public long fingerprint() {
            return 5;
        }
    }

    @Test
    void putAll_withAFailingCodec_putsTheEntriesBefore() {
        try (Store store = Store.open(config())) {
            ChunkSortedMap<Long, String> map = store.sortedMap("it", Codecs.LONG, new Failing());
            Map<Long, String> some = new HashMap<>();
            for (long key = 0; key < 1000; key++) {
                some.put(key, key == 600 ? "bad" : "good");
            }
            assertThrows(IllegalStateException.class, () -> map.putAll(some));
            assertEquals(600, map.longSize());
            assertEquals(599, map.lastKey());
            map.audit();
            map.put(600L, "good");
            assertEquals(601, map.longSize());
        }
    }

    @Test
    void putAll_ofSeveralThreads_losesNothing() throws InterruptedException {
        try (Store store = Store.open(config())) {
            ChunkSortedMap<Long, byte[]> map = store.sortedMap("it", Codecs.LONG, Codecs.BYTES);
            Threads.runAll(THREADS, own -> {
                SplittableRandom random = Seed.random(own);
                for (int round = 0; round < ROUNDS; round++) {
                    Map<Long, byte[]> some = new HashMap<>();
                    for (int i = 0; i < ENTRIES; i++) {
                        some.put((long) random.nextInt(ENTRIES * 4) * THREADS + own, new byte[random.nextInt(60)]);
                    }
                    map.putAll(some);
                    some.keySet().forEach(key -> assertTrue(map.containsKey(key), key::toString));
                    some.keySet().stream().filter(key -> key % 2 == 0).forEach(map::delete);
                    some.keySet().forEach(key -> assertEquals(key % 2 != 0, map.containsKey(key), key::toString));
                }
            });
            map.audit();
            store.audit();
        }
    }
}
