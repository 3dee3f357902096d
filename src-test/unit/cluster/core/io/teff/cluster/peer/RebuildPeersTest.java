package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.FolderReport;
import io.teff.cluster.meta.KnownTables;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.Rebuild;
import io.teff.cluster.meta.RebuildPlan;
import io.teff.cluster.meta.RebuildPlan.Outlook;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.engine.os.Platform;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Peers whose superpeer has lost everything: the metadata are made again from their folders. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RebuildPeersTest {
    private static final int CHUNKS = 60;
    private static final int LOG_BYTES = 16 << 20;

    @TempDir
    private Path folder;
    private final List<Long> cids = new ArrayList<>();

    private static byte[] content(int number) {
        return ByteBuffer.allocate(64).putInt(number).array();
    }

    private PeerCluster open(String name) throws IOException {
        return new PeerCluster(name + System.nanoTime(), folder, 2);
    }

    private PeerCluster rebuilding() throws IOException {
        return PeerCluster.rebuilding("new-" + System.nanoTime(), folder, 2);
    }

    private FolderReport report(int peer) throws IOException {
        FolderReport report = PeerFolder.read(folder.resolve("peer-" + peer), "peer-" + peer, LOG_BYTES,
            Platform.SYSTEM);
        assertNotNull(report);
        return report;
    }

    /** Fills zones of peers 0 to 2; peer 3 keeps what it had before the others changed everything without it. */
    private void fill() throws IOException {
        try (PeerCluster old = open("old-")) {
            for (int peer = 0; peer < 4; peer++) {
                old.start(peer);
            }
            old.awaitServed(24);
            List<ZoneRow> rows = old.rows();
            for (int i = 0; i < CHUNKS; i++) {
                cids.add(old.create(rows.get(i % rows.size()).zone(), content(i)));
            }
            old.killAttested(3);
            for (int i = 0; i < CHUNKS; i++) {
                if (i % 3 == 0) {
                    old.remove(cids.get(i));
                } else {
                    old.put(cids.get(i), content(1_000 + i));
                }
            }
            PeerCluster.await(() -> isBacked(old) && old.peers().stream()
                .allMatch(peer -> peer.keptVersion() >= old.read(MetadataMachine::version)), () -> "" + old.rows());
        }                                                       // kills the peers
    }

    private static boolean isBacked(PeerCluster cluster) {
        return cluster.isSettled() && cluster.rows().stream().allMatch(row -> row.backups().size() == 2
            && row.learners().isEmpty());
    }

    private void check(PeerCluster cluster, int round) {
        for (int i = 0; i < CHUNKS; i++) {
            if (i % 3 == 0) {
                assertNull(cluster.read(cids.get(i)), "chunk " + i);
            } else {
                assertArrayEquals(content(round + i), cluster.read(cids.get(i)), "chunk " + i);
            }
        }
    }

    @FullTier("a cluster that is made anew; RebuildSearchTest rebuilds from each set of folders, and the other "
        + "methods stay")
    @Test
    void lossOfAllSuperpeers_rebuilt_hasEveryAcknowledgedChange_andAPeerWithOlderCopiesCountsForNothing()
            throws IOException {
        fill();
        RebuildPlan plan = Rebuild.plan(List.of(report(0), report(1), report(2)), 2);
        assertEquals(List.of(), plan.obstacles());
        assertEquals(List.of(), plan.missing(), "the tables say that peer 3 has ended, and no zone needs it");
        assertEquals(List.of(), plan.zones(Outlook.LOST));
        Set<Integer> before = new HashSet<>();
        plan.tables().zones().forEach(row -> before.add(row.zone()));
        try (PeerCluster cluster = rebuilding()) {
            plan.commands(5).forEach(cluster::propose);
            for (int peer = 0; peer < 3; peer++) {
                cluster.start(peer);
            }
            cluster.awaitServed(before.size());
            check(cluster, 1_000);
            for (int i = 1; i < CHUNKS; i += 3) {
                cluster.put(cids.get(i), content(2_000 + i));
                cluster.put(cids.get(i + 1), content(2_000 + i + 1));
            }
            cluster.start(3);                                   // with what it had before the loss
            PeerCluster.await(() -> isBacked(cluster), () -> "" + cluster.rows());
            check(cluster, 2_000);
            cluster.killAttested(0);
            cluster.awaitServed(before.size());
            cluster.killAttested(1);
            check(cluster, 2_000);
        }
    }

    @FullTier("14 s for two cells; RebuildSearchTest has missing folders, and the other method stays")
    @Test
    void zoneOfAMissingFolder_waits_andIsServedWhenItComesBack() throws IOException {
        fill();
        RebuildPlan plan = Rebuild.plan(List.of(report(0), report(1)), 2);
        assertTrue(!plan.zones(Outlook.WAITING).isEmpty(), plan::toString);
        assertEquals(1, plan.missing().size());
        try (PeerCluster cluster = rebuilding()) {
            plan.commands(5).forEach(cluster::propose);
            cluster.start(0);
            cluster.start(1);
            PeerCluster.await(() -> cluster.rows().stream().allMatch(row -> row.state() == ZoneState.WAITING
                || cluster.host(row) != null), () -> "" + cluster.rows());
            assertTrue(cluster.rows().stream().anyMatch(row -> row.state() == ZoneState.WAITING));
            cluster.start(2);
            cluster.awaitServed(plan.tables().zones().size());
            check(cluster, 1_000);
        }
    }

    @Test
    void tablesFile_thatIsDamagedOrOfAnotherFolder_isNoTables() throws IOException {
        fill();
        KnownTables kept = report(0).tables();
        assertTrue(kept != null && kept.zones().size() >= 24 && kept.nodes().size() == 4);
        Path file = folder.resolve("peer-0").resolve("tables");
        byte[] bytes = Files.readAllBytes(file);
        Files.copy(folder.resolve("peer-1").resolve("tables"), file, StandardCopyOption.REPLACE_EXISTING);
        assertNull(report(0).tables(), "another folder's");
        for (int at : new int[] {0, 20, 26, 31, 40, bytes.length / 2, bytes.length - 1}) {
            bytes[at] ^= 4;
            Files.write(file, bytes);
            assertNull(report(0).tables(), "byte " + at);
            bytes[at] ^= 4;
        }
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 5));
        assertNull(report(0).tables(), "cut");
        Files.write(file, bytes);
        assertEquals(kept, report(0).tables());
        for (String[] change : new String[][] {{"struct(", "s?ruct("}, {"(OPEN;", "(OPEX;"}}) {
            Files.write(file, ofAnotherVersion(bytes, change[0], change[1]));
            assertNull(report(0).tables(), change[1]);
        }
        Files.delete(file);
        Files.createDirectory(file);
        assertThrows(IOException.class, () -> report(0));
        try (PeerCluster cluster = rebuilding()) {
            Rebuild.plan(List.of(report(1), report(2)), 2).commands(5).forEach(cluster::propose);
            for (int peer = 1; peer < 4; peer++) {
                cluster.start(peer);
            }
            cluster.start(0);                                   // whatever becomes of an auxiliary file
            PeerCluster.await(() -> cluster.isSettled(), () -> "" + cluster.rows());
        }
    }

    /** Returns a whole file with another description. */
    private static byte[] ofAnotherVersion(byte[] bytes, String from, String to) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int at = text.indexOf(from);
        assertTrue(at > 0, from);
        byte[] changed = (text.substring(0, at) + to + text.substring(at + from.length())).getBytes(
            StandardCharsets.ISO_8859_1);
        CRC32C crc = new CRC32C();
        crc.update(changed, 0, changed.length - Integer.BYTES);
        ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putInt(changed.length - Integer.BYTES,
            (int) crc.getValue());
        return changed;
    }
}
