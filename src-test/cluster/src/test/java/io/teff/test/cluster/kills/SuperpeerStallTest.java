package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.meta.NodeRef;
import io.teff.engine.error.Status;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the process of the only superpeer is stopped for longer than all its promises, and no peer loses its life, and
 * no chunk is lost. A peer that is stopped beyond its lease answers nothing of before when it goes on, and begins
 * another life. Method: SIGSTOP and SIGCONT in a cluster of processes as {@code ./teff cluster up} makes it.
 */
@Tag("processes")
@FullTier("15 s of SIGSTOP in a cluster of processes; Mix.LATE_VOTES of ClusterSimulationTest has late promises")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class SuperpeerStallTest {
    private static final int CHUNKS = 200;
    private static final String SUPERPEER = "superpeer-1";
    private static final String PEER = "peer-1";
    /** Beyond the three terms until a wrong vote would be seen. */
    private static final long AFTER_NS = TimeUnit.SECONDS.toNanos(3);
    private static final int STALLS = Form.size("teff.cluster.stalls", 1, 3);
    private static final long STALL_MS = 3_000;
    private static final long LONG_STALL_MS = 15_000;

    @TempDir
    private Path folder;

    @Test
    void processes_stoppedForSeconds_loseNothing_andOnlyAPeerItsLife() throws IOException, InterruptedException {
        try (LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), null);
             ClusterStore store = cluster.connect()) {
            cluster.awaitBacked();
            Set<NodeRef> lives = cluster.lives();
            long[] cids = new long[CHUNKS];
            for (int i = 0; i < CHUNKS; i++) {
                cids[i] = store.create(content(i, 0));
            }
            for (int stall = 1; stall <= STALLS; stall++) {
                cluster.stall(SUPERPEER, stall == 2 ? STALL_MS : LONG_STALL_MS);
                check(store, cids, stall - 1);
                long end = System.nanoTime() + AFTER_NS;
                do {
                    change(store, cids, stall);
                } while (System.nanoTime() - end < 0);
                check(store, cids, stall);
                assertEquals(lives, cluster.lives(), cluster::logs);
                cluster.awaitBacked();
            }
            stopAPeer(cluster, store, cids, STALLS + 1);
        }
    }

    /** A peer is stopped beyond its lease while its chunks change, and goes on with requests in its queue. */
    private static void stopAPeer(LocalCluster cluster, ClusterStore store, long[] cids, int round)
            throws IOException, InterruptedException {
        int nid = cluster.nid(PEER);
        NodeRef before = cluster.lives().stream().filter(life -> life.nid() == nid).findFirst().orElseThrow();
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<?> changes = thread.submit(() -> change(store, cids, round));
            cluster.stall(PEER, STALL_MS);
            assertDoesNotThrow(() -> changes.get(), cluster::logs);
        }
        check(store, cids, round);
        try (ClusterStore other = cluster.connect()) {
            check(other, cids, round);
        }
        cluster.awaitServed(before);
        cluster.awaitLifeAfter(before);
        cluster.awaitBacked();
        change(store, cids, round + 1);
        check(store, cids, round + 1);
    }

    private static void change(ClusterStore store, long[] cids, int round) {
        for (int i = 0; i < cids.length; i++) {
            assertEquals(Status.OK, store.put(cids[i], content(i, round)), "chunk " + i);
        }
    }

    private static void check(ClusterStore store, long[] cids, int round) {
        byte[] content = new byte[Long.BYTES];
        for (int i = 0; i < cids.length; i++) {
            assertEquals(Long.BYTES, store.get(cids[i], content), "chunk " + i);
            assertEquals(ByteBuffer.wrap(content(i, round)), ByteBuffer.wrap(content), "chunk " + i);
        }
    }

    private static byte[] content(int chunk, int round) {
        return ByteBuffer.allocate(Long.BYTES).putInt(chunk).putInt(round).array();
    }
}
