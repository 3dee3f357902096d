package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.NearCacheConfig;
import io.teff.cluster.NearCacheStats;
import io.teff.cluster.UnknownOutcomeException;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.client.PausedClients;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.collect.ValueChange;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Near caches of a client: what a read may show after changes of others, own changes, failures and new owners. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerNearCacheTest {
    private static final int PEERS = 3;
    private static final int ZONES = 2;
    private static final long LIMIT_S = 120;
    /** Longer than a test: copies become too old only when the test moves the clock. */
    private static final NearCacheConfig CONFIG = NearCacheConfig.of(1 << 20, Duration.ofMinutes(50));
    /** Of threads under the clock of the machine. */
    private static final long BRIEF_MS = 20;
    private static final int READERS = 3;
    private static final int KEYS = 3;
    private static final int CHANGES = 1_500;

    @TempDir
    private Path folder;

    private final LeapingClock clock = new LeapingClock();
    private String name;
    private PeerCluster cluster;
    /** The client with near caches, and another client. */
    private ClusterStore near;
    private ClusterStore other;

    /** The clock of this JVM, which a test puts forward. */
    private static final class LeapingClock implements Clock {
        private final AtomicLong leaptNs = new AtomicLong();

        @Override
        public long nowNs() {
            return System.nanoTime() + leaptNs.get();
        }

        private void leap(Duration time) {
            leaptNs.addAndGet(time.toNanos());
        }
    }

    @BeforeEach
    void start() throws IOException {
        name = "near-test-" + System.nanoTime();
        cluster = new PeerCluster(name, folder, 1);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i, Peer.start(cluster.config(i).withZones(ZONES, 1, 100_000_000L)));
        }
        cluster.awaitServed(PEERS * ZONES);
        near = connect(TimeUnit.SECONDS.toNanos(30)).withNearCache(CONFIG);
        other = cluster.connect();
    }

    private ClusterStore connect(long timeoutNs) {
        return PausedClients.connect(ClientConfig.builder("loop:" + name + "-superpeer").timeoutNs(timeoutNs).build(),
            clock);
    }

    @AfterEach
    void close() throws IOException {
        near.close();
        other.close();
        cluster.close();
    }

    private NearCacheStats stats(String collection) {
        return near.nearCaches().get(collection);
    }

    // ---- changes of others ----

    /** A put, a removal and a function of another client are shown when the bound has passed, without any message. */
    @Test
    void changeOfAnotherClient_isShownAfterTheBound() {
        ChunkMap<String, Long> copied = near.map("sums", String.class, Long.class);
        ChunkMap<String, Long> direct = other.map("sums", String.class, Long.class);
        direct.put("a", 1L);
        assertEquals(1L, copied.get("a"));
        assertFalse(copied.containsKey("b"));
        List<Runnable> changes = List.of(() -> direct.put("a", 2L), () -> direct.apply("a", ValueChange.add(5L)),
            () -> direct.modifyAll(List.of("a", "b"), ValueChange.add(5L)), () -> direct.remove("a"));
        for (Runnable change : changes) {
            Long before = copied.get("a");
            boolean hadOther = copied.containsKey("b");
            change.run();
            clock.leap(CONFIG.bound().minusMinutes(10));
            assertEquals(before, copied.get("a"), "a copy within the bound");
            assertEquals(hadOther, copied.containsKey("b"), "absence within the bound");
            clock.leap(Duration.ofMinutes(10));
            assertEquals(direct.get("a"), copied.get("a"));
            assertEquals(direct.containsKey("b"), copied.containsKey("b"));
            assertEquals(direct.getAll(List.of("a", "b")), copied.getAll(List.of("a", "b")));
        }
        assertTrue(stats("sums").hits() >= 8, stats("sums").toString());
        assertTrue(other.nearCaches().isEmpty(), "off by default");
    }

    /** A client that reaches no peer shows its copies within the bound, and no copy behind the bound. */
    @Test
    void copy_ofAClientThatReachesNoOwner_endsAtTheBound() throws IOException {
        try (ClusterStore cut = connect(TimeUnit.SECONDS.toNanos(1)).withNearCache(CONFIG)) {
            ChunkMap<String, Long> map = cut.map("cut", String.class, Long.class);
            map.put("a", 1L);
            assertEquals(1L, map.get("a"));
            assertNull(map.get("b"));
            for (int i = 0; i < PEERS; i++) {
                cluster.kill(i);
            }
            assertEquals(1L, map.get("a"));
            assertThrows(UnknownOutcomeException.class, () -> map.put("b", 2L));
            assertThrows(StoreException.class, () -> map.get("b"), "a change in doubt ends the copy");
            clock.leap(CONFIG.bound());
            assertThrows(StoreException.class, () -> map.get("a"));
            assertThrows(StoreException.class, () -> map.getAll(List.of("a")));
        }
    }

    /** A new owner knows nothing about copies; own changes there end the copies, and the bound holds. */
    @Test
    void copy_ofAnEntryWithANewOwner_endsAtTheBound_andByOwnChanges() throws IOException {
        ChunkMap<Integer, Long> copied = near.map("moved", Integer.class, Long.class);
        ChunkMap<Integer, Long> direct = other.map("moved", Integer.class, Long.class);
        for (int key = 0; key < 20; key++) {
            copied.put(key, 1L);
            assertEquals(1L, copied.get(key));
        }
        cluster.killAttested(0);
        for (int key = 0; key < 20; key++) {
            direct.put(key, 2L);
        }
        for (int key = 0; key < 20; key++) {
            assertEquals(1L, copied.get(key), "within the bound");
        }
        copied.apply(3, ValueChange.add(1L));
        assertEquals(3L, copied.get(3));
        clock.leap(CONFIG.bound());
        for (int key = 0; key < 20; key++) {
            assertEquals(key == 3 ? 3L : 2L, copied.get(key));
        }
    }

    // ---- own changes ----

    @Test
    void ownChange_ofAnyMethod_isShownByTheNextRead() {
        ChunkMap<String, Long> map = near.map("own", String.class, Long.class);
        ChunkMap<String, Long> same = near.withLevel(WriteLevel.OWNER).map("own", String.class, Long.class);
        ChunkMap<String, Long> model = other.map("own", String.class, Long.class);
        List<Consumer<ChunkMap<String, Long>>> changes = List.of(it -> it.put("a", 1L), it -> it.set("a", 2L),
            it -> it.replace("a", 3L), it -> it.replace("a", 3L, 4L), it -> it.merge("a", 1L, Long::sum),
            it -> it.compute("a", (_, value) -> value == null ? 1 : value + 2),
            it -> it.apply("a", ValueChange.add(1L)), it -> it.modify("a", ValueChange.add(1L)),
            it -> it.modifyAll(List.of("a"), ValueChange.add(1L)),
            it -> it.putAll(Map.of("a", 20L, "b", 3L)), it -> it.replaceAll((_, value) -> value + 1),
            it -> it.entrySet().removeIf(entry -> entry.getValue() == 21L), it -> it.putIfAbsent("a", 5L),
            it -> it.computeIfAbsent("c", _ -> 6L), it -> it.remove("c"), it -> it.delete("b"),
            it -> it.keySet().removeAll(List.of("a")), it -> load(it, 7L), it -> it.remove("a", 7L),
            it -> load(it, 8L), ChunkMap::clear);
        List<String> keys = List.of("a", "b", "c");
        for (ChunkMap<String, Long> changed : List.of(map, same)) {
            for (int i = 0; i < changes.size(); i++) {
                keys.forEach(map::get);
                changes.get(i).accept(changed);
                for (String key : keys) {
                    assertEquals(model.get(key), map.get(key), "change " + i + " of " + key);
                }
                assertEquals(model.getAll(keys), map.getAll(keys), "change " + i);
            }
        }
        assertTrue(stats("own").hits() > 2L * changes.size(), stats("own").toString());
    }

    private static void load(ChunkMap<String, Long> map, long value) {
        try (var loader = map.loader(1)) {
            loader.add("a", value);
        }
    }

    /** What a read past the near cache, or a walk, has shown is the least that the next read shows. */
    @Test
    void value_thatAnotherObjectOrAWalkHasShown_isShownByTheNextRead() {
        ChunkMap<String, Long> copied = near.map("seen", String.class, Long.class);
        ChunkMap<String, Long> direct = other.map("seen", String.class, Long.class);
        ChunkMap<String, Long> whole = near.withLevel(WriteLevel.OWNER).map("seen", String.class, Long.class);
        List<Consumer<ChunkMap<String, Long>>> looks = List.of(it -> it.get("a"), it -> it.getAll(List.of("a")),
            it -> it.forEach((_, _) -> { }), it -> assertTrue(it.keySet().iterator().hasNext()),
            it -> it.putIfAbsent("a", 0L), it -> it.replace("a", 0L, 1L));
        for (int i = 0; i < looks.size(); i++) {
            direct.put("a", 100L + i);
            clock.leap(CONFIG.bound());
            assertEquals(100L + i, copied.get("a"));
            direct.put("a", 200L + i);
            assertEquals(100L + i, copied.get("a"));
            looks.get(i).accept(whole);
            assertEquals(200L + i, copied.get("a"), "look " + i);
        }
    }

    @Test
    void droppedCollection_andClosedStore_showNoCopy() {
        ChunkMap<String, Long> copied = near.map("dropped", String.class, Long.class);
        copied.put("a", 1L);
        assertEquals(1L, copied.get("a"));
        assertTrue(near.names().drop("dropped"));
        assertThrows(IllegalStateException.class, () -> copied.get("a"));
        ChunkMap<String, Long> next = near.map("dropped", String.class, Long.class);
        assertNull(next.get("a"));
        assertTrue(other.names().drop("dropped"));
        assertNull(next.get("a"), "a copy within the bound");
        assertThrows(IllegalStateException.class, () -> next.put("a", 2L));
        assertThrows(IllegalStateException.class, () -> next.get("a"));
        ChunkMap<String, Long> last = near.map("last", String.class, Long.class);
        assertNull(last.get("a"));
        near.close();
        assertThrows(IllegalStateException.class, () -> last.get("a"));
    }

    @Test
    void setsAndMapsOfNumbers_haveNearCaches_andTheLevelOwnerHasNone() {
        ChunkSet<String> set = near.set("set", Codecs.STRING);
        assertFalse(set.contains("a"));
        assertTrue(set.add("a"));
        assertTrue(set.contains("a"));
        assertTrue(set.contains("a"));
        assertEquals(1, stats("set").hits());
        ChunkLongMap<byte[]> map = near.longMap("numbers", Codecs.BYTES);
        map.set(5, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        assertEquals(map.getLong(5, 0, 0), map.getLong(5, 0, 0));
        assertTrue(map.containsKey(5));
        byte[] target = new byte[20];
        int[] lengths = new int[2];
        assertEquals(8, map.getBytes(5, target, 0));
        assertEquals(8, map.getAllBytes(new long[] {5, 6}, 0, 2, target, 0, lengths));
        assertEquals(4, stats("numbers").hits(), stats("numbers").toString());
        target[0] = 99;
        byte[] first = map.get(5);
        assertNotNull(first);
        first[0] = 99;
        assertEquals(1, map.get(5)[0], "a caller's array is no copy");
        near.withLevel(WriteLevel.OWNER).longMap("owner", Codecs.LONG).get(1);
        assertNull(stats("owner"));
    }

    // ---- sorted maps ----

    /** Changes by any method of an object end its copies, and those of another object; a walk ends them, too. */
    @Test
    void sortedMap_ownChangeOfAnyMethod_isShownByTheNextRead() {
        ChunkSortedMap<String, Long> map = near.sortedMap("sorted-own", String.class, Long.class);
        ChunkSortedMap<String, Long> same = near.withLevel(WriteLevel.OWNER).sortedMap("sorted-own", String.class,
            Long.class);
        ChunkSortedMap<String, Long> model = other.sortedMap("sorted-own", String.class, Long.class);
        List<Consumer<ChunkSortedMap<String, Long>>> changes = List.of(it -> it.put("a", 1L), it -> it.set("a", 2L),
            it -> it.replace("a", 3L), it -> it.replace("a", 3L, 4L), it -> it.merge("a", 1L, Long::sum),
            it -> it.apply("a", ValueChange.add(1L)), it -> it.modify("a", ValueChange.add(1L)),
            it -> it.putAll(Map.of("a", 20L, "b", 3L)), it -> it.replaceAll((_, value) -> value + 1),
            it -> it.entrySet().removeIf(entry -> entry.getValue() == 21L), it -> it.putIfAbsent("a", 5L),
            it -> it.computeIfAbsent("c", _ -> 6L), it -> it.remove("c"), it -> it.delete("b"),
            it -> it.keySet().removeAll(List.of("a")), it -> it.put("a", 7L), it -> it.remove("a", 7L),
            it -> it.putAll(Map.of("a", 20L, "b", 3L)), ChunkSortedMap::pollFirstEntry,
            it -> it.put("a", 7L), it -> it.headMap("b").clear(), ChunkSortedMap::clear);
        List<String> keys = List.of("a", "b", "c");
        for (ChunkSortedMap<String, Long> changed : List.of(map, same)) {
            for (int i = 0; i < changes.size(); i++) {
                keys.forEach(map::get);
                changes.get(i).accept(changed);
                for (String key : keys) {
                    assertEquals(model.get(key), map.get(key), "change " + i + " of " + key);
                    assertEquals(model.containsKey(key), map.containsKey(key), "change " + i + " of " + key);
                }
                assertEquals(model.getAll(keys), map.getAll(keys), "change " + i);
            }
        }
        assertTrue(stats("sorted-own").hits() > 2L * changes.size(), stats("sorted-own").toString());
    }

    @Test
    void sortedMap_changeOfAnotherClient_isShownAfterTheBound_orAfterALook() {
        ChunkSortedMap<String, Long> copied = near.sortedMap("sorted", String.class, Long.class);
        ChunkSortedMap<String, Long> direct = other.sortedMap("sorted", String.class, Long.class);
        List<Consumer<ChunkSortedMap<String, Long>>> looks = List.of(_ -> clock.leap(CONFIG.bound()),
            it -> it.getAll(List.of("a")), it -> it.forEach((_, _) -> { }), SortedMap::firstKey,
            it -> assertEquals(1, it.headMap("b").size()), it -> it.putIfAbsent("a", 0L),
            it -> it.replace("a", 0L, 1L));
        for (int i = 0; i < looks.size(); i++) {
            direct.put("a", 100L + i);
            clock.leap(CONFIG.bound());
            assertEquals(100L + i, copied.get("a"));
            direct.put("a", 200L + i);
            assertEquals(100L + i, copied.get("a"), "within the bound");
            looks.get(i).accept(copied);
            assertEquals(200L + i, copied.get("a"), "look " + i);
        }
        ChunkSortedLongMap<byte[]> numbers = near.sortedLongMap("sorted-numbers", Codecs.BYTES);
        numbers.set(5, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        assertEquals(numbers.getLong(5, 0, 0), numbers.getLong(5, 0, 0));
        assertEquals(8, numbers.getBytes(5, new byte[8], 0));
        assertEquals(2, stats("sorted-numbers").hits());
        assertTrue(near.names().drop("sorted"));
        assertThrows(IllegalStateException.class, () -> copied.get("a"));
    }

    // ---- histories ----

    /**
     * Goal: under threads of two clients no read is older than the bound, and the reads and changes of a client never
     * go back. Each key has one writer, whose values rise: so the order of all values is known.
     */
    @Test
    void history_ofThreads_neverGoesBack_andKeepsTheBound() throws Exception {
        ClusterStore brief = other.withNearCache(NearCacheConfig.of(1 << 20, Duration.ofMillis(BRIEF_MS)));
        ClusterStore writers = cluster.connect().withNearCache(NearCacheConfig.of(1 << 16, CONFIG.bound()));
        AtomicBoolean isOver = new AtomicBoolean();
        List<History> keys = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            keys.add(new History());
        }
        try (writers; ExecutorService threads = Executors.newFixedThreadPool(KEYS + READERS)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < KEYS; i++) {
                int key = i;
                running.add(threads.submit(() -> write(writers.map("history", Integer.class, Long.class), key,
                    keys.get(key))));
            }
            List<Future<?>> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                int reader = i;
                readers.add(threads.submit(() -> read(brief.map("history", Integer.class, Long.class), reader, keys,
                    isOver)));
            }
            try {
                for (Future<?> each : running) {
                    each.get(LIMIT_S, TimeUnit.SECONDS);
                }
            } finally {
                isOver.set(true);
            }
            for (Future<?> each : readers) {
                each.get(LIMIT_S, TimeUnit.SECONDS);
            }
        }
        NearCacheStats stats = brief.nearCaches().get("history");
        assertTrue(stats.hits() > stats.misses(), stats.toString());
    }

    /** What is known about a key: when each value was acknowledged, and the highest value that the reader has seen. */
    private static final class History {
        private final AtomicLongArray acknowledgedNs = new AtomicLongArray(CHANGES + 1);
        private final AtomicLong acknowledged = new AtomicLong();
        private final AtomicLong seen = new AtomicLong();
    }

    private static void write(ChunkMap<Integer, Long> map, int key, History history) {
        for (long value = 1; value <= CHANGES; value++) {
            if (value % 3 == 0) {
                assertEquals(value, map.apply(key, ValueChange.add(1L)));
            } else {
                map.put(key, value);
            }
            history.acknowledgedNs.set((int) value, System.nanoTime());
            history.acknowledged.set(value);
            assertEquals(value, map.get(key), "the writer reads what it has written");
            assertEquals(value, map.get(key), "and its copy");
        }
    }

    private static void read(ChunkMap<Integer, Long> map, int reader, List<History> keys, AtomicBoolean isOver) {
        SplittableRandom random = new SplittableRandom(reader);
        while (!isOver.get()) {
            int key = random.nextInt(KEYS);
            History history = keys.get(key);
            long seen = history.seen.get();
            long beganNs = System.nanoTime();
            long last = history.acknowledged.get();
            Long found = random.nextInt(4) == 0 ? map.getAll(List.of(key)).get(key) : map.get(key);
            long value = found == null ? 0 : found;
            assertTrue(value >= seen, "value " + value + " of key " + key + " behind value " + seen);
            history.seen.accumulateAndGet(value, Math::max);
            if (value < last) {
                long staleNs = beganNs - history.acknowledgedNs.get((int) value + 1);
                assertTrue(staleNs <= TimeUnit.MILLISECONDS.toNanos(BRIEF_MS), "value " + value + " of key " + key
                    + " was replaced " + staleNs + " ns before the read");
            }
        }
    }
}
