package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.meta.ZoneRow;
import io.teff.engine.ChunkStore;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ValueChange;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
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

/** Maps of a cluster whose owners and backups are killed: each change counts once, and no change is missing. */
@FullTier("kills of peers with real messages; WholeSimulationTest kills peers under maps in virtual time (Mix.MAPS)")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerMapKillTest {
    private static final int PEERS = 4;
    private static final int THREADS = 3;
    private static final int KEYS = 40;
    /** Entries that each thread puts at once. */
    private static final int MANY = 30;
    private static final int DROPPED = 3_000;
    private static final long LIMIT_S = 120;

    @TempDir
    private Path folder;

    private PeerCluster cluster;
    private ClusterStore store;

    @BeforeEach
    void start() throws IOException {
        cluster = new PeerCluster("map-test-" + System.nanoTime(), folder, 2);
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

    /** Goal: no addition is missing or counts twice, and no put is lost, while the owners of partitions are killed. */
    @Test
    void changes_whileOwnersAreKilled_countOnce() throws Exception {
        ChunkMap<Integer, Long> sums = store.map("sums", Integer.class, Long.class);
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicLong rounds = new AtomicLong();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<long[]>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                running.add(threads.submit(() -> work(sums, thread, isOver, rounds)));
            }
            for (int killed = 0; killed < 2; killed++) {
                long next = rounds.get() + 20;
                PeerCluster.await(() -> rounds.get() >= next, () -> "rounds " + rounds);
                cluster.killAttested(cluster.numberOf(cluster.owner(1)));
                cluster.owner(1);
            }
            long next = rounds.get() + 20;
            PeerCluster.await(() -> rounds.get() >= next, () -> "rounds " + rounds);
            isOver.set(true);
            long[] expected = new long[KEYS];
            for (Future<long[]> each : running) {
                long[] added = each.get(LIMIT_S, TimeUnit.SECONDS);
                for (int key = 0; key < KEYS; key++) {
                    expected[key] += added[key];
                }
            }
            for (int key = 0; key < KEYS; key++) {
                assertEquals(expected[key], sums.getOrDefault(key, 0L), "key " + key);
            }
        }
    }

    /** Goal: a backup that is recorded anew while a map changes has the whole map, and each change once. */
    @Test
    void map_ofANewBackup_isWhole() throws Exception {
        ChunkMap<Integer, Long> sums = store.map("sums", Integer.class, Long.class);
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicLong rounds = new AtomicLong();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<long[]>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                running.add(threads.submit(() -> work(sums, thread, isOver, rounds)));
            }
            long next = rounds.get() + 20;
            PeerCluster.await(() -> rounds.get() >= next, () -> "rounds " + rounds);
            Peer owner = cluster.owner(1);
            int backup = cluster.rows().getFirst().backups().getFirst().node().nid();
            Peer peer = cluster.peers().stream().filter(it -> it.node().nid() == backup).findFirst().orElseThrow();
            cluster.killAttested(cluster.numberOf(peer));
            PeerCluster.await(() -> cluster.rows().stream().allMatch(row -> row.backups().size() == 2
                && row.learners().isEmpty()), () -> cluster.rows().toString());
            cluster.killAttested(cluster.numberOf(owner));
            cluster.owner(1);
            isOver.set(true);
            long[] expected = new long[KEYS];
            for (Future<long[]> each : running) {
                long[] added = each.get(LIMIT_S, TimeUnit.SECONDS);
                Arrays.setAll(expected, key -> expected[key] + added[key]);
            }
            sums.audit();
            for (int key = 0; key < KEYS; key++) {
                assertEquals(expected[key], sums.getOrDefault(key, 0L), "key " + key);
            }
        }
    }

    /** Goal: a drop under which owners are killed leaves no partition, and the next collection is empty. */
    @Test
    void drop_whileOwnersAreKilled_leavesNothing() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
            for (int killed = 0; killed < 2; killed++) {
                ChunkMap<Integer, Long> map = store.map("dropped", Integer.class, Long.class);
                assertTrue(map.isEmpty());
                Map<Integer, Long> entries = new HashMap<>();
                for (int i = 0; i < DROPPED; i++) {
                    entries.put(i, (long) i);
                }
                map.putAll(entries);
                assertEquals(entries, map.getAll(entries.keySet()));
                int owner = cluster.numberOf(cluster.owner(1));
                Future<Boolean> dropped = threads.submit(() -> store.names().drop("dropped"));
                cluster.killAttested(owner);
                assertTrue(dropped.get(LIMIT_S, TimeUnit.SECONDS));
                assertThrows(IllegalStateException.class, () -> map.get(1));
            }
        }
        for (ZoneRow row : cluster.rows()) {
            ChunkStore zone = cluster.owner(row.zone()).host().serving(row.zone());
            PeerCluster.await(() -> zone != null && zone.names().all().keySet().stream()
                .noneMatch(name -> name.startsWith("dropped ")), () -> "zone " + row.zone() + " has a partition");
        }
    }

    /** Adds to shared keys, and puts to keys of its own, whose values before it knows. */
    private long[] work(ChunkMap<Integer, Long> sums, int thread, AtomicBoolean isOver, AtomicLong rounds) {
        Sum.register();
        SplittableRandom random = new SplittableRandom(thread);
        long[] added = new long[KEYS];
        int own = KEYS + thread;
        for (long round = 1; !isOver.get(); round++) {
            int key = random.nextInt(KEYS);
            switch ((int) (round % 4)) {
                case 0 -> sums.merge(key, round, Long::sum);
                case 2 -> store.functions().call(sums, key, Sum.NAME, Sum.bytes(round));
                case 1 -> sums.apply(key, ValueChange.add(round));
                default -> assertTrue(sums.modify(key, ValueChange.add(round)));
            }
            added[key] += round;
            Map<Integer, Long> many = new HashMap<>();
            for (int i = 0; i < MANY; i++) {
                many.put(KEYS + THREADS + thread * MANY + i, round);
            }
            sums.putAll(many);
            assertEquals(many, sums.getAll(many.keySet()));
            if (round % 5 == 0) {
                assertTrue(sums.keySet().removeAll(many.keySet()));
                assertFalse(sums.keySet().removeAll(many.keySet()));
            }
            Long before = sums.put(own, round);
            assertEquals(round == 1 ? null : round - 1, before, "the value before of thread " + thread);
            assertEquals(round, sums.get(own));
            rounds.incrementAndGet();
        }
        return added;
    }
}
