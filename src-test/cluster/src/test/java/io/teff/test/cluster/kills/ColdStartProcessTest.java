package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.WriteLevel;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a whole cluster ends, by SIGKILL of all its processes or in order, and starts again with every change that it
 * has acknowledged; what is on a disk that is lost is named, and not made up. Method: a cluster of processes as {@code
 * ./teff cluster up} makes it.
 */
@Tag("processes")
@FullTier("a cluster of processes; FaultTourTest kills everything and loses the disks of two backups, under load")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class ColdStartProcessTest {
    private static final int CHUNKS = 300;
    private static final int STARTS = Form.size("teff.cluster.coldStarts", 0, 10);

    @TempDir
    private Path folder;
    private final long[] cids = new long[CHUNKS];
    private final SplittableRandom random = Seed.random(Seed.first());

    @Test
    void endOfEverything_startsAgain_losesNoAcknowledgedChange_andNamesWhatLostDisksHad()
            throws IOException, InterruptedException {
        try (LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), null)) {
            cluster.awaitBacked();
            try (ClusterStore store = cluster.connect()) {
                create(store);
            }
            for (int start = 1; start <= STARTS; start++) {
                startAgain(cluster, start);
            }
            if (Form.isLong()) {
                loseADisk(cluster);
            }
            loseTheDisksOfAllBackups(cluster);
        }
    }

    /** One superpeer, which has begun an empty cell after the loss of its disk; or three, and one keeps its disk. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void lossOfTheSuperpeersDisks_isNamed_andTheRebuiltClusterHasEveryAcknowledgedChange(int superpeers)
            throws IOException, InterruptedException {
        try (LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), null, superpeers, 4)) {
            cluster.awaitBacked();
            try (ClusterStore store = cluster.connect()) {
                create(store);
                change(store, 1);
            }
            String tooEarly = cluster.run(1, "rebuild", "--yes");
            assertTrue(tooEarly.contains("still run: superpeer-1, "), tooEarly);
            if (superpeers == 1) {
                beginEmptyCell(cluster);
            }
            cluster.killEverything(random);
            String notLost = cluster.run(1, "rebuild", "--yes");
            assertTrue(notLost.contains("the metadata are not lost") && notLost.contains("--set-aside"), notLost);
            for (int i = 1; i < superpeers; i++) {
                cluster.loseDisk("superpeer-" + i);
            }
            if (superpeers > 1) {
                String refused = cluster.run(1, "up");
                assertTrue(refused.contains("./teff cluster rebuild"), refused);
            }
            String unasked = cluster.run(1, "rebuild", "--set-aside");
            assertTrue(unasked.contains("assumed:") && unasked.contains("agree with --yes"), unasked);
            String rebuilt = superpeers == 1 ? cluster.succeed("rebuild", "--yes", "--set-aside")
                : cluster.succeed("rebuild", "--yes");
            assertTrue(rebuilt.contains("the metadata are made again: ") && !rebuilt.contains("  missing "), rebuilt);
            assertFalse(cluster.upAgain().contains("warning"), rebuilt);
            try (ClusterStore store = cluster.connect()) {
                check(store, 1, Set.of());
                change(store, 2);
                check(store, 2, Set.of());
            }
        }
    }

    /** The command refuses to start the superpeer without its disk; another way it begins an empty cell. */
    private static void beginEmptyCell(LocalCluster cluster) throws IOException, InterruptedException {
        cluster.kill("superpeer-1");
        cluster.loseDisk("superpeer-1");
        String refused = cluster.run(1, "start", "superpeer-1");
        assertTrue(refused.contains("the metadata of this cluster are lost"), refused);
        cluster.startTogether(List.of("superpeer-1"));
    }

    private void startAgain(LocalCluster cluster, int start) throws IOException, InterruptedException {
        if (start % 2 == 0) {
            cluster.down();
        } else {
            cluster.killEverything(random);
        }
        String said = cluster.upAgain();
        assertTrue(said.contains("its 5 nodes start again"), said);
        assertFalse(said.contains("warning"), said);
        try (ClusterStore store = cluster.connect()) {
            check(store, start - 1, Set.of());
            change(store, start);                               // also while zones lack backups
        }
    }

    private void loseADisk(LocalCluster cluster) throws IOException, InterruptedException {
        cluster.awaitBacked();
        cluster.down();
        cluster.loseDisk("peer-2");
        assertFalse(cluster.upAgain().contains("warning"), "each zone has another backup");
        try (ClusterStore store = cluster.connect()) {
            check(store, STARTS, Set.of());
        }
    }

    private void loseTheDisksOfAllBackups(LocalCluster cluster) throws IOException, InterruptedException {
        cluster.awaitBacked();
        LostBackups lost = new LostBackups(cluster, "peer-1", "peer-4");
        lost.lose(random);
        String said = cluster.run(LostBackups.MISSING, "up");
        assertTrue(said.contains("warning: ") && said.contains("peer-1 (node "), said);
        assertTrue(said.contains("zones wait or are lost"), said);
        lost.checkWaiting();
        try (ClusterStore store = cluster.connect()) {
            check(store, STARTS, lost.zones());
        }
        lost.accept();
        try (ClusterStore store = cluster.connect()) {
            check(store, STARTS, lost.zones());
        }
    }

    // ---- chunks ----

    private static ChunkStore level(ClusterStore store, int chunk) {
        return chunk % 2 == 0 ? store : store.withLevel(WriteLevel.BACKED_SYNCED);
    }

    private void create(ClusterStore store) {
        for (int i = 0; i < CHUNKS; i++) {
            cids[i] = level(store, i).create(content(i, 0));
        }
    }

    private void change(ClusterStore store, int round) {
        for (int i = 0; i < CHUNKS; i++) {
            assertEquals(Status.OK, level(store, i).put(cids[i], content(i, round)), "chunk " + i);
        }
    }

    private void check(ClusterStore store, int round, Set<Integer> missing) {
        byte[] content = new byte[Long.BYTES];
        int read = 0;
        for (int i = 0; i < CHUNKS; i++) {
            if (!missing.contains(Cid.nid(cids[i]))) {
                assertEquals(Long.BYTES, store.get(cids[i], content), "chunk " + i);
                assertEquals(ByteBuffer.wrap(content(i, round)), ByteBuffer.wrap(content), "chunk " + i);
                read++;
            }
        }
        assertTrue(read > CHUNKS / 4, read + " chunks are in other zones");
    }

    private static byte[] content(int chunk, int round) {
        return ByteBuffer.allocate(Long.BYTES).putInt(chunk).putInt(round).array();
    }
}
