package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.WriteLevel;
import io.teff.engine.error.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: no peer waits for another one in a circle. Method: four peers with the smallest rings, whose logs refuse runs
 * at times; threads replace chunks of all zones at level BACKED, short and long ones, others at level OWNER without
 * waiting, so that all rings are full. Every change ends, and afterwards nothing waits anywhere.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SaturatedPeersTest {
    private static final int PEERS = 4;
    private static final int THREADS = 8;
    private static final int FLOODS = 8;
    private static final int FLOOD_ROUNDS = 8;
    private static final int ROUNDS = 6;
    private static final int[] LENGTHS = {64, 9_000, 100_000, 1 << 20};
    private static final long MEMORY_BYTES = 256 << 20;
    private static final long LIMIT_S = 240;

    private final List<MemoryCopyLog> logs = new ArrayList<>();
    private final AtomicBoolean isOver = new AtomicBoolean();

    @TempDir
    private Path folder;

    private PeerCluster cluster;
    private ClusterStore store;

    @BeforeEach
    void start() throws IOException {
        String name = "saturated-" + System.nanoTime();
        cluster = new PeerCluster(name, folder, 2);
        for (int i = 0; i < PEERS; i++) {
            logs.add(new MemoryCopyLog());
            cluster.start(i, cluster.config(i).withBytes(MEMORY_BYTES, PeerConfig.RING_BYTES_MIN,
                PeerConfig.LOG_BYTES_MIN).withThreads(1, 1), logs.get(i));
        }
        cluster.awaitServed(PEERS * 6);
        store = ClusterStore.connect(ClientConfig.builder("loop:" + name + "-superpeer")
            .timeoutNs(TimeUnit.SECONDS.toNanos(LIMIT_S)).build());
    }

    @AfterEach
    void close() throws IOException {
        isOver.set(true);
        store.close();
        cluster.close();
    }

    private static byte[] content(int thread, int round) {
        int length = LENGTHS[(thread + round) % LENGTHS.length];
        return ByteBuffer.allocate(length).putInt(thread).putInt(length - 4, round).array();
    }

    /** Refuses runs at all logs at once, and takes them again, for short times: no backup is given up. */
    private void refuse() {
        while (!isOver.get()) {
            logs.forEach(log -> log.full(true));
            LockSupport.parkNanos(200_000_000);
            logs.forEach(log -> log.full(false));
            LockSupport.parkNanos(200_000_000);
        }
    }

    /** Replaces a chunk without waiting for backups. */
    private int flood(int thread) {
        ClusterStore owners = store.withLevel(WriteLevel.OWNER);
        long cid = owners.create(content(thread, 0));
        for (int round = 0; round < FLOOD_ROUNDS; round++) {
            assertEquals(Status.OK, owners.put(cid, content(2, round & 1)));
        }
        return FLOOD_ROUNDS;
    }

    private int change(int thread) {
        long[] cids = new long[LENGTHS.length];
        for (int i = 0; i < cids.length; i++) {
            cids[i] = store.create(content(thread, i));
            assertTrue(cids[i] > 0, "created " + cids[i]);
        }
        for (int round = 1; round <= ROUNDS; round++) {
            int at = (round + thread) % cids.length;
            assertEquals(Status.OK, store.put(cids[at], content(thread, round)));
            assertArrayEquals(content(thread, round), store.chunks().get(cids[at]).orElseThrow());
        }
        return ROUNDS;
    }

    private int changeAll(ExecutorService threads) throws Exception {
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 0; i < FLOODS; i++) {
            int thread = i;
            all.add(threads.submit(() -> flood(thread)));
        }
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            all.add(threads.submit(() -> change(thread)));
        }
        int changes = 0;
        for (Future<Integer> each : all) {
            changes += end(each);
        }
        return changes;
    }

    /** Waits for a thread; if it does not end, says what it and the peers do before its call ends by its deadline. */
    private int end(Future<Integer> thread) throws Exception {
        try {
            return thread.get(LIMIT_S * 3 / 4, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            StringBuilder text = new StringBuilder("a call does not end\n");
            cluster.rows().forEach(row -> text.append(row).append('\n'));
            cluster.peers().forEach(peer -> text.append(peer.figures(true)).append('\n'));
            Thread.getAllStackTraces().forEach((one, frames) -> text.append(one).append(' ')
                .append(List.of(frames)).append('\n'));
            System.out.println(text);
            throw new AssertionError(text.toString(), e);
        }
    }

    @Test
    void changes_atAllPeersWithFullRings_allEnd_andNothingWaitsAfterwards() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS + FLOODS + 1)) {
            Future<?> refusing = threads.submit(this::refuse);
            try {
                assertEquals(THREADS * ROUNDS + FLOODS * FLOOD_ROUNDS, changeAll(threads));
            } finally {
                isOver.set(true);
            }
            refusing.get(LIMIT_S, TimeUnit.SECONDS);
        }
        PeerCluster.await(() -> cluster.peers().stream().map(peer -> peer.figures(false)).allMatch(
            figures -> figures.shipping().answersWaiting() == 0 && figures.shipping().changesBehind() == 0
                && figures.ring().usedBytes() == 0), () -> "rest " + cluster.peers().stream()
            .map(peer -> peer.figures(false).toString()).toList());
        long refused = cluster.peers().stream().mapToLong(peer -> peer.figures(false).ring().changesRefused()).sum();
        assertTrue(refused > 0, "the rings were full");
        assertEquals(0, cluster.peers().stream()
            .filter(peer -> peer.figures(false).logging().refusedForRoom() == 0).count(),
            "all logs have refused");
    }
}
