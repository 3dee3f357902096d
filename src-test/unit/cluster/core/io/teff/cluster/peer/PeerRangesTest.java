package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.MapRanges.MapRange;
import io.teff.cluster.MapRanges;
import io.teff.cluster.RangeConfig;
import io.teff.cluster.archive.PartBounds;
import io.teff.cluster.client.SplitHold;
import io.teff.cluster.client.SplitSteps;
import io.teff.cluster.service.Hold;
import io.teff.cluster.service.HoldLostException;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.os.Clock;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a sorted map in ranges has the results of a map on the heap, also while its ranges split. {@link
 * PeerRangesKillTest} kills the owners between the steps of a split.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerRangesTest {
    private static final int PEERS = 2;
    private static final int ZONES = 4;
    private static final int KEYS = 80;
    private static final int STEPS = 700;
    private static final int SPLIT_ODDS = 25;
    private static final int LONG_MAX = 4_000;
    private static final int SHORT_MAX = 60;
    private static final long LIMIT_S = 120;

    @TempDir
    private static Path folder;

    private static PeerCluster cluster;
    private static ClusterStore store;
    private static ClusterStore other;

    @BeforeAll
    static void start() throws IOException {
        cluster = new PeerCluster("ranges-test-" + System.nanoTime(), folder, 1);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i, Peer.start(cluster.config(i).withZones(ZONES, 1, 100_000_000L)));
        }
        cluster.awaitServed(PEERS * ZONES);
        store = cluster.connect();
        other = cluster.connect();
    }

    @AfterAll
    static void close() throws IOException {
        store.close();
        other.close();
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

    private static String key(SplittableRandom random) {
        return "key " + random.nextInt(KEYS);
    }

    // ---- results ----

    /** One client changes and reads the map, another client splits the ranges. */
    @Test
    void operations_haveTheResultsOfASortedMap_whileRangesSplit() {
        long seed = Seed.first();
        String reproduce = Seed.reproduce(PeerRangesTest.class, seed);
        SplittableRandom random = new SplittableRandom(seed);
        ChunkSortedMap<String, byte[]> map = store.sortedMap("prices", String.class, byte[].class);
        MapRanges<String> ranges = other.ranges(other.sortedMap("prices", String.class, byte[].class));
        NavigableMap<String, byte[]> model = new TreeMap<>();
        for (int i = 0; i < STEPS; i++) {
            if (random.nextInt(SPLIT_ODDS) == 0) {
                String at = key(random);
                if (random.nextBoolean()) {
                    assertTrue(ranges.splitAt(at), reproduce);
                } else {
                    ranges.split(at);
                }
            } else if (random.nextBoolean()) {
                change(random.nextInt(11), map, model, key(random), value(random), reproduce);
            } else {
                read(random.nextInt(11), map, model, key(random), key(random), reproduce);
            }
        }
        assertTrue(ranges.all().size() > STEPS / SPLIT_ODDS / 4, ranges.all().toString());
        assertEquals(texts(model), texts(map), reproduce);
        assertEquals(texts(model.descendingMap()), texts(map.descendingMap()), reproduce);
        assertEquals(model.size(), map.longSize());
        assertEquals(model.size(), ranges.all().stream().mapToLong(MapRange::entries).sum());
        map.audit();
        assertEquals(texts(model), texts(other.sortedMap("prices", String.class, byte[].class)), reproduce);
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
            case 0, 1 -> assertEquals(text(model.put(key, value)), text(map.put(key, value)), seed);
            case 2 -> assertEquals(text(model.replace(key, value)), text(map.replace(key, value)), seed);
            case 3 -> assertEquals(text(model.remove(key)), text(map.remove(key)), seed);
            case 4 -> assertEquals(model.put(key, value) == null, map.set(key, value), seed);
            case 5 -> assertEquals(text(model.merge(key, value, (_, next) -> next)),
                text(map.merge(key, value, (_, next) -> next)), seed);
            case 6 -> {
                Map<String, byte[]> many = new TreeMap<>();
                for (int i = 0; i < KEYS; i += 7) {
                    many.put("key " + i, value);
                }
                model.putAll(many);
                map.putAll(many);
            }
            case 7 -> assertEquals(model.keySet().removeAll(List.of(key, "key 7", "key 41")),
                map.keySet().removeAll(List.of(key, "key 7", "key 41")), seed);
            case 8 -> assertEquals(text(model.pollLastEntry()), text(map.pollLastEntry()), seed);
            case 9 -> assertEquals(text(model.pollFirstEntry()), text(map.pollFirstEntry()), seed);
            default -> assertEquals(text(model.headMap(key, true).pollLastEntry()),
                text(map.headMap(key, true).pollLastEntry()), seed);
        }
    }

    private static void read(int operation, ChunkSortedMap<String, byte[]> map, NavigableMap<String, byte[]> model,
                             String key, String second, String seed) {
        String low = key.compareTo(second) < 0 ? key : second;
        String high = key.compareTo(second) < 0 ? second : key;
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
            case 8 -> assertEquals(model.tailMap(low, false).size(), map.tailMap(low, false).size(), seed);
            case 9 -> {
                List<String> wanted = List.of(high, low, "key 1", "key 79", "absent");
                Map<String, byte[]> found = map.getAll(wanted);
                wanted.forEach(each -> assertEquals(text(model.get(each)), text(found.get(each)), seed));
            }
            default -> assertEquals(text(model.get(key)), text(map.get(key)), seed);
        }
    }

    // ---- growth ----

    @Test
    void changes_splitARange_thatHasGrown() {
        ChunkSortedLongMap<Long> early = other.sortedLongMap("grown", Codecs.LONG);
        early.put(-1L, -1L);
        ClusterStore splitting = store.withRanges(RangeConfig.ofEntries(200));
        ChunkSortedLongMap<Long> map = splitting.sortedLongMap("grown", Codecs.LONG);
        NavigableMap<Long, Long> model = new TreeMap<>(Map.of(-1L, -1L));
        SplittableRandom random = new SplittableRandom(Seed.first());
        for (int i = 0; i < 4_000; i++) {
            long key = random.nextLong(1L << 40);
            model.put(key, key);
            map.set(key, Long.valueOf(key));
        }
        List<MapRange<Long>> ranges = splitting.ranges(map).all();
        assertTrue(ranges.size() > 4, ranges.toString());
        assertTrue(ranges.stream().map(MapRange::zone).distinct().count() > 3, ranges.toString());
        assertNull(ranges.getFirst().from());
        assertEquals(model, new TreeMap<>(early), "a client that has opened the map before");
        assertEquals(model.size(), map.longSize());
        assertEquals(model, new TreeMap<>(early.getAll(model.keySet())));
        assertEquals(model.headMap(1L << 39).size(), early.headMap(1L << 39).size());
        early.audit();
        assertTrue(map.memoryBytes() > model.size() * 2L * Long.BYTES);
    }

    @Test
    void ranges_ofAnEmptyMap_areMadeAtOnce_andDroppedWithTheMap() {
        ChunkSortedMap<String, Long> map = store.sortedMap("made", Codecs.STRING, Codecs.LONG);
        MapRanges<String> ranges = store.ranges(map);
        for (String each : List.of("m", "f", "t", "f")) {
            assertTrue(ranges.splitAt(each));
        }
        List<String> bounds = new ArrayList<>();
        ranges.all().forEach(each -> bounds.add(each.from()));
        assertEquals(Arrays.asList(null, "f", "m", "t"), bounds);
        assertFalse(ranges.split("a"), "a range without entries has no half");
        map.putAll(Map.of("a", 1L, "f", 2L, "l", 3L, "m", 4L, "z", 5L));
        assertEquals(List.of(1L, 2L, 1L, 1L), ranges.all().stream().map(MapRange::entries).toList());
        ChunkSortedMap<String, Long> late = other.sortedMap("made", Codecs.STRING, Codecs.LONG);
        assertEquals(4L, late.get("m"));
        assertTrue(store.names().drop("made"));
        assertThrows(IllegalStateException.class, () -> late.get("z"));
        assertThrows(IllegalStateException.class, () -> map.put("z", 1L));
        assertTrue(store.sortedMap("made", Codecs.STRING, Codecs.LONG).isEmpty());
        assertEquals(1, other.ranges(other.sortedMap("made", Codecs.STRING, Codecs.LONG)).all().size());
        assertThrows(IllegalArgumentException.class, () -> other.ranges(map));
    }

    // ---- a split under way ----

    /** Goal: keys of a slice that belongs to no part are served, because a client that needs them moves the slice. */
    @Test
    void split_whileSplitsAreHeld_doesNotBegin() throws Exception {
        ChunkSortedLongMap<Long> map = store.sortedLongMap("held", Codecs.LONG);
        LongStream.range(0, 2_000).forEach(key -> map.put(key, key));
        MapRanges<Long> ranges = store.ranges(map);
        assertTrue(ranges.splitAt(1_000L));
        try (SplitHold hold = new SplitHold(other, Clock.SYSTEM)) {
            PartBounds bounds = hold.hold();
            assertFalse(ranges.splitAt(500L));
            assertEquals(bounds, hold.hold());
        }
        assertTrue(ranges.splitAt(500L));
        assertEquals(List.of(500L, 500L, 1_000L), ranges.all().stream().map(MapRange::entries).toList());
    }

    @Test
    void slice_whoseClientHasEnded_isTakenByTheNextClient() {
        ChunkSortedLongMap<Long> map = store.sortedLongMap("left", Codecs.LONG);
        NavigableMap<Long, Long> model = new TreeMap<>();
        LongStream.range(0, 2_000).forEach(key -> model.put(key, key));
        map.putAll(model);
        SplitSteps steps = new SplitSteps(map, 0);
        assertTrue(steps.isMoved(() -> { }));
        assertThrows(InterruptedSplit.class, () -> steps.isMoved(() -> {
            throw new InterruptedSplit();
        }));
        ChunkSortedLongMap<Long> second = other.sortedLongMap("left", Codecs.LONG);
        assertEquals(1_700L, second.get(1_700L));
        assertEquals(1_600L, second.put(1_600L, 7L));
        assertEquals(7L, map.put(1_600L, 1_600L));
        assertEquals(model, new TreeMap<>(map));
        assertTrue(other.ranges(second).split(0L), "goes on with the split");
        assertEquals(List.of(1_000L, 1_000L), other.ranges(second).all().stream().map(MapRange::entries).toList());
        assertEquals(model, new TreeMap<>(map));
        map.audit();
    }

    private static final class InterruptedSplit extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Entries that are there throughout are shown once by each walk, and counted once, while ranges split. */
    @Test
    void walks_duringSplits_showEachEntryOnce() throws Exception {
        ChunkSortedLongMap<Long> map = store.withRanges(RangeConfig.ofEntries(100)).sortedLongMap("walked",
            Codecs.LONG);
        ChunkSortedLongMap<Long> walked = other.sortedLongMap("walked", Codecs.LONG);
        NavigableMap<Long, Long> even = new TreeMap<>();
        LongStream.range(0, 1_500).forEach(key -> even.put(2 * key, key));
        walked.putAll(even);
        AtomicBoolean isOver = new AtomicBoolean();
        List<Long> keys = List.copyOf(even.keySet());
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<Integer> walks = threads.submit(() -> {
                int count = 0;
                while (!isOver.get()) {
                    assertEquals(keys, evenKeys(walked.keySet()));
                    assertEquals(keys.reversed(), evenKeys(walked.descendingKeySet()));
                    assertTrue(walked.longSize() >= keys.size());
                    assertTrue(walked.headMap(2_000L).size() >= 1_000);
                    count++;
                }
                return count;
            });
            SplittableRandom random = new SplittableRandom(Seed.first());
            try {
                for (int i = 0; i < 3_000 && !walks.isDone(); i++) {
                    long odd = 2 * random.nextLong(1_500) + 1;
                    if (random.nextInt(3) == 0) {
                        map.delete(odd);
                    } else {
                        map.set(odd, Long.valueOf(odd));
                    }
                }
            } finally {
                isOver.set(true);
            }
            assertTrue(walks.get(LIMIT_S, TimeUnit.SECONDS) > 0);
        }
        assertTrue(store.ranges(map).all().size() > 2, store.ranges(map).all().toString());
        map.audit();
    }

    private static List<Long> evenKeys(Iterable<Long> all) {
        List<Long> even = new ArrayList<>();
        for (long key : all) {
            if (key % 2 == 0) {
                even.add(key);
            }
        }
        return even;
    }

    // ---- fences ----

    @Test
    void fence_isTheFenceOfEachRange() {
        Hold first = store.services().lock("ranges").acquire(0).orElseThrow();
        ChunkSortedMap<Long, String> stopped = store.withFence(first.token()).sortedMap("fenced", Codecs.LONG,
            Codecs.STRING);
        LongStream.range(0, 100).forEach(key -> stopped.put(key, "first"));
        ChunkSortedMap<Long, String> plain = other.sortedMap("fenced", Codecs.LONG, Codecs.STRING);
        assertTrue(other.ranges(plain).splitAt(50L));
        first.close();
        Hold second = other.services().lock("ranges").acquire(0).orElseThrow();
        ChunkSortedMap<Long, String> later = other.withFence(second.token()).sortedMap("fenced", Codecs.LONG,
            Codecs.STRING);
        assertTrue(other.ranges(plain).splitAt(75L));
        for (long key : List.of(0L, 50L, 75L, 99L)) {
            assertEquals("first", stopped.get(key), "and learns which part has the key");
            assertThrows(HoldLostException.class, () -> stopped.put(key, "late"));
            assertEquals("first", later.put(key, "second"));
        }
        second.close();
    }
}
