package io.teff.cluster.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.engine.ChunkStore;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/**
 * Goal: no change is lost, and none is done twice that must not be. Method: threads add to a counter, others replace
 * chunks, one by one and in batches, while the zone moves from peer to peer, peers are busy, answers are deposed, and
 * networks end. At each move every thread has a request that was done and not answered: the old owner falls silent, or
 * its network begins anew. The counter is then the number of additions; each chunk has the last content that its thread
 * has put.
 */
class ClusterStoreRaceTest {
    private static final StoreConfig CONFIG = StoreConfig.builder().memoryLimitBytes(64L << 20).build();
    private static final int PEERS = 6;
    private static final int THREADS = 4;
    private static final int CHUNKS = 16;
    private static final int ROUNDS_PER_PEER = 150;
    private static final long LIMIT_S = 120;

    private final LongAdder acknowledged = new LongAdder();
    private final LongAdder rounds = new LongAdder();
    private final AtomicBoolean isOver = new AtomicBoolean();

    @Test
    void changes_whileTheZoneMoves_areDoneOnce() throws Exception {
        try (TestCell cell = new TestCell(); ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<TestPeer> peers = new ArrayList<>();
            for (int i = 0; i < PEERS; i++) {
                peers.add(new TestPeer(cell));
            }
            int zone = cell.zones(peers.getFirst().node, 1);
            peers.getFirst().open(zone, CONFIG);
            try (ClusterStore store = ClusterStore.connect(ClientConfig.builder(cell.address())
                .timeoutNs(TimeUnit.SECONDS.toNanos(LIMIT_S)).build())) {
                long counter = store.create(8);
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    boolean isAdding = i % 2 == 0;
                    running.add(threads.submit(() -> {
                        if (isAdding) {
                            add(store, counter);
                        } else {
                            change(store);
                        }
                    }));
                }
                move(cell, peers, zone);
                isOver.set(true);
                for (Future<?> next : running) {
                    next.get(LIMIT_S, TimeUnit.SECONDS);
                }
                long sum = store.fields().getLong(counter, 0, -1);
                assertTrue(acknowledged.sum() > 0);
                assertEquals(acknowledged.sum(), sum, "each addition was done once");
            } finally {
                isOver.set(true);
                peers.forEach(TestPeer::close);
            }
        }
    }

    /** Moves the zone from one peer to the next, each time after some rounds, and in another way. */
    private void move(TestCell cell, List<TestPeer> peers, int zone) throws IOException {
        for (int i = 1; i < PEERS; i++) {
            TestPeer from = peers.get(i - 1);
            TestPeer to = peers.get(i);
            awaitRounds();
            from.busy.set(20);
            from.depose(10);
            awaitRounds();
            from.hold();
            awaitHeld(from);
            if (i % 2 == 0) {
                restartNetwork(from);
            }
            ChunkStore zoneStore = from.release(zone);
            to.serve(zone, zoneStore);
            from.know(cell.fail(from.node, zone, to.node));
        }
        awaitRounds();
    }

    /** Restarts the peer's network, and lets the client ask it again before it learns of another owner. */
    private void restartNetwork(TestPeer peer) throws IOException {
        peer.restartNetwork();
        awaitRounds();
    }

    /** Waits until each thread has a request that was done and is not answered. */
    private static void awaitHeld(TestPeer peer) {
        Threads.await(LIMIT_S, () -> THREADS + " held answers, not " + peer.held(), () -> peer.held() >= THREADS);
    }

    private void awaitRounds() {
        long end = rounds.sum() + ROUNDS_PER_PEER;
        Threads.await("rounds", () -> rounds.sum() >= end);
    }

    private void add(ClusterStore store, long counter) {
        while (!isOver.get()) {
            store.fields().getAndAddLong(counter, 0, 1);
            acknowledged.increment();
            rounds.increment();
        }
    }

    private void change(ClusterStore store) {
        long[] cids = new long[CHUNKS];
        assertEquals(CHUNKS, store.batch().create(8, cids, 0, CHUNKS, false));
        int[] lengths = new int[CHUNKS];
        Arrays.fill(lengths, 8);
        for (byte round = 1; !isOver.get(); round++) {
            byte[] content = new byte[8 * CHUNKS];
            Arrays.fill(content, round);
            assertEquals(CHUNKS, store.batch().put(cids, 0, MemorySegment.ofArray(content), lengths, new int[CHUNKS]));
            byte[] one = {round, round, round, round, round, round, round, (byte) -round};
            assertEquals(Status.OK, store.put(cids[3], one));
            System.arraycopy(one, 0, content, 24, 8);
            byte[] target = new byte[8 * CHUNKS];
            assertEquals(target.length, store.batch().get(cids, 0, CHUNKS, target, 0, new int[CHUNKS]));
            assertEquals(Arrays.toString(content), Arrays.toString(target));
            rounds.increment();
        }
    }
}
