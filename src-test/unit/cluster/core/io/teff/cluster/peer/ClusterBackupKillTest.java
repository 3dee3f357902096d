package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterBackups.Progress;
import io.teff.cluster.admin.ClusterBackups;
import io.teff.cluster.meta.ZoneRow;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Owners that are killed in the middle of a zone, while the zone is read for a backup, or filled from one. A ballast
 * makes the reading and the filling of each zone longer than the look of the thread that kills.
 */
@FullTier("starts three clusters, 30 s; BackupKillTest of the gate kills at each call, without nodes")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClusterBackupKillTest {
    private static final int PEERS = 4;
    private static final int COUNTERS = 8;
    private static final int BALLAST = 12;
    private static final int BALLAST_BYTES = 900_000;
    private static final ClusterBackups BACKUPS = ClusterBackups.load();
    private static final Consumer<Progress> SILENT = _ -> { };

    @TempDir
    private Path folder;

    /** Work that can fail. */
    private interface Work {
        void run() throws IOException;
    }

    private PeerCluster cluster(String name) throws IOException {
        PeerCluster made = new PeerCluster("kill-" + name + '-' + System.nanoTime(), folder.resolve(name), 1);
        for (int i = 0; i < PEERS; i++) {
            made.start(i, Peer.start(made.config(i).withZones(1, 1, 100_000_000L)));
        }
        made.awaitServed(PEERS);
        return made;
    }

    /** Fills each zone, and returns the chunks of its writer. */
    private static Map<Integer, long[]> fill(PeerCluster cluster, ClusterStore store) {
        Map<Integer, long[]> counted = new TreeMap<>();
        for (ZoneRow row : cluster.rows()) {
            long[] cids = new long[COUNTERS];
            for (int i = 0; i < COUNTERS; i++) {
                cids[i] = cluster.create(row.zone(), new byte[Long.BYTES]);
                for (int j = i; j < BALLAST; j += COUNTERS) {
                    byte[] ballast = new byte[BALLAST_BYTES];
                    Arrays.fill(ballast, (byte) (row.zone() + j));
                    assertTrue(store.createNear(cids[0], ballast) > 0);
                }
            }
            counted.put(row.zone(), cids);
        }
        return counted;
    }

    /** Kills the owner of a zone when a condition holds, while some work is done. */
    private static void kill(PeerCluster cluster, int zone, BooleanSupplier when, Work work) throws Exception {
        Peer owner = cluster.owner(zone);
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicBoolean isKilled = new AtomicBoolean();
        Threads.Running killer = Threads.start("killer", _ -> {
            Threads.await("the moment of the kill", () -> isOver.get() || when.getAsBoolean());
            if (!isOver.get()) {
                cluster.killAttested(cluster.numberOf(owner));
                isKilled.set(true);
            }
        });
        work.run();
        isOver.set(true);
        killer.end();
        assertTrue(isKilled.get(), "the work has ended before the kill");
    }

    private static TreeMap<Long, ByteBuffer> content(ClusterStore of) {
        TreeMap<Long, ByteBuffer> content = new TreeMap<>();
        of.ids().forEach(cid -> content.put(cid, ByteBuffer.wrap(of.chunks().get(cid).orElseThrow())));
        return content;
    }

    // ---- backup ----

    /** In step s, the chunk s mod 8 of a zone gets the value s: so the values show whether they are of one moment. */
    private static void count(ClusterStore store, long[] cids, AtomicBoolean isOver) {
        for (long step = 1; !isOver.get(); step++) {
            assertEquals(0, store.put(cids[(int) (step % COUNTERS)], ByteBuffer.allocate(Long.BYTES).putLong(step)
                .array()));
        }
    }

    private static void assertCut(int zone, long[] cids, ClusterStore restored) {
        long[] values = new long[COUNTERS];
        long last = 0;
        for (int i = 0; i < COUNTERS; i++) {
            values[i] = ByteBuffer.wrap(restored.chunks().get(cids[i]).orElseThrow()).getLong();
            last = Math.max(last, values[i]);
        }
        for (int i = 0; i < COUNTERS; i++) {
            assertEquals(Math.max(last - Math.floorMod(last - i, COUNTERS), 0), values[i],
                "chunk " + i + " of zone " + zone + " at step " + last);
        }
    }

    @Test
    void backup_whileAnOwnerIsKilled_hasACutOfEachZone() throws Exception {
        Path target = folder.resolve("backup");
        Map<Integer, long[]> counted;
        Set<Long> all = new TreeSet<>();
        try (PeerCluster cluster = cluster("source"); ClusterStore store = cluster.connect()) {
            counted = fill(cluster, store);
            store.map("map", Codecs.LONG, Codecs.LONG).put(1L, 2L);
            all.addAll(content(store).keySet());
            AtomicBoolean isOver = new AtomicBoolean();
            List<Thread> writers = new ArrayList<>();
            counted.values().forEach(cids -> writers.add(Thread.ofPlatform().start(() -> count(store, cids, isOver))));
            int zone = cluster.rows().get(1).zone();
            Path raw = folder.resolve("backup.unfinished").resolve("zone-" + zone + ".raw");
            kill(cluster, zone, () -> isLong(raw), () -> BACKUPS.take(cluster.client(), target, null, SILENT));
            isOver.set(true);
            for (Thread writer : writers) {
                writer.join();
            }
            assertEquals(List.of(), BACKUPS.verify(target, SILENT));
        }
        try (PeerCluster other = cluster("other"); ClusterStore restored = other.connect()) {
            BACKUPS.restore(other.client(), target, false, SILENT);
            counted.forEach((zone, cids) -> assertCut(zone, cids, restored));
            assertEquals(all, content(restored).keySet());
            assertEquals(2L, restored.map("map", Codecs.LONG, Codecs.LONG).get(1L));
        }
    }

    /** Returns whether a part of a zone was read. */
    private static boolean isLong(Path raw) {
        try {
            return Files.size(raw) > 0;
        } catch (IOException _) {
            return false;                                       // the zone is not being read
        }
    }

    // ---- restore ----

    @Test
    void restore_whileAnOwnerIsKilled_hasTheBytesOfTheBackup_alsoAfterTheNextEnd() throws Exception {
        Path target = folder.resolve("backup");
        TreeMap<Long, ByteBuffer> expected;
        try (PeerCluster cluster = cluster("whole"); ClusterStore store = cluster.connect()) {
            fill(cluster, store);
            BACKUPS.take(cluster.client(), target, null, SILENT);
            expected = content(store);
        }
        try (PeerCluster other = cluster("filled"); ClusterStore restored = other.connect()) {
            int zone = other.rows().get(1).zone();
            Peer owner = other.owner(zone);
            kill(other, zone, () -> owner.host().serving(zone) == null, () -> BACKUPS.restore(other.client(), target,
                false, SILENT));
            assertEquals(expected, content(restored));
            PeerCluster.await(() -> other.rows().stream().allMatch(row -> row.state().isServed()
                && row.backups().size() == 1 && row.learners().isEmpty()), () -> "backups of " + other.rows());
            Peer next = other.owner(zone);
            assertNotNull(next);
            other.killAttested(other.numberOf(next));
            other.awaitServed(PEERS);
            assertEquals(expected, content(restored));
        }
    }
}
