package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.UnknownOutcomeException;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Platform;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Peers that can no longer do their part: logs fail, copies are damaged, memory is too small, backups fall behind.
 * Every acknowledged chunk is served by others, and the peers say what is wrong.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerFaultsTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final long MEMORY_BYTES = 128 << 20;
    private static final long SMALL_BYTES = 16 << 20;
    private static final int CHUNKS = 20;

    private final List<MemoryCopyLog> logs = new ArrayList<>();

    @TempDir
    private Path folder;

    private PeerCluster cluster;

    private final String name = "peer-faults-" + System.nanoTime();

    @BeforeEach
    void open() throws IOException {
        cluster = new PeerCluster(name, folder, 2);
    }

    private ClusterStore connect(String of, long timeoutS) {
        return ClusterStore.connect(ClientConfig.builder("loop:" + of + "-superpeer")
            .timeoutNs(TimeUnit.SECONDS.toNanos(timeoutS)).build());
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    /** Starts peers with logs in memory, each with an own limit of the chunks' memory. */
    private void start(long... memoryBytes) throws IOException {
        for (int i = 0; i < memoryBytes.length; i++) {
            logs.add(new MemoryCopyLog());
            cluster.start(i, cluster.config(i).withBytes(memoryBytes[i], PeerConfig.RING_BYTES_MIN,
                PeerConfig.LOG_BYTES_MIN), logs.get(i));
        }
        cluster.awaitServed(memoryBytes.length * 6);
    }

    /**
     * Returns a zone of the first peer whose preferred new owner is the second one. Which backups the zones of the
     * start have depends on when the other peers joined; new ones prefer each of them in turn.
     */
    private ZoneRow zoneOfTheFirst() {
        NodeRef owner = cluster.peer(0).node();
        NodeRef next = cluster.peer(1).node();
        Supplier<Optional<ZoneRow>> found = () -> cluster.rows().stream().filter(row -> row.isOwnedBy(owner)
            && !row.backups().isEmpty() && row.backups().getFirst().node().equals(next)).findFirst();
        if (found.get().isEmpty()) {
            long request = cluster.read(machine -> machine.nodesSince(-1)).stream()
                .filter(row -> row.nid() == owner.nid()).findFirst().orElseThrow().request() + 1;
            int others = cluster.peers().size() - 1;
            assertInstanceOf(CommandReply.Zones.class, cluster.reply(new Command.NewZones(owner, request, others)));
            cluster.awaitServed(cluster.rows().size());
        }
        return found.get().orElseThrow();
    }

    private static byte[] content(int bytes, int number) {
        return ByteBuffer.allocate(bytes).putInt(number).putInt(bytes - 4, number).array();
    }

    private Map<Long, Integer> create(int zone, int count, int bytes) {
        Map<Long, Integer> chunks = new HashMap<>();
        for (int i = 0; i < count; i++) {
            chunks.put(cluster.create(zone, content(bytes, i)), i);
        }
        return chunks;
    }

    private void check(Map<Long, Integer> chunks, int bytes) {
        chunks.forEach((cid, number) -> assertArrayEquals(content(bytes, number), cluster.read(cid),
            () -> "chunk " + number));
    }

    private ZoneRow row(int zone) {
        return cluster.read(machine -> machine.zone(zone));
    }

    private boolean isAlive(NodeRef life) {
        return cluster.read(machine -> machine.isAlive(life));
    }

    // ---- logs that fail ----

    private void checkLeft(Peer peer, NodeRef life) {
        PeerCluster.await(() -> !isAlive(life), () -> life + " lives");
        PeerCluster.await(() -> peer.failure() != null, () -> "a failure of " + life);
        assertFalse(cluster.isNamed(life));
        assertTrue(peer.failure().contains("fdatasync has failed: errno 5"), peer.failure());
        assertFalse(peer.holdsLease());
        assertEquals(life, peer.node());
        assertEquals(List.of(), peer.figures(true).zones());
    }

    @Test
    void log_thatFailsWhileItIsWritten_thePeerLeaves_andBeginsNoOtherLife() throws IOException {
        start(MEMORY_BYTES, MEMORY_BYTES, MEMORY_BYTES, MEMORY_BYTES);
        int zone = zoneOfTheFirst().zone();
        Map<Long, Integer> chunks = create(zone, CHUNKS, 64);
        Peer peer = cluster.peer(1);
        NodeRef life = peer.node();
        logs.get(1).fail();
        chunks.putAll(create(zone, CHUNKS, 64));
        checkLeft(peer, life);
        check(chunks, 64);
        cluster.awaitServed(1);
        assertEquals(life.incarnation(), cluster.read(machine -> machine.nodesSince(-1)).stream()
            .filter(row -> row.nid() == life.nid()).findFirst().orElseThrow().incarnation(), "it has not joined again");
        cluster.stop(1);                                        // closing it reports nothing new
    }

    @FullTier("a cluster of its own; log_thatFailsWhileItIsWritten_thePeerLeaves_andBeginsNoOtherLife shows the most "
        + "of it")
    @Test
    void log_thatFailsWhileNothingIsWritten_thePeerLeaves() throws IOException {
        start(MEMORY_BYTES, MEMORY_BYTES, MEMORY_BYTES);
        Peer peer = cluster.peer(2);
        NodeRef life = peer.node();
        logs.get(2).fail();
        checkLeft(peer, life);
        cluster.awaitServed(1);
        cluster.stop(2);
        try (NodeFolder left = NodeFolder.open(Platform.SYSTEM, folder.resolve("peer-2"))) {
            assertEquals(life.incarnation(), left.lives().cutIncarnation(), "its copies may have lost their ends");
        }
    }

    @Test
    void log_thatFailsByItsLastSync_isNotedInTheFolder() throws IOException {
        MemoryCopyLog log = new MemoryCopyLog();
        Peer peer = cluster.start(0, cluster.config(0), () -> {
            log.fail();
            throw new StoreException(StoreException.Category.FATAL, "fdatasync has failed: errno 5");
        }, log);
        NodeRef life = peer.node();
        cluster.stop(0);
        try (NodeFolder left = NodeFolder.open(Platform.SYSTEM, folder.resolve("peer-0"))) {
            assertEquals(life.incarnation(), left.lives().cutIncarnation(), "its copies may have lost their ends");
        }
    }

    /** The folder is on the disk that fails, as a rule. */
    @Test
    void log_thatFails_inAFolderThatTakesNoNote_thePeerSaysWhatToDo() throws IOException {
        start(MEMORY_BYTES, MEMORY_BYTES, MEMORY_BYTES);
        Peer peer = cluster.peer(2);
        NodeRef life = peer.node();
        Files.createDirectory(folder.resolve("peer-2").resolve("lives.new"));
        Files.createFile(folder.resolve("peer-2").resolve("lives.new").resolve("full"));
        logs.get(2).fail();
        checkLeft(peer, life);
        assertTrue(peer.failure().contains("so start this node with an empty one"), peer.failure());
    }

    @Test
    void logOnTheDisk_thatHasLostItsLock_thePeerLeaves_andCanBeClosed() throws IOException {
        for (int i = 0; i < 4; i++) {
            cluster.start(i);
        }
        cluster.awaitServed(4 * 6);
        int zone = zoneOfTheFirst().zone();
        Map<Long, Integer> chunks = create(zone, CHUNKS, 64);
        Peer peer = cluster.peer(1);
        NodeRef life = peer.node();
        Files.delete(folder.resolve("peer-1").resolve("backups").resolve("lock"));
        PeerCluster.await(() -> {
            chunks.putAll(create(zone, 1, 64));                 // so that its log syncs
            return peer.failure() != null;
        }, () -> "a failure of " + life);
        assertFalse(isAlive(life));
        assertTrue(peer.failure().contains("lock"), peer.failure());
        assertTrue(peer.logBytes() > 0, "the last known size");
        check(chunks, 64);
        cluster.stop(1);
    }

    /** Both backups of a zone leave at once. */
    @FullTier("a cluster of its own; ClusterSimulationTest lets the logs of some or all peers fail (Mix.FAILED_SYNCS)")
    @Test
    void logsOfAllBackups_fail_nothingAcknowledgedIsLost_andOthersTakeTheirPlace() throws IOException {
        start(MEMORY_BYTES, MEMORY_BYTES, MEMORY_BYTES, MEMORY_BYTES);
        int zone = zoneOfTheFirst().zone();
        Map<Long, Integer> chunks = create(zone, CHUNKS, 64);
        List<Peer> backups = cluster.peers().stream().filter(peer -> row(zone).hasBackup(peer.node())).toList();
        assertEquals(2, backups.size());
        try (ClusterStore store = connect(name, 60)) {
            backups.forEach(peer -> logs.get(cluster.numberOf(peer)).fail());
            for (Map.Entry<Long, Integer> chunk : chunks.entrySet()) {
                chunk.setValue(chunk.getValue() + 1_000);
                assertEquals(Status.OK, store.put(chunk.getKey(), content(64, chunk.getValue())), "no call fails");
            }
        }
        backups.forEach(peer -> PeerCluster.await(() -> peer.failure() != null, () -> "a failure of " + peer.node()));
        PeerCluster.await(() -> row(zone).state().isServed() && row(zone).backups().size() == 1, () -> "" + row(zone));
        check(chunks, 64);
        cluster.killAttested(0);
        check(chunks, 64);
    }

    // ---- disks that are full ----

    @Test
    void disk_ofOneBackupThatIsFull_theBackupIsReplaced_andNoCallFails() throws IOException {
        start(MEMORY_BYTES, MEMORY_BYTES, MEMORY_BYTES, MEMORY_BYTES);
        int zone = zoneOfTheFirst().zone();
        Map<Long, Integer> chunks = create(zone, 1, 64);
        long cid = chunks.keySet().iterator().next();
        NodeRef full = cluster.peer(1).node();
        logs.get(1).full(true);
        try (ClusterStore store = connect(name, 60)) {
            assertEquals(Status.OK, store.put(cid, content(64, 1)));
        }
        assertFalse(row(zone).hasBackup(full), () -> "" + row(zone));
        PeerCluster.await(() -> row(zone).backups().size() == 2, () -> "another backup of " + row(zone));
        assertTrue(isAlive(full), "it serves its own zones");
        logs.get(1).full(false);
    }

    /** The only backup of each zone is never given up. */
    @FullTier("8 s until changes have ended; disk_ofOneBackupThatIsFull_theBackupIsReplaced_andNoCallFails has one "
        + "full disk")
    @Test
    void disksOfAllBackups_full_changesEndWithAReason_readsGoOn_andWithRoomAllGoesOn() throws IOException {
        cluster.close();
        String one = name + "-one";
        cluster = new PeerCluster(one, folder, 1);
        start(MEMORY_BYTES, MEMORY_BYTES);
        int zone = zoneOfTheFirst().zone();
        List<Long> cids = new ArrayList<>(create(zone, CHUNKS, 64).keySet());
        long changed = cids.get(0);
        Map<Long, Integer> others = new HashMap<>();
        try (ClusterStore store = connect(one, 60); ClusterStore brief = connect(one, 4)) {
            for (long cid : cids) {
                assertEquals(Status.OK, store.put(cid, content(64, 5)));
                others.put(cid, 5);
            }
            others.remove(changed);
            logs.forEach(log -> log.full(true));
            RuntimeException put = assertThrows(RuntimeException.class, () -> brief.put(changed, content(64, 7)));
            assertTrue(put instanceof UnknownOutcomeException || put instanceof StoreException, put::toString);
            assertTrue(put.getMessage().contains("not done within 4000 ms"), put::toString);
            String problem = "changes of zone " + zone + " wait for its only backup, node " + cluster.peer(1).node();
            PeerCluster.await(() -> cluster.peer(0).problems().stream().anyMatch(text ->
                text.startsWith(problem)), () -> "a problem of " + row(zone) + ": "
                + cluster.peer(0).problems());
            assertEquals(1, row(zone).backups().size(), "the last one is not given up");
            check(others, 64);                                  // reads of what was acknowledged
            logs.forEach(log -> log.full(false));
            assertEquals(Status.OK, store.put(changed, content(64, 8)), "nothing else had to be done");
        }
        PeerCluster.await(() -> cluster.peer(0).problems().isEmpty(), () -> "no problem of " + row(zone));
        cluster.killAttested(0);
        check(others, 64);
        assertArrayEquals(content(64, 8), cluster.read(changed));
    }

    // ---- joins ----

    @Test
    void close_whileThePeerJoins_doesNotWaitForTheJoin() throws IOException {
        start(MEMORY_BYTES, MEMORY_BYTES);
        Peer peer = cluster.peer(1);
        NodeRef life = peer.node();
        UUID id = cluster.read(machine -> machine.nodesSince(-1)).stream().filter(row -> row.nid() == life.nid())
            .map(NodeRow::folder).findFirst().orElseThrow();
        cluster.propose(new Command.Ended(life));
        NodeRef other = cluster.join(new Command.Join(id, 4711, "loop:nowhere", Roles.PEER));
        PeerCluster.await(() -> !peer.holdsLease(), () -> life + " still holds its lease");
        LockSupport.parkNanos(200_000_000);                     // so that it has begun to join, as a rule
        cluster.stop(1);
        assertTrue(isAlive(other), "the join was refused all the time");
    }

    // ---- memory that is too small ----

    @Test
    void owner_thatHasTooLittleMemory_handsTheZoneToABackupThatHasEnough() throws IOException {
        start(MEMORY_BYTES, SMALL_BYTES, MEMORY_BYTES);
        int zone = zoneOfTheFirst().zone();
        NodeRef small = cluster.peer(1).node();
        Map<Long, Integer> chunks = create(zone, CHUNKS, MEBIBYTE);
        cluster.killAttested(0);
        check(chunks, MEBIBYTE);
        ZoneRow served = row(zone);
        assertTrue(served.isOwnedBy(cluster.peer(2).node()), served::toString);
        assertTrue(served.hasBackup(small), "it keeps its copy: " + served);
        assertEquals(List.of(), served.obstacles());
        chunks.putAll(create(zone, CHUNKS, MEBIBYTE));
        check(chunks, MEBIBYTE);
    }

    @FullTier("a zone of 20 MiB that is tried again and again; owner_thatHasTooLittleMemory_... shows the most of it")
    @Test
    void zone_thatIsTooLargeForAll_saysWhatItNeeds_andKeepsItsCopies() throws IOException {
        start(MEMORY_BYTES, SMALL_BYTES, SMALL_BYTES + (4 << 20));
        int zone = zoneOfTheFirst().zone();
        Map<Long, Integer> chunks = create(zone, CHUNKS, MEBIBYTE);
        cluster.killAttested(0);
        PeerCluster.await(() -> row(zone).obstacles().size() == 2, () -> "obstacles of " + row(zone));
        ZoneRow stuck = row(zone);
        assertEquals(ZoneState.RESTORING, stuck.state());
        assertTrue(stuck.obstacle().matches("it needs 2\\d MiB of memory, and the most that a peer with its log has is"
            + " \\d+ MiB"), stuck.obstacle());
        Peer owner = cluster.peers().stream().filter(peer -> stuck.isOwnedBy(peer.node())).findFirst().orElseThrow();
        PeerCluster.await(() -> owner.problems().stream().anyMatch(text -> text.startsWith("zone " + zone
            + " cannot be restored: ")), () -> "problems " + owner.problems());
        assertEquals(1, stuck.backups().size(), "both copies are kept: " + stuck);
        assertFalse(chunks.isEmpty());
    }

    // ---- copies that cannot be read ----

    @Test
    void owner_thatCannotReadItsCopy_handsTheZoneToAnother() throws IOException {
        start(MEMORY_BYTES, MEMORY_BYTES, MEMORY_BYTES);
        int zone = zoneOfTheFirst().zone();
        Map<Long, Integer> chunks = create(zone, CHUNKS, 64);
        logs.get(1).damage();
        cluster.killAttested(0);
        check(chunks, 64);
        ZoneRow served = row(zone);
        assertTrue(served.isOwnedBy(cluster.peer(2).node()), served::toString);
        assertFalse(served.hasBackup(cluster.peer(1).node()), served::toString);
    }

    // ---- backups that are behind ----

    @FullTier("waits for a backup that is behind; ZoneProtocolSearchTest has each order of such events")
    @Test
    void lastBackup_furtherBehindThanTheTail_isGivenUp_andTheZoneIsServed() throws IOException {
        start(MEMORY_BYTES, MEMORY_BYTES, MEMORY_BYTES);
        int zone = zoneOfTheFirst().zone();
        Map<Long, Integer> chunks = create(zone, CHUNKS, 64);
        logs.get(2).full(true);
        logs.get(1).forgetTail();
        Peer owner = cluster.peer(0);
        long surplus = PeerCluster.store(owner, zone).create(content(64, 77));
        owner.host().afterChange(zone, 0, WriteLevel.BACKED, _ -> { });
        PeerCluster.await(() -> logs.get(1).last(zone) > logs.get(2).last(zone), () -> "a surplus at one backup");
        cluster.killAttested(0);
        check(chunks, 64);
        ZoneRow served = row(zone);
        assertTrue(served.isOwnedBy(cluster.peer(1).node()), served::toString);
        assertFalse(served.hasBackup(cluster.peer(2).node()), served::toString);
        assertEquals(List.of(), served.spares());
        assertNotNull(cluster.read(surplus));
        assertNull(served.obstacle());
    }
}
