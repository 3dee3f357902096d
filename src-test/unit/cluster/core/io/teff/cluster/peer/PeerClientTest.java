package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.WriteLevel;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client of real peers, which are killed while it works: no error, and no acknowledged change is lost. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerClientTest {
    private static final int PEERS = 4;
    private static final int THREADS = 3;
    private static final int CHUNKS = 24;
    private static final long LIMIT_S = 120;

    private final LongAdder rounds = new LongAdder();
    private final LongAdder added = new LongAdder();
    private final AtomicBoolean isOver = new AtomicBoolean();

    @TempDir
    private Path folder;

    private PeerCluster cluster;
    private ClusterStore store;

    @BeforeEach
    void start() throws IOException {
        String name = "client-test-" + System.nanoTime();
        cluster = new PeerCluster(name, folder, 2, PeerCluster.BRIEF_TERMS);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i);
        }
        cluster.awaitServed(PEERS * 6);
        store = ClusterStore.connect("loop:" + name + "-superpeer");
    }

    @AfterEach
    void close() throws IOException {
        isOver.set(true);
        store.close();
        cluster.close();
    }

    private static byte[] content(long number) {
        return ByteBuffer.allocate(64).putLong(number).putLong(56, number).array();
    }

    /** Replaces, reads and adds, one by one and in batches; returns the chunks, all of the returned round. */
    private long[] work(long counter) {
        long[] cids = new long[CHUNKS + 1];
        for (int i = 0; i < CHUNKS; i++) {
            cids[i] = store.create(content(0));
            assertTrue(cids[i] > 0, "created " + cids[i]);
        }
        int[] lengths = new int[CHUNKS];
        Arrays.fill(lengths, 64);
        byte[] all = new byte[64 * CHUNKS];
        long round = 0;
        while (!isOver.get()) {
            round++;
            for (int i = 0; i < CHUNKS; i++) {
                System.arraycopy(content(round), 0, all, 64 * i, 64);
            }
            if (round % 2 == 0) {
                assertEquals(CHUNKS, store.batch().put(cids, 0, MemorySegment.ofArray(all), lengths, new int[CHUNKS]));
            } else {
                for (int i = 0; i < CHUNKS; i++) {
                    assertEquals(0, store.put(cids[i], content(round)));
                }
            }
            check(cids, round);
            store.fields().getAndAddLong(counter, 0, 1);
            added.increment();
            rounds.increment();
        }
        cids[CHUNKS] = round;
        return cids;
    }

    private void check(long[] cids, long round) {
        byte[] target = new byte[64 * CHUNKS];
        assertEquals(target.length, store.batch().get(cids, 0, CHUNKS, target, 0, new int[CHUNKS]));
        for (int i = 0; i < CHUNKS; i++) {
            assertEquals(round, ByteBuffer.wrap(target).getLong(64 * i), "chunk " + i);
            assertEquals(round, ByteBuffer.wrap(target).getLong(64 * i + 56), "chunk " + i);
        }
    }

    private void awaitRounds(int count) {
        long end = rounds.sum() + count;
        PeerCluster.await(() -> rounds.sum() >= end, () -> "rounds " + rounds);
    }

    @FullTier("a lease of 4 s; ClusterSimulationTest and WholeSimulationTest kill peers under clients in virtual time")
    @Test
    void peers_thatAreKilled_loseNoAcknowledgedChange() throws Exception {
        long counter = store.create(8);
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<long[]>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                running.add(threads.submit(() -> work(counter)));
            }
            awaitRounds(30);
            cluster.killAttested(0);
            awaitRounds(30);
            cluster.kill(1);
            awaitRounds(30);
            isOver.set(true);
            for (Future<long[]> next : running) {
                long[] cids = next.get(LIMIT_S, TimeUnit.SECONDS);
                check(cids, cids[CHUNKS]);
            }
        }
        long sum = store.fields().getLong(counter, 0, -1);
        assertEquals(added.sum(), sum, "each addition was done once");
    }

    @Test
    void reservedCids_ofAPeerThatIsKilled_areStillReserved() throws Exception {
        long[] cids = new long[200];
        for (int i = 0; i < cids.length; i += 50) {
            assertEquals(50, store.ids().reserve(cids, i, 50));
        }
        assertEquals(0, store.ids().unreserve(cids[7]));
        cluster.killAttested(cluster.numberOf(cluster.owner(Cid.nid(cids[0]))));
        Set<Long> created = new HashSet<>();
        for (int i = 0; i < cids.length; i++) {                 // so many that a lost reservation would be issued
            created.add(cluster.create(Cid.nid(cids[i]), content(1)));
        }
        for (int i = 0; i < cids.length; i++) {
            assertFalse(created.contains(cids[i]), "a reserved CID was issued");
            int result = i % 2 == 0 || i == 7 ? store.ids().unreserve(cids[i])
                : store.ids().createAt(cids[i], content(i));
            assertEquals(i == 7 ? Status.ABSENT : Status.OK, result, "CID " + i);
        }
        byte[] target = new byte[64];
        assertEquals(64, store.get(cids[1], target));
        assertArrayEquals(content(1), target);
    }

    @Test
    void levels_allAcknowledge() {
        for (WriteLevel level : WriteLevel.values()) {
            long cid = store.withLevel(level).create(content(level.ordinal()));
            assertEquals(0, store.withLevel(level).put(cid, content(7)));
            assertEquals(64, store.get(cid, new byte[64]));
        }
    }
}
