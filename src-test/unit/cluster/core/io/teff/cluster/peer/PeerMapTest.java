package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.LongMapLoader;
import io.teff.engine.error.Status;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Maps and sets of a cluster: the results of each operation. {@link PeerMapKillTest} kills the owners. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerMapTest {
    private static final int PEERS = 2;
    private static final int ZONES = 4;
    private static final int KEYS = 40;
    private static final int STEPS = 700;
    private static final int SHORT_MAX = 60;
    private static final int LONG_MAX = 4_000;

    @TempDir
    private static Path folder;

    private static PeerCluster cluster;
    private static ClusterStore store;

    @BeforeAll
    static void start() throws IOException {
        cluster = new PeerCluster("map-test-" + System.nanoTime(), folder, 1);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i, Peer.start(cluster.config(i).withZones(ZONES, 1, 100_000_000L)));
        }
        cluster.awaitServed(PEERS * ZONES);
        store = cluster.connect();
    }

    @AfterAll
    static void close() throws IOException {
        store.close();
        cluster.close();
    }

    private static byte[] value(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(5) == 0 ? random.nextInt(LONG_MAX) : random.nextInt(SHORT_MAX)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String text(byte @Nullable [] bytes) {
        return Arrays.toString(bytes);
    }

    /** Each operation has the result of the same operation of a map on the heap. */
    @Test
    void operations_haveTheResultsOfAMap() {
        long seed = Seed.first();
        SplittableRandom random = new SplittableRandom(seed);
        ChunkMap<String, byte[]> map = store.map("orders", String.class, byte[].class);
        Map<String, byte[]> model = new HashMap<>();
        for (int i = 0; i < STEPS; i++) {
            String key = "key " + random.nextInt(KEYS);
            byte[] value = value(random);
            step(random.nextInt(9), map, model, key, value, Seed.reproduce(PeerMapTest.class, seed));
        }
        Map<String, String> shown = new HashMap<>();
        map.forEach((key, value) -> assertNull(shown.put(key, text(value)), "a key once"));
        Map<String, String> expected = new HashMap<>();
        model.forEach((key, value) -> expected.put(key, text(value)));
        assertEquals(expected, shown);
        assertEquals(model.size(), map.longSize());
        assertEquals(model.keySet(), map.keySet());
        assertEquals(model.keySet(), map.getAll(model.keySet()).keySet());
        assertEquals(model.size(), map.entrySet().parallelStream().count());
        assertTrue(map.memoryBytes() > 0);
        map.audit();
        Iterator<String> keys = map.keySet().iterator();
        String first = keys.next();
        keys.remove();
        assertFalse(map.containsKey(first));
        map.clear();
        assertTrue(map.isEmpty());
    }

    private static void step(int operation, ChunkMap<String, byte[]> map, Map<String, byte[]> model, String key,
                             byte[] value, String seed) {
        switch (operation) {
            case 0 -> assertEquals(text(model.put(key, value)), text(map.put(key, value)), seed);
            case 1 -> assertEquals(text(model.putIfAbsent(key, value)), text(map.putIfAbsent(key, value)), seed);
            case 2 -> assertEquals(text(model.replace(key, value)), text(map.replace(key, value)), seed);
            case 3 -> assertEquals(text(model.remove(key)), text(map.remove(key)), seed);
            case 4 -> assertEquals(model.put(key, value) == null, map.set(key, value), seed);
            case 5 -> assertEquals(model.remove(key) != null, map.delete(key), seed);
            case 6 -> assertEquals(text(model.merge(key, value, PeerMapTest::joined)),
                text(map.merge(key, value, PeerMapTest::joined)), seed);
            case 7 -> assertEquals(text(model.computeIfAbsent(key, _ -> value)),
                text(map.computeIfAbsent(key, _ -> value)), seed);
            default -> assertEquals(text(model.get(key)), text(map.get(key)), seed);
        }
    }

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] sum = Arrays.copyOf(one, Math.min(one.length + other.length, LONG_MAX));
        System.arraycopy(other, 0, sum, one.length, sum.length - one.length);
        return sum;
    }

    @Test
    void conditions_compareObjects_andEntriesHaveALimit() {
        ChunkMap<String, Double> map = store.map("doubles", String.class, Double.class);
        assertNull(map.put("a", 1.5));
        assertFalse(map.replace("a", 2.0, 3.0));
        assertTrue(map.replace("a", 1.5, 3.0));
        assertFalse(map.remove("a", 1.5));
        assertFalse(map.remove("a", "text"));
        Object other = 7;
        assertNull(map.get(other));
        assertTrue(map.remove("a", 3.0));
        ChunkMap<String, byte[]> bytes = store.map("bytes", String.class, byte[].class);
        byte[] large = new byte[900_000];
        large[899_999] = 1;
        assertNull(bytes.put("large", large));
        assertArrayEquals(large, bytes.put("large", new byte[1]));
        assertArrayEquals(new byte[1], bytes.put("large", large));
        Set<String> keys = new HashSet<>(bytes.keySet());
        assertEquals(Set.of("large"), keys);
        assertArrayEquals(large, bytes.values().iterator().next());
        assertThrows(IllegalArgumentException.class, () -> bytes.put("larger", new byte[1_000_001]));
        assertThrows(UnsupportedOperationException.class, () -> bytes.read("large", _ -> { }));
    }

    @Test
    void sets_andMapsOfNumbers_haveTheResultsOfThoseOnTheHeap() {
        SplittableRandom random = new SplittableRandom(3);
        ChunkSet<String> set = store.set("words", String.class);
        Set<String> words = new HashSet<>();
        ChunkLongMap<byte[]> map = store.longMap("numbers", Codecs.BYTES);
        Map<Long, String> numbers = new HashMap<>();
        for (int i = 0; i < STEPS / 2; i++) {
            String word = "word " + random.nextInt(KEYS);
            assertEquals(i % 3 == 0 ? words.remove(word) : words.add(word),
                i % 3 == 0 ? set.remove(word) : set.add(word));
            long key = random.nextLong(KEYS) - KEYS / 2;
            byte[] bytes = value(random);
            assertEquals(numbers.put(key, text(bytes)) == null, map.setBytes(key, bytes, 0, bytes.length));
        }
        assertEquals(words, set);
        assertEquals(words.size(), set.longSize());
        assertEquals(words.contains("word 1"), set.contains("word 1"));
        assertTrue(set.retainAll(Set.of()) && set.isEmpty());
        Map<Long, String> shown = new HashMap<>();
        map.forEachEntry((key, value) -> assertNull(shown.put(key, text(value))));
        assertEquals(numbers, shown);
        long first = numbers.keySet().iterator().next();
        byte[] target = new byte[LONG_MAX + 3];
        int length = map.getBytes(first, target, 3);
        assertEquals(numbers.get(first), text(Arrays.copyOfRange(target, 3, 3 + length)));
        map.put(7L, new byte[8]);
        assertEquals(Status.TOO_SMALL, map.getBytes(7, new byte[7], 0));
        assertEquals(0, map.getLong(7, 0, -1));
        assertEquals(-1, map.getLong(1_000, 0, -1));
        assertEquals(Status.ABSENT, map.getBytes(1_000, target, 0));
        assertTrue(map.containsKey(7) && map.delete(7) && !map.delete(7));
        Set<Long> keys = new HashSet<>();
        map.forEachKey(keys::add);
        for (PrimitiveIterator.OfLong each = map.keyIterator(); each.hasNext(); each.remove()) {
            assertTrue(keys.remove(each.nextLong()));
        }
        assertTrue(keys.isEmpty() && map.isEmpty());
        try (LongMapLoader<byte[]> loader = map.loader(2)) {
            loader.add(1, new byte[2]);
            loader.addBytes(2, target, 0, 5);
        }
        assertEquals(2, store.map("numbers", Codecs.LONG, Codecs.BYTES).longSize());
        assertThrows(IllegalArgumentException.class, () -> store.map("words", String.class, String.class));
    }

    @Test
    void name_belongsToOneMap_ofOneKindOfKeysAndValues() {
        store.map("names", Codecs.STRING, Codecs.LONG).put("one", 1L);
        try (ClusterStore other = cluster.connect()) {
            assertEquals(1L, other.map("names", String.class, Long.class).get("one"));
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> other.map("names", Codecs.STRING, Codecs.STRING));
            assertTrue(refused.getMessage().contains("string") && refused.getMessage().contains("long"),
                refused.getMessage());
            assertThrows(IllegalArgumentException.class, () -> other.map("", Codecs.STRING, Codecs.STRING));
        }
    }
}
