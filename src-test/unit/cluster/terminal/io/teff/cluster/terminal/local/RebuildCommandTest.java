package io.teff.cluster.terminal.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.ClusterRebuild;
import io.teff.cluster.admin.ClusterRebuild.Folder;
import io.teff.cluster.admin.ClusterRebuild.Outlook;
import io.teff.cluster.admin.ClusterRebuild.Peer;
import io.teff.cluster.admin.ClusterRebuild.Zone;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.admin.ZoneStatus.State;
import io.teff.cluster.terminal.cli.Terminal;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.engine.os.DiskLock;
import io.teff.recovery.backup.BackupConfig;
import io.teff.recovery.backup.BackupLog;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands say of a cluster whose metadata are lost; no process is started. */
final class RebuildCommandTest {
    private static final int PORT = 1_400;
    private static final long NODE_MAGIC = 0x314E66666574L;
    /** "TEFRNL01". */
    private static final long JOURNAL_MAGIC = 0x31304C4E52464554L;

    @TempDir
    private Path folder;
    private final StringWriter output = new StringWriter();
    private ClusterFolder cluster;

    @BeforeEach
    void makeFolder() throws IOException {
        cluster = ClusterFolder.create(folder.resolve("cluster"), ClusterPlan.of(1, 2, PORT));
        makePeer("peer-1");
    }

    /** Makes the folder of a peer that has joined, with an empty log. */
    private Path makePeer(String name) throws IOException {
        Path data = Files.createDirectories(cluster.node(name).config().folder());
        ByteBuffer node = ByteBuffer.allocate(28).order(ByteOrder.LITTLE_ENDIAN).putLong(NODE_MAGIC).putLong(1)
            .putLong(name.hashCode());
        CRC32C crc = new CRC32C();
        crc.update(node.array(), 0, 24);
        Files.write(data.resolve("node"), node.putInt((int) crc.getValue()).array());
        Files.write(data.resolve("lives"), new byte[0]);
        BackupLog.open(data.resolve("backups"), BackupConfig.builder().build()).close();
        return data;
    }

    /** Makes the journal of a superpeer with a vote; the journal is looked at, and not opened. */
    private void makeMetadata() throws IOException {
        Path cell = Files.createDirectories(cluster.node("superpeer-1").config().folder().resolve("cell"));
        ByteBuffer journal = ByteBuffer.allocate(62).order(ByteOrder.LITTLE_ENDIAN).putLong(JOURNAL_MAGIC).putLong(1)
            .putInt(2);
        journal.putInt(28, crc(journal.array(), 0, 28)).putInt(32, 14).put(48, (byte) 1).putLong(53, 7)
            .put(61, (byte) 1);
        byte[] record = Arrays.copyOfRange(journal.array(), 32, 62);
        CRC32C crc = new CRC32C();
        crc.update(record, 0, 4);
        crc.update(record, 8, 22);
        Files.write(cell.resolve("journal-0000000000000001"), journal.putInt(36, (int) crc.getValue()).array());
    }

    private static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    private int run(String command, String... more) {
        output.getBuffer().setLength(0);
        List<String> words = new ArrayList<>(List.of("cluster", command, "--dir", cluster.path().toString()));
        words.addAll(List.of(more));
        PrintWriter writer = new PrintWriter(output, true);
        return Terminal.commandLine().setOut(writer).setErr(writer).execute(words.toArray(String[]::new));
    }

    private void assertSaid(String text) {
        assertTrue(output.toString().contains(text), output::toString);
    }

    // ---- checks ----

    @Test
    void start_orUp_ofASuperpeerWithoutALog_besidePeersWithLogs_isRefused_andChangesNothing() throws IOException {
        Files.writeString(cluster.path().resolve("supervisor.run"), ProcessId.current().pid() + " "
            + ProcessId.current().start() + "\n");
        Path part = cluster.node("superpeer-1").config().folder().resolve("cell/part");
        Files.createDirectories(part);
        assertEquals(1, run("start", "superpeer-1"));
        assertSaid("the metadata of this cluster are lost: of 1 superpeer(s), superpeer-1 cannot come back");
        assertSaid("./teff cluster rebuild --dir ");
        assertFalse(Files.exists(cluster.path().resolve("requests/start-superpeer-1")));
        assertTrue(Files.exists(part), "a superpeer may be running");
        cluster.forgetSupervisor();
        assertEquals(1, run("up"));
        assertSaid("the metadata of this cluster are lost: of 1 superpeer(s), superpeer-1 cannot come back");
    }

    @Test
    void wholeMetadata_areSetAside_onlyIfThatIsAskedFor() throws IOException {
        makeMetadata();
        assertEquals(1, run("rebuild", "--yes"));
        assertSaid("the metadata are not lost: superpeer-1 has its log");
        assertSaid("./teff cluster rebuild --set-aside --dir ");
        assertEquals(1, run("rebuild", "--set-aside"));
        assertSaid("what superpeer-1 still has is set aside, and not used");
        assertSaid("the metadata that superpeer-1 still has, a majority, are not those of these peers");
        assertSaid("nothing was done; agree with --yes");
    }

