package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.collect.ValueChange;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Queues, lists and sorted maps of a cluster whose owners are killed: each change counts once, and none is missing. */
@FullTier("kills of peers with real messages; ChangesOnceTest fails over in the gate")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerCollectionKillTest {
    private static final int PEERS = 4;
    private static final int THREADS = 3;
    private static final int KILLS = 2;
    private static final long ROUNDS = 30;
    private static final int LONG_BYTES = 1_500;
    private static final int LONG_ODDS = 5;
    private static final long LIMIT_S = 120;

    @TempDir
    private Path folder;

    private PeerCluster cluster;
    private ClusterStore store;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicLong rounds = new AtomicLong();

    @BeforeEach
    void start() throws IOException {
        cluster = new PeerCluster("collection-kills-" + System.nanoTime(), folder, 2);
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

    /** Runs workers while the owners of a collection, which is in one of the zones, are killed. */
    private void run(List<Callable<Void>> workers) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(workers.size())) {
            List<Future<Void>> running = new ArrayList<>();
            workers.forEach(each -> running.add(threads.submit(each)));
            for (int killed = 0; killed < KILLS; killed++) {
                awaitRounds();
                cluster.killAttested(owner());
                cluster.owner(1);
            }
            awaitRounds();
            isOver.set(true);
            for (Future<Void> each : running) {
                each.get(LIMIT_S, TimeUnit.SECONDS);
            }
        } finally {
            isOver.set(true);
        }
    }

    private void awaitRounds() {
        long next = rounds.get() + ROUNDS;
        PeerCluster.await(() -> rounds.get() >= next, () -> "rounds " + rounds);
    }

    /** Returns the number of the peer that owns the only collection of this test. */
    private int owner() {
        return cluster.peers().stream().filter(peer -> cluster.rows().stream().anyMatch(row -> row.zone() != 1
            && row.owner() != null && row.owner().nid() == peer.node().nid() && hasCollection(peer, row.zone())))
            .mapToInt(cluster::numberOf).findFirst().orElseGet(() -> cluster.numberOf(cluster.owner(1)));
    }

    private static boolean hasCollection(Peer peer, int zone) {
        var view = peer.host().serving(zone);
        return view != null && !view.names().all().isEmpty();
    }

    /** An element: its number, and more bytes for some, which take two round trips. */
    private static long[] element(long number) {
        long[] element = new long[number % LONG_ODDS == 0 ? LONG_BYTES / Long.BYTES : 1];
        element[0] = number;
        return element;
    }

    /** Goal: each element that was offered is polled exactly once, and those of a producer in their order. */
    @Test
    void queue_whoseOwnersAreKilled_losesNoElement_andGivesNoneTwice() throws Exception {
        ChunkQueue<long[]> queue = store.queue("jobs", long[].class);
        Map<Long, Integer> polled = new ConcurrentHashMap<>();
        long[] offered = new long[THREADS];
        List<Callable<Void>> workers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            workers.add(() -> {
                for (long next = 1; !isOver.get(); next++) {
                    queue.add(element(next * THREADS + thread));
                    offered[thread] = next;
                    rounds.incrementAndGet();
                }
                return null;
            });
        }
        for (int i = 0; i < 2; i++) {
            workers.add(() -> {
                long[] last = new long[THREADS];
                while (!isOver.get()) {
                    takeOne(queue, polled, last);
                }
                return null;
            });
        }
        run(workers);
        long[] last = new long[THREADS];
        while (takeOne(queue, polled, last)) {
            rounds.incrementAndGet();
        }
        queue.audit();
        Set<Long> expected = new HashSet<>();
        for (int thread = 0; thread < THREADS; thread++) {
            for (long next = 1; next <= offered[thread]; next++) {
                expected.add(next * THREADS + thread);
            }
        }
        assertEquals(expected, polled.keySet());
        assertEquals(Set.of(1), new HashSet<>(polled.values()), "no element twice");
    }

    private static boolean takeOne(ChunkQueue<long[]> queue, Map<Long, Integer> polled, long[] last) {
        long[] element = queue.poll();
        if (element == null) {
            return false;
        }
        assertEquals(element(element[0]).length, element.length);
        int thread = (int) (element[0] % THREADS);
        assertTrue(element[0] > last[thread], "the order of producer " + thread);
        last[thread] = element[0];
        polled.merge(element[0], 1, Integer::sum);
        return true;
    }

    /** Goal: no addition is missing or twice, and each removal takes the element that it returns. */
    @Test
    void list_whoseOwnersAreKilled_hasEachElementOnce() throws Exception {
        ChunkList<long[]> list = store.list("entries", long[].class);
        Map<Long, Integer> removed = new ConcurrentHashMap<>();
        long[] added = new long[THREADS];
        List<Callable<Void>> workers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            workers.add(() -> {
                for (long next = 1; !isOver.get(); next++) {
                    if (next % 3 == 0) {
                        list.addFirst(element(next * THREADS + thread));
                    } else {
                        list.add(element(next * THREADS + thread));
                    }
                    added[thread] = next;
                    if (next % 4 == 0) {
                        removed.merge(list.removeFirst()[0], 1, Integer::sum);
                    }
                    rounds.incrementAndGet();
                }
                return null;
            });
        }
        run(workers);
        list.audit();
        Map<Long, Integer> found = new HashMap<>(removed);
        list.forEach(element -> found.merge(element[0], 1, Integer::sum));
        assertEquals(Arrays.stream(added).sum(), found.size());
        assertEquals(Set.of(1), new HashSet<>(found.values()), "no element twice");
    }

    /** Goal: no addition is missing or counts twice, and the value before comes back. */
    @Test
    void sortedMap_whoseOwnersAreKilled_countsOnce() throws Exception {
        ChunkSortedMap<Integer, Long> sums = store.sortedMap("sums", Integer.class, Long.class);
        Sum.register();
        AtomicLong expected = new AtomicLong();
        List<Callable<Void>> workers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            workers.add(() -> {
                for (long round = 1; !isOver.get(); round++) {
                    switch ((int) (round % 4)) {
                        case 0 -> sums.merge((int) (round % 7), round, Long::sum);
                        case 2 -> store.functions().call(sums, (int) (round % 7), Sum.NAME, Sum.bytes(round));
                        case 1 -> sums.apply((int) (round % 7), ValueChange.add(round));
                        default -> assertTrue(sums.modify((int) (round % 7), ValueChange.add(round)));
                    }
                    expected.addAndGet(round);
                    Long before = sums.put(100 + thread, round);
                    assertEquals(round == 1 ? null : round - 1, before, "the value before of thread " + thread);
                    assertEquals(round, sums.get(100 + thread));
                    rounds.incrementAndGet();
                }
                return null;
            });
        }
        run(workers);
        sums.audit();
        assertEquals(expected.get(), sums.headMap(100).values().stream().mapToLong(each -> each).sum());
        assertEquals(100 + THREADS - 1, sums.lastKey());
    }
}
