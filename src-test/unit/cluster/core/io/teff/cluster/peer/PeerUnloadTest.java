package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.UnloadNode;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a peer is unloaded while clients add to counters: each addition is made once, no call fails, and the peer has
 * nothing in the end. Method: real peers and messages in this process; in one test a new owner is killed meanwhile.
 */
@FullTier("twelve seconds: zones of a loaded cluster move one after the other")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerUnloadTest {
    private static final int PEERS = 4;
    private static final int THREADS = 3;
    private static final int COUNTERS = 96;

    private final AtomicBoolean isOver = new AtomicBoolean();
    private final LongAdder added = new LongAdder();
    private final LongAccumulator longestNs = new LongAccumulator(Math::max, 0);
    private final List<Long> counters = new ArrayList<>();

    @TempDir
    private Path folder;

    private PeerCluster cluster;
    private ClusterStore store;

    private void start(int peers) throws IOException {
        for (int i = 0; i < peers; i++) {
            cluster.start(i);
        }
        cluster.awaitServed(peers * 6);
        store = cluster.connect();
        for (int i = 0; i < COUNTERS; i++) {
            counters.add(store.create(new byte[64]));
        }
    }

    @BeforeEach
    void open() throws IOException {
        cluster = new PeerCluster("unload-test-" + System.nanoTime(), folder, 2);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
        cluster.close();
    }

    /** Adds until the end; returns the number of additions. */
    private long add(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long count = 0;
        while (!isOver.get()) {
            long begunNs = System.nanoTime();
            store.fields().getAndAddLong(counters.get(random.nextInt(COUNTERS)), 8, 1);
            longestNs.accumulate(System.nanoTime() - begunNs);
            added.increment();
            count++;
        }
        return count;
    }

    private interface Action {
        void run() throws IOException;
    }

    private void underLoad(Action action) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<Long>> loads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int seed = i;
                loads.add(threads.submit(() -> add(seed)));
            }
            try {
                PeerCluster.await(() -> added.sum() > 500, () -> "additions");
                longestNs.reset();
                action.run();
                long before = added.sum();
                PeerCluster.await(() -> added.sum() > before + 100, () -> "additions afterwards");
            } finally {
                isOver.set(true);
            }
            long sum = 0;
            for (Future<Long> load : loads) {
                sum += load.get();
            }
            long counted = 0;
            for (long counter : counters) {
                counted += store.fields().getLong(counter, 8, 0);
            }
            assertEquals(sum, counted, "each addition is made once");
        }
        System.out.println("unload: " + added.sum() + " additions, longest call "
            + TimeUnit.NANOSECONDS.toMillis(longestNs.get()) + " ms");
    }

    private void awaitEmpty(NodeRef node) {
        PeerCluster.await(() -> !cluster.isNamed(node) && cluster.isSettled()
            && cluster.rows().stream().allMatch(row -> row.backups().size() == 2), () -> "" + cluster.rows());
    }

    @Test
    void unloadOfAPeer_underLoad_losesNothing_andThePeerHasNothing() throws Exception {
        start(PEERS);
        NodeRef left = cluster.peer(0).node();
        underLoad(() -> {
            cluster.propose(new UnloadNode(left, true));
            awaitEmpty(left);
            cluster.stop(0);
        });
        assertTrue(cluster.rows().size() <= PEERS * 6, "no zones are made in place of others");
    }

    @Test
    void unloadOfAPeer_whileNewOwnersDie_losesNothing() throws Exception {
        start(PEERS + 2);
        NodeRef left = cluster.peer(0).node();
        underLoad(() -> {
            cluster.propose(new UnloadNode(left, true));
            for (int victim = 1; victim <= 2; victim++) {
                NodeRef next = cluster.peer(victim).node();
                PeerCluster.await(() -> cluster.rows().stream().anyMatch(row -> next.equals(row.heir()))
                    || !cluster.isNamed(left), () -> "" + cluster.rows());
                cluster.killAttested(victim);
            }
            awaitEmpty(left);
        });
    }
}