    @Test
    void clusterThatAnotherProcessHasLocked_isNotRebuilt() throws IOException {
        try (DiskLock _ = cluster.lock()) {
            assertEquals(1, run("rebuild", "--yes"));
            assertSaid(" is locked by ");
        }
        cluster.forgetSupervisor();
        assertEquals(1, run("rebuild"));
        assertSaid("nothing was done; agree with --yes");
        assertNull(cluster.supervisor(), "the command is no supervisor any more");
        assertFalse(cluster.isRebuilding());
    }

    @Test
    void rebuildUnderWay_holdsTheLock_andUpIsRefused() throws IOException {
        try (DiskLock _ = cluster.lock()) {
            assertEquals(1, run("up"));
            assertSaid(" is running: its supervisor is ");
        } finally {
            cluster.forgetSupervisor();
        }
        cluster.beginRebuild();
        assertEquals(1, run("up"));
        assertSaid("begin again:  ./teff cluster rebuild --dir ");
        assertSaid("in the place of its data, and delete rebuild.unfinished");
    }

    // ---- texts ----

    @Test
    void folderThatCannotBeRead_isNamed_andTheOthersAreUsed() throws IOException {
        Files.write(makePeer("peer-2").resolve("node"), new byte[28]);
        assertEquals(1, run("rebuild"));
        assertSaid("  peer-1       0 copies of zones, no tables");
        assertSaid("  peer-2       is left out: ");
        assertSaid("the node's id cannot be read");
        assertSaid("no folder has tables, so the logs alone say what there was");
        assertSaid("nothing was done; agree with --yes");
        Files.write(cluster.node("peer-1").config().folder().resolve("node"), new byte[28]);
        assertEquals(1, run("rebuild", "--yes"));
        assertSaid("no peer has a log that can be read");
        assertSaid("peer-1: ");
    }

    private static ZoneStatus.Copy copy(int nid) {
        return new ZoneStatus.Copy(new NodeLife(nid, 3), 1, true, false);
    }

    private static Zone zone(int zone, Outlook outlook, ZoneStatus.Copy... kept) {
        return new Zone(new ZoneStatus(zone, 300, kept.length == 0 ? State.LOST : State.WAITING, null, List.of(),
            List.of(kept), List.of(), outlook == Outlook.USED_UP, null), outlook, false);
    }

    /** Metadata without folders. */
    private record FoundPlan(List<Folder> folders, List<Peer> peers, List<Peer> missing, List<Zone> zones)
            implements ClusterRebuild {
        @Override
        public List<String> obstacles() {
            return List.of();
        }

        @Override
        public void begin(NodeSettings superpeer) {
            throw new AssertionError();
        }

        @Override
        public String send(NodeSettings superpeer, long patienceNs) {
            throw new AssertionError();
        }

        @Override
        public void end(NodeSettings superpeer) {
            throw new AssertionError();
        }
    }

    private Peer peer(int nid, String name) {
        return new Peer(nid, cluster.node(name).config().listen());
    }

    @Test
    void allZones_areNamedAsRanges_withTheNodesForWhichTheyWait() {
        List<Zone> zones = new ArrayList<>();
        IntStream.rangeClosed(1, 40).forEach(zone -> zones.add(zone(zone, Outlook.SERVED, copy(16))));
        zones.add(zone(42, Outlook.SERVED, copy(16)));
        IntStream.rangeClosed(43, 45).forEach(zone -> zones.add(zone(zone, Outlook.WAITING, copy(16), copy(17))));
        zones.add(zone(50, Outlook.WAITING, copy(16), copy(30)));
        zones.add(zone(51, Outlook.LOST));
        zones.add(zone(52, Outlook.USED_UP, copy(16)));
        zones.add(zone(53, Outlook.DOUBTFUL, copy(16), new ZoneStatus.Copy(new NodeLife(16, 0), 9, true, true)));
        for (boolean isRead : new boolean[] {true, false}) {
            List<Folder> folders = new ArrayList<>(List.of(new Folder("peer-1", 1, 9L, null)));
            if (!isRead) {
                folders.add(new Folder("peer-2", 0, null, "EIO"));
            }
            RebuildText text = new RebuildText(cluster, new FoundPlan(folders,
                List.of(peer(16, "peer-1"), peer(17, "peer-2")), List.of(peer(17, "peer-2"), new Peer(30, "")), zones));
            String found = String.join("\n", text.found()) + "\n";
            for (String line : List.of("  41 zone(s) of which all copies that count are here: 1-40 42\n",
                "  3 zone(s) that will wait for the copy of peer-2 (node 17); ./teff cluster accept-loss gives this up:"
                    + " 43-45\n",
                "  1 zone(s) that will wait for the copy of node 30; ./teff cluster accept-loss gives this up: 50\n",
                "  1 zone(s) that will wait for a person: a copy at peer-1 (node 16) has later ",
                "  1 zone(s) that have used up their configurations, and cannot be served any more; their copies stay "
                    + "at peer-1 (node 16): 52\n",
                "  1 zone(s) of which no copy can be used: lost: 51\n",
                "  missing      node 30: no table says more of this node than that it has copies\n",
                isRead ? "peer-2 (node 17): its folder has no log here\n"
                    : "peer-2 (node 17): its log cannot be opened, or its folder cannot be read\n")) {
                assertTrue(found.contains(line), () -> line + found);
            }
            assertEquals(!isRead, found.contains("  peer-2       is left out: EIO\n"));
            assertTrue(text.assumed(List.of()).stream().anyMatch(line -> line.contains("at most seconds older")));
        }
    }
}
