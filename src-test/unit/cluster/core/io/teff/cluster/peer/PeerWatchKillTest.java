package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.ChangeStream;
import io.teff.cluster.ChangeStream.Event;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.WatchOptions;
import io.teff.cluster.WatchPosition;
import io.teff.engine.Cid;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Streams of changes of a map whose owners are killed: no event is missing, doubled, or has another number. */
@FullTier("kills of peers with real messages; WholeSimulationTest kills peers under watches, virtual (Mix.WATCHES)")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerWatchKillTest {
    private static final int PEERS = 4;
    private static final int THREADS = 3;
    private static final int KEYS = 40;
    private static final int MANY = 20;
    private static final int KEPT_EVENTS = 16_384;
    private static final long KEPT_BYTES = 8L << 20;
    private static final long LIMIT_S = 120;

    @TempDir
    private Path folder;

    private PeerCluster cluster;
    private ClusterStore store;

    @BeforeEach
    void start() throws IOException {
        cluster = new PeerCluster("watch-kill-test-" + System.nanoTime(), folder, 2);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i);
        }
        cluster.awaitServed(PEERS * 6);
        store = cluster.connect();
    }

    @AfterEach
    void close() throws IOException {
        store.close();
        cluster.close();
    }

    /** Goal: a watcher that follows, and a watcher that reads everything afterwards, see the history of the map. */
    @Test
    void events_whileOwnersAreKilled_areTheChangesOfTheMap() throws Exception {
        ChunkMap<Integer, Long> map = store.map("watched", Integer.class, Long.class);
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicLong rounds = new AtomicLong();
        List<Event<Integer, Long>> seen = new ArrayList<>();
        WatchPosition begin;
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);
             ChangeStream<Integer, Long> changes = store.watch(map, WatchOptions.all()
                 .keeping(KEPT_EVENTS, KEPT_BYTES))) {
            begin = changes.position();
            List<Future<Map<Integer, Integer>>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                running.add(threads.submit(() -> work(map, thread, isOver, rounds)));
            }
            Future<?> watcher = threads.submit(() -> follow(changes, seen, isOver));
            for (int killed = 0; killed < 2; killed++) {
                long next = rounds.get() + 20;
                PeerCluster.await(() -> rounds.get() >= next, () -> "rounds " + rounds);
                cluster.killAttested(cluster.numberOf(cluster.owner(1)));
                cluster.owner(1);
            }
            long next = rounds.get() + 20;
            PeerCluster.await(() -> rounds.get() >= next, () -> "rounds " + rounds);
            isOver.set(true);
            Map<Integer, Integer> made = new HashMap<>();
            for (Future<Map<Integer, Integer>> each : running) {
                each.get(LIMIT_S, TimeUnit.SECONDS).forEach((key, count) -> made.merge(key, count, Integer::sum));
            }
            watcher.get(LIMIT_S, TimeUnit.SECONDS);
            seen.addAll(PeerWatchTest.drain(changes));
            Map<Integer, Long> again = new HashMap<>();
            PeerWatchTest.replay(seen, again, new HashMap<>());
            assertEquals(Map.copyOf(map), again);
            Map<Integer, Integer> shown = new HashMap<>();
            seen.forEach(event -> shown.merge(key(event), 1, Integer::sum));
            assertEquals(made, shown, "changes of each key");
        }
        try (ChangeStream<Integer, Long> changes = store.watch(map, WatchOptions.all().from(begin))) {
            assertEquals(byPartition(seen), byPartition(PeerWatchTest.drain(changes)));
        }
    }

    /** Goal: a next owner continues the numbers of a queue and of a sorted map, each with the event of its change. */
    @Test
    void eventsOfAQueueAndASortedMap_whileTheirOwnersAreKilled_areTheirChanges() throws Exception {
        ChunkQueue<Long> queue = store.queue("watched-queue", Codecs.LONG);
        ChunkSortedMap<Integer, Long> sorted = store.sortedMap("watched-sorted", Integer.class, Long.class);
        WatchOptions options = WatchOptions.all().keeping(KEPT_EVENTS, KEPT_BYTES);
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicLong rounds = new AtomicLong();
        try (ExecutorService threads = Executors.newFixedThreadPool(2);
             ChangeStream<Long, Long> ofQueue = store.watch(queue, options);
             ChangeStream<Integer, Long> ofSorted = store.watch(sorted, options)) {
            List<Future<?>> running = List.of(threads.submit(() -> work(queue, isOver, rounds)),
                threads.submit(() -> work(sorted, isOver, rounds)));
            for (int zone : new int[] {Cid.nid(ofQueue.position().ring(0)), Cid.nid(ofSorted.position().ring(0))}) {
                long next = rounds.get() + 20;
                PeerCluster.await(() -> rounds.get() >= next, () -> "rounds " + rounds);
                cluster.killAttested(cluster.numberOf(cluster.owner(zone)));
                cluster.owner(zone);
            }
            long next = rounds.get() + 20;
            PeerCluster.await(() -> rounds.get() >= next, () -> "rounds " + rounds);
            isOver.set(true);
            for (Future<?> each : running) {
                each.get(LIMIT_S, TimeUnit.SECONDS);
            }
            Map<Long, Long> elements = new LinkedHashMap<>();
            PeerWatchTest.replay(PeerWatchTest.drain(ofQueue), elements, new HashMap<>());
            assertEquals(List.copyOf(queue), List.copyOf(elements.values()));
            Map<Integer, Long> entries = new HashMap<>();
            PeerWatchTest.replay(PeerWatchTest.drain(ofSorted), entries, new HashMap<>());
            assertEquals(Map.copyOf(sorted), entries);
        }
    }

    private static void work(ChunkQueue<Long> queue, AtomicBoolean isOver, AtomicLong rounds) {
        for (long i = 0; !isOver.get(); i++) {
            queue.add(i);
            if (i % 3 == 0) {
                queue.poll();
            }
            rounds.incrementAndGet();
        }
    }

    private static void work(ChunkSortedMap<Integer, Long> map, AtomicBoolean isOver, AtomicLong rounds) {
        SplittableRandom random = new SplittableRandom(THREADS);
        while (!isOver.get()) {
            int key = random.nextInt(KEYS);
            switch (random.nextInt(4)) {
                case 0 -> map.merge(key, 1L, Long::sum);
                case 1 -> map.remove(key);
                case 2 -> map.putAll(Map.of(key, 1L, KEYS + key, 2L));
                default -> map.pollLastEntry();
            }
            rounds.incrementAndGet();
        }
    }

    private static int key(Event<Integer, Long> event) {
        return switch (event) {
            case ChangeStream.Put<Integer, Long> put -> put.key();
            case ChangeStream.Removed<Integer, Long> removed -> removed.key();
            case ChangeStream.Gap<Integer, Long> gap -> throw new AssertionError(gap);
        };
    }

    private static Map<Integer, List<Event<Integer, Long>>> byPartition(List<Event<Integer, Long>> events) {
        return events.stream().collect(Collectors.groupingBy(Event::partition));
    }

    private static void follow(ChangeStream<Integer, Long> changes, List<Event<Integer, Long>> seen,
                               AtomicBoolean isOver) {
        while (!isOver.get()) {
            changes.next(TimeUnit.MILLISECONDS.toNanos(100)).ifPresent(seen::add);
        }
    }

    /** Changes keys until the end; returns how often each key was changed. */
    private static Map<Integer, Integer> work(ChunkMap<Integer, Long> map, int thread, AtomicBoolean isOver,
                                              AtomicLong rounds) {
        SplittableRandom random = new SplittableRandom(thread);
        Map<Integer, Integer> made = new HashMap<>();
        while (!isOver.get()) {
            int key = random.nextInt(KEYS);
            switch (random.nextInt(4)) {
                case 0 -> {
                    map.merge(key, 1L, Long::sum);
                    made.merge(key, 1, Integer::sum);
                }
                case 1 -> {
                    if (map.remove(key) != null) {
                        made.merge(key, 1, Integer::sum);
                    }
                }
                case 2 -> {
                    Map<Integer, Long> many = new HashMap<>();
                    for (int i = 0; i < MANY; i++) {
                        many.put(random.nextInt(KEYS), random.nextLong(100));
                    }
                    map.putAll(many);
                    many.keySet().forEach(each -> made.merge(each, 1, Integer::sum));
                }
                default -> {
                    map.put(key, random.nextLong(100));
                    made.merge(key, 1, Integer::sum);
                }
            }
            rounds.incrementAndGet();
        }
        return made;
    }
}
