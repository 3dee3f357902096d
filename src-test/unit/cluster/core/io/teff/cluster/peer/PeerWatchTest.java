package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ChangeStream;
import io.teff.cluster.ChangeStream.Event;
import io.teff.cluster.ChangeStream.Gap;
import io.teff.cluster.ChangeStream.Put;
import io.teff.cluster.ChangeStream.Removed;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.WatchOptions;
import io.teff.cluster.WatchPosition;
import io.teff.cluster.admin.NodeStatus;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.collect.ValueChange;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Streams of the changes of maps and sets, over two peers in this process. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerWatchTest {
    private static final int PEERS = 2;
    private static final int ZONES = 4;
    private static final long NONE_NS = 1;
    private static final long WAIT_NS = 20_000_000_000L;
    private static final long QUIET_NS = 300_000_000L;

    @TempDir
    private static Path folder;

    private static PeerCluster cluster;
    private static ClusterStore store;

    @BeforeAll
    static void start() throws IOException {
        cluster = new PeerCluster("watch-test-" + System.nanoTime(), folder, 1);
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

    /** Takes all events that a stream has now. */
    static <K, V> List<Event<K, V>> drain(ChangeStream<K, V> changes) {
        List<Event<K, V>> events = new ArrayList<>();
        Optional<Event<K, V>> next = changes.next(NONE_NS);
        while (next.isPresent()) {
            events.add(next.get());
            next = changes.next(NONE_NS);
        }
        return events;
    }

    /** Makes the changes of events in a map, and checks that the numbers of each partition have no hole. */
    static <K, V> void replay(List<Event<K, V>> events, Map<K, V> into, Map<Integer, Long> numbers) {
        for (Event<K, V> event : events) {
            Long before = numbers.put(event.partition(), event.number());
            if (before != null) {
                assertEquals(before + 1, event.number(), event.toString());
            }
            switch (event) {
                case Put<K, V> put -> into.put(put.key(), put.value());
                case Removed<K, V> removed -> into.remove(removed.key());
                case Gap<K, V> gap -> throw new AssertionError(gap);
            }
        }
    }

    // ---- sorted maps and queues ----

    private static Map<String, Long> replayed(ChangeStream<String, Long> changes, Map<Integer, Long> numbers) {
        Map<String, Long> again = new HashMap<>();
        replay(drain(changes), again, numbers);
        return again;
    }

    @Test
    void changesOfASortedMap_ofEachMethod_areShownOnce_inOrder() {
        ChunkSortedMap<String, Long> map = store.sortedMap("sorted-kinds", String.class, Long.class);
        map.put("before", 1L);
        try (ChangeStream<String, Long> changes = store.watch(map, WatchOptions.all())) {
            assertEquals(Optional.empty(), changes.next(NONE_NS));
            map.put("k", 1L);
            map.set("k", 2L);
            assertEquals(2L, map.putIfAbsent("k", 9L));
            assertFalse(map.replace("k", 7L, 8L));
            map.merge("k", 3L, Long::sum);
            assertEquals(6L, map.apply("k", ValueChange.add(1)));
            assertFalse(map.modify("k", ValueChange.max(0)));
            assertFalse(map.delete("none"));
            assertEquals(6L, map.remove("k"));
            map.putAll(Map.of("a", 1L, "b", 2L, "c", 3L));
            assertTrue(map.keySet().removeAll(Set.of("b", "x")));
            assertEquals("a", map.pollFirstEntry().getKey());
            map.subMap("c", true, "d", true).clear();
            List<Event<String, Long>> events = drain(changes);
            assertEquals(List.of(new Put<>("k", 1L, 0, 1), new Put<>("k", 2L, 0, 2), new Put<>("k", 5L, 0, 3),
                new Put<>("k", 6L, 0, 4), new Removed<>("k", 0, 5), new Put<>("a", 1L, 0, 6), new Put<>("b", 2L, 0, 7),
                new Put<>("c", 3L, 0, 8), new Removed<>("b", 0, 9), new Removed<>("a", 0, 10),
                new Removed<>("c", 0, 11)), events);
            map.clear();
            assertEquals(List.of(new Removed<>("before", 0, 12)), drain(changes));
        }
    }

    /** A stream of a sorted map that was away continues, or is told of the gap. */
    @Test
    void streamOfASortedMap_thatWasAway_continues_orHasAGap() {
        ChunkSortedMap<Long, String> map = store.sortedMap("sorted-away", Long.class, String.class);
        WatchPosition position;
        try (ChangeStream<Long, String> changes = store.watch(map, WatchOptions.all().keeping(16, 64 << 10))) {
            map.put(1L, "one");
            assertEquals(1, drain(changes).size());
            position = WatchPosition.of(changes.position().toBytes());
        }
        map.put(2L, "two");
        map.remove(1L);
        try (ChangeStream<Long, String> changes = store.watch(map, WatchOptions.all().from(position))) {
            assertEquals(List.of(new Put<>(2L, "two", 0, 2), new Removed<>(1L, 0, 3)), drain(changes));
        }
        for (long key = 10; key < 100; key++) {
            map.put(key, "many");
        }
        try (ChangeStream<Long, String> changes = store.watch(map, WatchOptions.all().from(position))) {
            assertEquals(List.of(new Gap<>(0, 93)), drain(changes));
            map.put(5L, "five");
            assertEquals(List.of(new Put<>(5L, "five", 0, 94)), drain(changes));
        }
        try (ChangeStream<Long, String> changes = store.watch(map, WatchOptions.ofKey(7L))) {
            map.put(6L, "six");
            map.put(7L, "seven");
            assertEquals(List.of(new Put<>(7L, "seven", 0, 96)), drain(changes));
        }
    }

    @Test
    void clearOfAWatchedSortedMap_ofLongKeys_showsEachRemoval() {
        ChunkSortedMap<String, Long> map = store.sortedMap("sorted-long", String.class, Long.class);
        try (ChangeStream<String, Long> changes = store.watch(map, WatchOptions.all().keeping(1024, 8 << 20))) {
            Map<Integer, Long> numbers = new HashMap<>();
            for (int i = 0; i < 600; i++) {
                map.put(i + "-" + "k".repeat(500), (long) i);
            }
            assertEquals(Map.copyOf(map), replayed(changes, numbers));
            map.clear();
            List<Event<String, Long>> events = drain(changes);
            assertEquals(600, events.size());
            assertTrue(events.stream().allMatch(Removed.class::isInstance));
            map.audit();
        }
    }

    /** A map that gets the events of a queue has the elements in their order. */
    @Test
    void changesOfAQueue_haveItsElements_inOrder() {
        ChunkQueue<String> queue = store.queue("watched-queue", Codecs.STRING);
        queue.add("before");
        try (ChangeStream<Long, String> changes = store.watch(queue, WatchOptions.all())) {
            assertEquals(Optional.empty(), changes.next(NONE_NS));
            queue.addAll(List.of("a", "b", "c"));
            queue.add("d".repeat(2_000));
            for (int i = 0; i < 100; i++) {
                queue.add("e" + i + "e".repeat(100));           // several segments
            }
            assertEquals("before", queue.poll());
            assertTrue(queue.skip());
            assertTrue(queue.remove("c"));
            assertFalse(queue.remove("none"));
            Map<Long, String> again = new LinkedHashMap<>();
            List<Event<Long, String>> events = drain(changes);
            replay(events, again, new HashMap<>());
            assertEquals(List.copyOf(queue), List.copyOf(again.values()));
            assertEquals(107, events.size());
            queue.clear();
            replay(drain(changes), again, new HashMap<>());
            assertEquals(Map.of(), again);
            assertThrows(IllegalArgumentException.class, () -> store.watch(queue, WatchOptions.ofKey(1L)));
        }
        assertTrue(store.names().drop("watched-queue"));
        assertThrows(IllegalStateException.class, () -> store.watch(queue, WatchOptions.all()));
    }

    // ---- hash maps and sets ----

    @Test
    void changes_ofEachKind_areShownOnce_inOrder() {
        ChunkMap<String, Long> map = store.map("kinds", String.class, Long.class);
        map.put("before", 1L);
        try (ChangeStream<String, Long> changes = store.watch(map, WatchOptions.all())) {
            assertEquals(Optional.empty(), changes.next(NONE_NS));
            map.put("k", 1L);
            map.put("k", 2L);
            assertEquals(2L, map.putIfAbsent("k", 9L));
            map.merge("k", 5L, Long::sum);
            assertEquals(10L, map.apply("k", ValueChange.add(3L)));
            assertFalse(map.replace("k", 1L, 2L));
            assertTrue(map.replace("k", 10L, 11L));
            map.delete("absent");
            map.remove("k");
            List<Event<String, Long>> events = drain(changes);
            int partition = events.getFirst().partition();
            long first = events.getFirst().number();
            assertEquals(List.of(new Put<>("k", 1L, partition, first), new Put<>("k", 2L, partition, first + 1),
                new Put<>("k", 7L, partition, first + 2), new Put<>("k", 10L, partition, first + 3),
                new Put<>("k", 11L, partition, first + 4), new Removed<>("k", partition, first + 5)), events);
        }
    }

    @Test
    void batches_andClear_areReplayedToTheSameMap() {
        ChunkMap<String, Long> map = store.map("batches", String.class, Long.class);
        Map<String, Long> again = new HashMap<>();
        Map<Integer, Long> numbers = new HashMap<>();
        try (ChangeStream<String, Long> changes = store.watch(map, WatchOptions.all())) {
            Map<String, Long> many = new HashMap<>();
            IntStream.range(0, 500).forEach(i -> many.put("key " + i, (long) i));
            map.putAll(many);
            replay(drain(changes), again, numbers);
            assertEquals(many, again);
            map.keySet().removeAll(IntStream.range(0, 100).mapToObj(i -> "key " + i).toList());
            map.modifyAll(IntStream.range(100, 200).mapToObj(i -> "key " + i).toList(), ValueChange.add(7L));
            map.replaceAll((key, value) -> value % 2 == 0 ? value : -value);
            replay(drain(changes), again, numbers);
            assertEquals(map, again);
            map.clear();
            replay(drain(changes), again, numbers);
            assertEquals(Map.of(), again);
        }
    }

    @Test
    void filters_showKeysAndPrefixes() {
        ChunkMap<String, String> map = store.map("filters", String.class, String.class);
        ChunkMap<byte[], byte[]> bytes = store.map("filters of bytes", Codecs.BYTES, Codecs.BYTES);
        try (ChangeStream<String, String> one = store.watch(map, WatchOptions.ofKey("b/1"));
             ChangeStream<String, String> some = store.watch(map, WatchOptions.ofPrefix("b/"));
             ChangeStream<byte[], byte[]> few = store.watch(bytes, WatchOptions.ofPrefix(new byte[] {1, 2}))) {
            for (String key : List.of("a/1", "b/1", "b/2", "b", "c/b/", "b/\u20ac")) {
                map.put(key, "v");
            }
            bytes.put(new byte[] {1, 2, 3}, new byte[0]);
            bytes.put(new byte[] {1}, new byte[0]);
            assertEquals(List.of("b/1"), drain(one).stream().map(it -> ((Put<String, String>) it).key()).toList());
            assertEquals(Set.of("b/1", "b/2", "b/\u20ac"), new HashSet<>(drain(some).stream()
                .map(it -> ((Put<String, String>) it).key()).toList()));
            assertEquals(1, drain(few).size());
            assertThrows(IllegalArgumentException.class, () -> store.watch(bytes, WatchOptions.ofPrefix("b")));
        }
    }

    @Test
    void streamThatWasAway_continuesAtItsPosition() {
        ChunkLongMap<Long> map = store.longMap("away", Codecs.LONG);
        WatchPosition position;
        Map<Long, Long> again = new HashMap<>();
        Map<Integer, Long> numbers = new HashMap<>();
        try (ChangeStream<Long, Long> changes = store.watch(map, WatchOptions.all())) {
            for (long key = 0; key < 100; key++) {
                map.put(key, key);
            }
            for (int i = 0; i < 30; i++) {                      // the answer has more than these
                replay(List.of(changes.next(WAIT_NS).orElseThrow()), again, numbers);
            }
            position = WatchPosition.of(changes.position().toBytes());
            assertEquals(changes.position(), position);
        }
        for (long key = 50; key < 150; key++) {
            map.put(key, -key);
        }
        try (ChangeStream<Long, Long> changes = store.watch(map, WatchOptions.all().from(position))) {
            replay(drain(changes), again, numbers);
            assertEquals(map, again);
        }
        assertThrows(IllegalArgumentException.class, () -> WatchPosition.of(new byte[13]));
    }

    @Test
    void streamThatWasAwayTooLong_hasAGap_andContinues() {
        ChunkMap<String, byte[]> map = store.map("gaps", Codecs.STRING, Codecs.BYTES);
        WatchPosition position;
        try (ChangeStream<String, byte[]> changes = store.watch(map, WatchOptions.ofKey("k").keeping(16, 64 << 10))) {
            map.put("k", new byte[1]);
            assertEquals(1, drain(changes).size());
            position = changes.position();
        }
        for (int i = 0; i < 17; i++) {
            map.put("k", new byte[i]);
        }
        WatchOptions again = WatchOptions.ofKey("k").from(position);
        try (ChangeStream<String, byte[]> changes = store.watch(map, again)) {
            Event<String, byte[]> gap = changes.next(WAIT_NS).orElseThrow();
            assertEquals(new Gap<>(gap.partition(), 18), gap);
            map.put("k", new byte[2]);
            assertEquals(19, changes.next(WAIT_NS).orElseThrow().number());
            position = changes.position();
        }
        for (int i = 0; i < 6; i++) {                           // more than 64 KiB
            map.put("k", new byte[15_000]);
        }
        try (ChangeStream<String, byte[]> changes = store.watch(map, again.from(position))) {
            assertTrue(changes.next(WAIT_NS).orElseThrow() instanceof Gap<String, byte[]>);
            map.put("k", new byte[100_000]);
            assertNull(((Put<String, byte[]>) changes.next(WAIT_NS).orElseThrow()).value());
        }
        store.names().drop("gaps");
        ChunkMap<String, byte[]> next = store.map("gaps", Codecs.STRING, Codecs.BYTES);
        try (ChangeStream<String, byte[]> changes = store.watch(next, again.from(position))) {
            assertTrue(changes.next(WAIT_NS).orElseThrow() instanceof Gap<String, byte[]>, "another collection");
        }
    }

    @Test
    void listener_getsEachEvent_untilTheStreamIsClosed() {
        ChunkSet<String> set = store.set("listened", String.class);
        List<Event<String, Boolean>> seen = new CopyOnWriteArrayList<>();
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            try (ChangeStream<String, Boolean> changes = store.watch(set, WatchOptions.all())) {
                changes.listen(threads, seen::add);
                set.add("a");
                set.add("a");
                set.remove("a");
                Threads.await("both events", () -> seen.size() == 2);
            }
        }
        assertTrue(seen.get(0) instanceof Put<String, Boolean> && seen.get(1) instanceof Removed<String, Boolean>);
    }

    /** Goal: a stream without changes asks its owners for changes twice, whatever its time, and waits at the owners. */
    @Test
    void streamWithoutChanges_asksOwnersOnce_untilAChangeOrTheEnd() throws Exception {
        ChunkMap<Long, Long> map = store.map("quiet", Codecs.LONG, Codecs.LONG);
        try (ExecutorService threads = Executors.newSingleThreadExecutor();
             ChangeStream<Long, Long> changes = store.watch(map, WatchOptions.all())) {
            long before = requests();
            assertEquals(Optional.empty(), changes.next(QUIET_NS));
            assertTrue(requests() - before <= 2 * PEERS * ZONES, (requests() - before) + " questions");
            Future<Optional<Event<Long, Long>>> next = threads.submit(() -> changes.next(WAIT_NS));
            Threads.await("the questions", () -> waiting() >= PEERS);
            map.put(1L, 2L);
            assertTrue(next.get(WAIT_NS, TimeUnit.NANOSECONDS).orElseThrow() instanceof Put<Long, Long>);
        }
        Threads.await("no question", () -> waiting() == 0);
    }

    private static long requests() {
        return IntStream.range(0, PEERS).mapToLong(i -> cluster.peer(i).figures(true).zones().stream()
            .mapToLong(NodeStatus.ZoneUse::operations).sum()).sum();
    }

    private static int waiting() {
        return IntStream.range(0, PEERS).map(i -> cluster.peer(i).waits()).sum();
    }

    @Test
    void streams_ofAClient_areBounded() {
        ChunkMap<Long, Long> map = store.map("bounded", Codecs.LONG, Codecs.LONG);
        List<ChangeStream<Long, Long>> open = new ArrayList<>();
        try (ClusterStore other = cluster.connect()) {
            ChunkMap<Long, Long> same = other.map("bounded", Codecs.LONG, Codecs.LONG);
            for (int i = 0; i < ChangeStream.STREAMS_MAX; i++) {
                open.add(other.watch(same, WatchOptions.ofKey(1L)));
            }
            assertThrows(IllegalStateException.class, () -> other.watch(same, WatchOptions.all()));
            open.getFirst().close();
            open.getFirst().close();
            assertThrows(IllegalStateException.class, () -> open.getFirst().next(NONE_NS));
            other.watch(same, WatchOptions.all()).close();
            assertThrows(IllegalArgumentException.class, () -> other.watch(map, WatchOptions.all()));
        }
        assertThrows(IllegalArgumentException.class, () -> WatchOptions.all().keeping(1, 1 << 20));
    }
}
