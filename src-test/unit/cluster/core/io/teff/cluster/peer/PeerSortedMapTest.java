package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.NodeStatus;
import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.collect.NamedComparator;
import io.teff.engine.collect.ValueChange;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sorted maps of a cluster: the results of each operation. {@link PeerCollectionKillTest} kills the owners. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerSortedMapTest {
    private static final int PEERS = 2;
    private static final int ZONES = 4;
    private static final int KEYS = 60;
    private static final int STEPS = 700;
    private static final int SHORT_MAX = 60;
    private static final int LONG_MAX = 4_000;
    /** More than one request counts. */
    private static final int COUNTED = 17_000;

    @TempDir
    private static Path folder;

    private static PeerCluster cluster;
    private static ClusterStore store;

    @BeforeAll
    static void start() throws IOException {
        cluster = new PeerCluster("sorted-test-" + System.nanoTime(), folder, 1);
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

    private static String text(Map.@Nullable Entry<String, byte[]> entry) {
        return entry == null ? "none" : entry.getKey() + '=' + text(entry.getValue());
    }

    private static List<String> texts(Map<String, byte[]> map) {
        List<String> texts = new ArrayList<>();
        map.forEach((key, value) -> texts.add(key + '=' + text(value)));
        return texts;
    }

    /** Each operation has the result of the same operation of a map on the heap. */
    @Test
    void operations_haveTheResultsOfASortedMap() {
        long seed = Seed.first();
        String reproduce = Seed.reproduce(PeerSortedMapTest.class, seed);
        SplittableRandom random = new SplittableRandom(seed);
        ChunkSortedMap<String, byte[]> map = store.sortedMap("prices", String.class, byte[].class);
        NavigableMap<String, byte[]> model = new TreeMap<>();
        for (int i = 0; i < STEPS; i++) {
            String key = "key " + random.nextInt(KEYS);
            if (random.nextBoolean()) {
                change(random.nextInt(11), map, model, key, value(random), reproduce);
            } else {
                read(random.nextInt(9), map, model, key, "key " + random.nextInt(KEYS), reproduce);
            }
        }
        assertEquals(texts(model), texts(map), reproduce);
        assertEquals(texts(model.descendingMap()), texts(map.descendingMap()), reproduce);
        assertEquals(model.size(), map.longSize());
        assertEquals(List.copyOf(model.descendingKeySet()), List.copyOf(map.descendingKeySet()));
        assertTrue(map.memoryBytes() > 0);
        map.audit();
        map.tailMap("key 3", false).clear();
        model.tailMap("key 3", false).clear();
        assertEquals(texts(model), texts(map), reproduce);
        map.clear();
        assertTrue(map.isEmpty() && map.firstEntry() == null && map.pollLastEntry() == null);
        map.audit();
    }

    private static void change(int operation, ChunkSortedMap<String, byte[]> map, NavigableMap<String, byte[]> model,
                               String key, byte[] value, String seed) {
        switch (operation) {
            case 0 -> assertEquals(text(model.put(key, value)), text(map.put(key, value)), seed);
            case 1 -> assertEquals(text(model.putIfAbsent(key, value)), text(map.putIfAbsent(key, value)), seed);
            case 2 -> assertEquals(text(model.replace(key, value)), text(map.replace(key, value)), seed);
            case 3 -> assertEquals(text(model.remove(key)), text(map.remove(key)), seed);
            case 4, 5 -> assertEquals(model.put(key, value) == null, map.set(key, value), seed);
            case 6 -> assertEquals(model.remove(key) != null, map.delete(key), seed);
            case 7 -> assertEquals(text(model.merge(key, value, (_, next) -> next)),
                text(map.merge(key, value, (_, next) -> next)), seed);
            case 8 -> assertEquals(text(model.computeIfAbsent(key, _ -> value)),
                text(map.computeIfAbsent(key, _ -> value)), seed);
            case 9 -> assertEquals(text(model.pollFirstEntry()), text(map.pollFirstEntry()), seed);
            default -> assertEquals(text(model.headMap(key, true).pollLastEntry()),
                text(map.headMap(key, true).pollLastEntry()), seed);
        }
    }

    private static void read(int operation, ChunkSortedMap<String, byte[]> map, NavigableMap<String, byte[]> model,
                             String key, String other, String seed) {
        String low = key.compareTo(other) < 0 ? key : other;
        String high = key.compareTo(other) < 0 ? other : key;
        switch (operation) {
            case 0 -> assertEquals(text(model.floorEntry(key)), text(map.floorEntry(key)), seed);
            case 1 -> assertEquals(text(model.ceilingEntry(key)), text(map.ceilingEntry(key)), seed);
            case 2 -> assertEquals(model.higherKey(key), map.higherKey(key), seed);
            case 3 -> assertEquals(model.lowerKey(key), map.lowerKey(key), seed);
            case 4 -> assertEquals(text(model.firstEntry()), text(map.firstEntry()), seed);
            case 5 -> assertEquals(text(model.lastEntry()), text(map.lastEntry()), seed);
            case 6 -> assertEquals(texts(model.subMap(low, false, high, true).descendingMap()),
                texts(map.subMap(low, false, high, true).descendingMap()), seed);
            case 7 -> assertEquals(model.subMap(low, high).size(), map.subMap(low, high).size(), seed);
            default -> assertEquals(text(model.get(key)), text(map.get(key)), seed);
        }
    }

    @Test
    void mapsOfNumbers_areWalkedInPages() {
        ChunkSortedLongMap<byte[]> map = store.sortedLongMap("log", Codecs.BYTES);
        for (int i = 0; i < 2_000; i++) {
            map.set(i - 1_000L, new byte[i % 100]);
        }
        long[] next = {-1_000};
        map.forEachBytes(Long.MIN_VALUE, Long.MAX_VALUE, (key, _, _, length) -> {
            assertEquals(next[0]++, key);
            assertEquals((key + 1_000) % 100, length);
        });
        assertEquals(1_000, next[0]);
        next[0] = 0;
        map.forEachKey(-10, 10, _ -> next[0]++);
        assertEquals(21, next[0]);
        map.forEachEntry(999, 5_000, (key, value) -> assertEquals(999, key));
        assertEquals(-5, map.lowerKey(-4, 0));
        assertEquals(-4, map.floorKey(-4, 0));
        assertEquals(-1_000, map.ceilingKey(-5_000, 0));
        assertEquals(77, map.higherKey(999, 77));
        assertEquals(99, map.get(-1L).length);
        assertEquals(Status.ABSENT, map.getBytes(7_000, new byte[4], 0));
        assertEquals(Status.TOO_SMALL, map.getBytes(-1, new byte[98], 0));
        assertEquals(0, map.getLong(-1, 4, 5));
        assertTrue(map.containsKey(-1) && map.delete(-1) && !map.containsKey(-1));
        for (PrimitiveIterator.OfLong keys = map.keyIterator(); keys.hasNext(); ) {
            if (keys.nextLong() > -990) {
                break;
            }
            keys.remove();
        }
        assertEquals(-989, map.firstKey());
        assertEquals(map.longSize(), map.keySet().stream().count());
        assertEquals(map.longSize(), store.sortedMap("log", Codecs.LONG, Codecs.BYTES).longSize());
        map.audit();
    }

    /** Goal: operations on many entries have the results of single ones, and take few round trips. */
    @Test
    void manyEntries_takeFewRoundTrips() {
        ChunkSortedMap<String, byte[]> map = store.sortedMap("many", Codecs.STRING, Codecs.BYTES);
        NavigableMap<String, byte[]> model = new TreeMap<>();
        SplittableRandom random = new SplittableRandom(Seed.first());
        for (int i = 0; i < STEPS; i++) {
            byte[] value = new byte[random.nextInt(8) == 0 ? random.nextInt(LONG_MAX) : random.nextInt(SHORT_MAX)];
            random.nextBytes(value);
            model.put("key " + random.nextInt(10_000), value);
        }
        model.put("long", new byte[100_000]);
        model.put("longer", new byte[200_000]);
        long before = operations();
        map.putAll(model);
        long sent = operations() - before;
        assertTrue(sent < model.size() / 4, sent + " requests for " + model.size() + " entries");
        assertSame(model, map);
        List<String> wanted = new ArrayList<>(model.keySet());
        wanted.add(0, "absent");
        before = operations();
        Map<String, byte[]> found = map.getAll(wanted);
        sent = operations() - before;
        assertTrue(sent < model.size() / 4, sent + " requests for " + model.size() + " keys");
        assertSame(model, new TreeMap<>(found));
        assertEquals(model.subMap("key 2", "key 7").size(), map.subMap("key 2", "key 7").size());
        assertEquals(model.headMap("key 3", true).size(), map.headMap("key 3", true).descendingMap().size());
        List<String> some = wanted.stream().filter(_ -> random.nextBoolean()).toList();
        assertTrue(map.keySet().removeAll(some));
        assertFalse(map.keySet().removeAll(some));
        model.keySet().removeAll(some);
        assertSame(model, map);
        map.putAll(Map.of());
        assertEquals(Map.of(), map.getAll(List.of()));
        assertThrows(NullPointerException.class, () -> map.getAll(Arrays.asList("a", null)));
        map.audit();
    }

    @Test
    void size_ofALongRange_isCountedInSteps() {
        ChunkSortedLongMap<Long> map = store.sortedLongMap("counted", Codecs.LONG);
        NavigableMap<Long, Long> many = new TreeMap<>();
        for (long key = 0; key < COUNTED; key++) {
            many.put(key, key);
        }
        map.putAll(many);
        assertEquals(COUNTED, map.size());
        assertEquals(COUNTED - 1, map.tailMap(0L, false).size());
        assertEquals(COUNTED - 7, map.headMap(COUNTED - 7L).size());
        assertEquals(10, map.subMap(5L, 15L).size());
    }

    private static void assertSame(NavigableMap<String, byte[]> model, Map<String, byte[]> map) {
        assertEquals(model.keySet(), map.keySet());
        map.forEach((key, value) -> assertArrayEquals(model.get(key), value, key));
    }

    private static long operations() {
        return cluster.peers().stream().flatMap(peer -> peer.figures(true).zones().stream())
            .mapToLong(NodeStatus.ZoneUse::operations).sum();
    }

    @Test
    void largeEntries_andLongKeys_haveLimits() {
        ChunkSortedMap<String, byte[]> map = store.sortedMap("large", String.class, byte[].class);
        byte[] large = new byte[890_000];
        large[5] = 1;
        assertNull(map.put("b", large));
        assertArrayEquals(large, map.put("b", large));
        assertNull(map.put("a", large));
        assertArrayEquals(large, map.pollFirstEntry().getValue());
        assertArrayEquals(large, map.firstEntry().getValue());
        assertTrue(map.replace("b", map.get("b"), large) || map.containsKey("b"));
        assertThrows(IllegalArgumentException.class, () -> map.put("c", new byte[900_001]));
        assertThrows(IllegalArgumentException.class, () -> map.put("\u00e4".repeat(513), large));
        assertNull(map.put("\u00e4".repeat(512), new byte[1]));
        assertThrows(ClassCastException.class, () -> map.get((Object) 3));
        assertThrows(IllegalArgumentException.class, () -> map.headMap("b").put("c", large));
        assertThrows(UnsupportedOperationException.class, () -> map.read("b", _ -> { }));
    }

    record Place(int row, int column) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            return Integer.compare(column, other.column);
        }
    }

    /** The owner has no classes of the application; it knows some orders by their names. */
    @Test
    void order_thatTheOwnerDoesNotKnow_isRefusedByName() {
        ChunkSortedMap<String, Long> reversed = store.sortedMap("reversed", Codecs.STRING, Codecs.LONG,
            Comparator.reverseOrder());
        reversed.put("a", 1L);
        reversed.put("c", 3L);
        reversed.put("b", 2L);
        assertEquals(List.of("c", "b", "a"), List.copyOf(reversed.keySet()));
        assertEquals("b", reversed.higherKey("c"));
        assertEquals(Comparator.reverseOrder(), reversed.comparator());
        assertRefused("reverse order", () -> store.sortedMap("reversed", Codecs.STRING, Codecs.LONG));
        ChunkSortedMap<byte[], Long> bytes = store.sortedMap("bytes in order", byte[].class, Long.class);
        bytes.put(new byte[] {-1}, 1L);
        bytes.put(new byte[] {1}, 2L);
        assertArrayEquals(new byte[] {1}, bytes.firstKey());
        assertRefused("'by row'", () -> store.sortedMap("places", Codecs.of(Place.class), Codecs.LONG,
            NamedComparator.of("by row", Comparator.comparingInt(Place::row))));
        assertRefused("'natural order'", () -> store.sortedMap("places", Place.class, Long.class));
        assertRefused("'reverse order'", () -> store.sortedMap("places", Codecs.STRING, Codecs.LONG,
            NamedComparator.of("reverse order", Comparator.comparingInt(String::length))));
        assertRefused("Lambda", () -> store.sortedMap("places", Codecs.STRING, Codecs.LONG,
            (one, other) -> one.compareTo(other)));
        assertRefused("'" + String.CASE_INSENSITIVE_ORDER.getClass().getName() + "'", () -> store.sortedMap("places",
            Codecs.STRING, Codecs.LONG, String.CASE_INSENSITIVE_ORDER));
        assertFalse(store.sortedMap("places", Codecs.STRING, Codecs.LONG).containsKey("a"), "the name is still free");
    }

    private static List<String> functions(ChunkStore of) {
        List<String> shown = new ArrayList<>();
        ChunkSortedMap<String, Long> numbers = of.sortedMap("function numbers", String.class, Long.class);
        ChunkSortedLongMap<byte[]> texts = of.sortedLongMap("function texts", byte[].class);
        for (ValueChange<Number> each : List.of(ValueChange.add(5), ValueChange.add(-7), ValueChange.min(-3),
            ValueChange.max(90), ValueChange.and(24), ValueChange.or(3), ValueChange.xor(2), ValueChange.set(4))) {
            shown.add(each + " " + numbers.apply("a", each) + " " + numbers.modify("b", each));
            shown.add(each + " " + numbers.modify("a", ValueChange.max(-100)));
        }
        byte[] part = new byte[400];
        for (int i = 0; i < 4; i++) {                           // longer than a slot
            part[0] = (byte) i;
            shown.add(text(texts.apply(1L, ValueChange.append(part))) + texts.modify(2L, ValueChange.append(part)));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> texts.apply(1L, ValueChange.add(1).toLong(1_599)));
        assertThrows(IndexOutOfBoundsException.class, () -> texts.modify(1L, ValueChange.add(1).toLong(1_599)));
        shown.add(text(texts.apply(1L, ValueChange.add(1).toLong(16))));
        shown.add(text(texts.apply(3L, ValueChange.add(1).toLong(16))) + texts.modify(3L, ValueChange.add(1).toInt(0)));
        shown.add("" + numbers + texts.keySet());
        return shown;
    }

    /** A ready-made function has the results of the function of a local map. */
    @Test
    void functions_haveTheResultsOfALocalMap() {
        try (Store local = Store.open()) {
            assertEquals(functions(local), functions(store));
        }
        ChunkSortedMap<String, byte[]> map = store.sortedMap("function limit", String.class, byte[].class);
        byte[] half = new byte[500_000];
        assertTrue(map.modify("a", ValueChange.append(half)));
        assertThrows(StoreException.class, () -> map.modify("a", ValueChange.append(half)));
        assertThrows(StoreException.class, () -> map.apply("a", ValueChange.append(half)));
        assertArrayEquals(half, map.get("a"));
    }

    private static void assertRefused(String text, Runnable open) {
        String message = assertThrows(IllegalArgumentException.class, open::run).getMessage();
        assertTrue(message.contains(text), message);
    }
}
