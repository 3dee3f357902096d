package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.operation.ZoneHost;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Four peers and a superpeer in this process, over real messages. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerTest {
    private static final int PEERS = 4;
    private static final int CHUNKS = 240;

    @TempDir
    private Path folder;

    private PeerCluster cluster;

    @BeforeEach
    void start() throws IOException {
        start(folder, PeerCluster.TERMS);
    }

    private void start(Path its, LeaseTerms terms) throws IOException {
        cluster = new PeerCluster("peer-test-" + System.nanoTime(), its, 2, terms);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i);
        }
        cluster.awaitServed(PEERS * 6);
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    private static byte[] content(int number) {
        return ByteBuffer.allocate(64).putInt(number).putInt(60, number).array();
    }

    private Map<Long, Integer> createChunks(int first) {
        List<ZoneRow> rows = cluster.rows();
        Map<Long, Integer> chunks = new HashMap<>();
        for (int i = first; i < first + CHUNKS; i++) {
            chunks.put(cluster.create(rows.get(i % rows.size()).zone(), content(i)), i);
        }
        return chunks;
    }

    private void check(Map<Long, Integer> chunks) {
        chunks.forEach((cid, number) -> assertArrayEquals(content(number), cluster.read(cid), () -> "chunk " + number));
    }

    @Test
    void zones_areCreated_withTwoBackupsEach_andServeChunks() {
        for (ZoneRow row : cluster.rows()) {
            assertEquals(2, row.backups().size(), row::toString);
        }
        Map<Long, Integer> chunks = createChunks(0);
        check(chunks);
        for (ZoneRow row : cluster.rows()) {
            for (Peer peer : cluster.peers()) {
                if (row.hasBackup(peer.node())) {
                    assertTrue(peer.figures(false).logging().copies() > 0);
                }
            }
        }
    }

    /** An action that may throw. */
    private interface Action {
        void run() throws IOException;
    }

    /** Returns the recoveries that Flight Recorder has seen during an action. */
    private List<RecordedEvent> recorded(Action action) throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable("io.teff.ZoneRecovered");
            recording.start();
            action.run();
            recording.stop();
            Path file = folder.resolve("recoveries.jfr");
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("io.teff.ZoneRecovered")).toList();
        }
    }

    private void checkEvents(List<RecordedEvent> events, int zones) {
        assertTrue(events.size() >= zones, () -> events.size() + " events of " + zones + " zones");
        List<Integer> living = cluster.peers().stream().map(peer -> peer.node().nid()).toList();
        for (RecordedEvent event : events) {
            assertTrue(living.contains(event.getInt("nid")), event::toString);
            assertTrue(event.getInt("epoch") > 1, event::toString);
            Duration served = event.getDuration("servedNs");
            assertTrue(served.isPositive(), event::toString);
            for (String step : List.of("fencedNs", "chosenNs", "restoredNs", "shippedNs")) {
                assertTrue(event.getDuration(step).compareTo(served) <= 0, event::toString);
            }
        }
        assertTrue(events.stream().mapToLong(event -> event.getLong("chunks")).sum() > 0, "chunks were restored");
    }

    @FullTier("two leases of 4 s; WholeSimulationTest kills peers with real stores and logs in virtual time")
    @Test
    void peerThatDies_andThenAnother_everyAcknowledgedChunkIsServedByOthers() throws IOException {
        cluster.close();
        start(folder.resolve("brief"), PeerCluster.BRIEF_TERMS);
        Map<Long, Integer> chunks = createChunks(0);
        NodeRef first = cluster.peer(1).node();
        int zones = (int) cluster.rows().stream().filter(row -> row.isOwnedBy(first)).count();
        List<RecordedEvent> events = recorded(() -> {
            cluster.kill(1);
            check(chunks);
            cluster.awaitServed(zones);
        });
        checkEvents(events, zones);
        // on a busy machine the peer may have lost its zones before, and is a backup alone until its lease has ended
        PeerCluster.await(() -> !cluster.isNamed(first), () -> first + " is named");
        chunks.putAll(createChunks(CHUNKS));
        cluster.kill(3);
        check(chunks);
        chunks.putAll(createChunks(2 * CHUNKS));
        check(chunks);
        assertTrue(cluster.peers().stream().mapToInt(peer -> peer.figures(false).recoveries().size()).sum() >= 12);
        for (Peer peer : cluster.peers()) {
            peer.figures(false).recoveries().forEach(System.out::println);
        }
    }

    @FullTier("a cluster of its own; WholeSimulationTest overwrites chunks between deaths in virtual time")
    @Test
    void chunks_thatNewOwnersHaveOverwritten_keepTheirLastContent() throws IOException {
        Map<Long, Integer> chunks = createChunks(0);
        cluster.killAttested(2);
        for (Map.Entry<Long, Integer> chunk : chunks.entrySet()) {
            chunk.setValue(chunk.getValue() + 1_000_000);
            cluster.put(chunk.getKey(), content(chunk.getValue()));
        }
        cluster.killAttested(0);
        check(chunks);
    }

    @FullTier("a cluster of its own; WholeSimulationTest removes chunks before deaths in virtual time")
    @Test
    void chunks_thatWereRemoved_doNotComeBack() throws IOException {
        Map<Long, Integer> chunks = createChunks(0);
        for (long cid : chunks.keySet()) {
            cluster.remove(cid);
        }
        cluster.killAttested(1);
        for (long cid : chunks.keySet()) {
            assertNull(cluster.read(cid));
        }
    }

    @Test
    void peerThatLeaves_itsZonesAreServedByOthers_withoutWaitingForItsLease() throws IOException {
        Map<Long, Integer> chunks = createChunks(0);
        cluster.stop(1);
        check(chunks);
    }

    @Test
    void peerThatIsRestarted_catchesUpFromItsCopies_andServesZones() throws IOException {
        Map<Long, Integer> chunks = createChunks(0);
        NodeRef before = cluster.peer(1).node();
        cluster.killAttested(1);
        Peer again = cluster.start(1);
        assertEquals(new NodeRef(before.nid(), before.incarnation() + 1), again.node());
        check(chunks);
        PeerCluster.await(() -> cluster.rows().stream().anyMatch(row -> row.isOwnedBy(again.node())),
            () -> "zones of " + again.node());
        PeerCluster.await(() -> cluster.rows().stream().map(row -> row.backup(again.node()))
            .anyMatch(backup -> backup != null && backup.copy() <= 2), () -> "a copy of before: " + cluster.rows());
        chunks.putAll(createChunks(CHUNKS));
        cluster.killAttested(2);
        check(chunks);
        for (String event : List.of("life-begun: has joined as node " + again.node().nid() + ", life "
            + again.node().incarnation(), "lease-held: ", "leader: ", "zone-fenced: zone ", "zone-restored: zone ",
            "zone-served: zone ")) {
            assertTrue(cluster.lines().contains("INFO " + event), () -> event + " of " + cluster.lines().lines());
        }
    }

    @FullTier("six deaths and starts; WholeSimulationTest has them, and new backups, in virtual time")
    @Test
    void peersThatDieOneAfterTheOther_theirBackupsAreReplaced_andNothingIsLost() throws IOException {
        Map<Long, Integer> chunks = createChunks(0);
        List<Long> cids = new ArrayList<>(chunks.keySet());
        for (int round = 0; round < 6; round++) {
            for (int i = round; i < cids.size(); i += 7) {      // some are removed, some have other content
                long cid = cids.get(i);
                if (chunks.containsKey(cid) && i % 2 == 0) {
                    cluster.remove(cid);
                    chunks.remove(cid);
                } else if (chunks.containsKey(cid)) {
                    chunks.put(cid, 1_000_000 * round + i);
                    cluster.put(cid, content(chunks.get(cid)));
                }
            }
            int victim = round % PEERS;
            cluster.killAttested(victim);
            cluster.start(victim);
            PeerCluster.await(() -> cluster.isSettled() && cluster.rows().stream()
                .allMatch(row -> row.backups().size() == 2 && row.learners().isEmpty()), () -> "" + cluster.rows());
            check(chunks);
        }
        for (long cid : cids) {
            assertEquals(!chunks.containsKey(cid), cluster.read(cid) == null, () -> "chunk " + cid);
        }
        Map<Long, Integer> more = createChunks(CHUNKS);
        more.keySet().forEach(cid -> assertFalse(cids.contains(cid), () -> cid + " was issued twice"));
        check(more);
    }

    @Test
    void lifeThatTheCellHasEnded_servesNothing_andAnotherOneBegins() throws IOException {
        Map<Long, Integer> chunks = createChunks(0);
        Peer peer = cluster.peer(3);
        NodeRef before = peer.node();
        ZoneHost host = peer.host();
        int zone = cluster.rows().stream().filter(row -> row.isOwnedBy(before)).findFirst().orElseThrow().zone();
        cluster.propose(new Command.Ended(before));
        PeerCluster.await(() -> host.serving(zone) == null, () -> "the old life serves");
        PeerCluster.await(() -> peer.node().incarnation() > before.incarnation() && peer.holdsLease(),
            () -> "the next life");
        check(chunks);
    }

    @Test
    void changes_whileAPeerDies_areKeptIfTheyWereAcknowledged() throws Exception {
        Map<Long, Integer> chunks = new ConcurrentHashMap<>(createChunks(0));
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger acknowledged = new AtomicInteger();
        List<Thread> writers = new ArrayList<>();
        List<Long> cids = new ArrayList<>(chunks.keySet());
        for (int i = 0; i < 3; i++) {
            int first = i;
            writers.add(Thread.ofPlatform().start(() -> {
                for (int k = first; !isOver.get(); k += 3) {
                    long cid = cids.get(k % cids.size());
                    int next = 10_000_000 + k;
                    if (cluster.tryPut(cid, content(next))) {
                        chunks.put(cid, next);
                        acknowledged.incrementAndGet();
                    } else {
                        chunks.remove(cid);                     // the change may have happened or not
                    }
                }
            }));
        }
        PeerCluster.await(() -> acknowledged.get() > 200, () -> "changes");
        cluster.killAttested(0);
        int before = acknowledged.get();
        PeerCluster.await(() -> acknowledged.get() > before + 1_000, () -> "changes after the kill");
        cluster.awaitServed(1);
        isOver.set(true);
        for (Thread writer : writers) {
            writer.join();
        }
        assertTrue(chunks.size() > CHUNKS / 2, "most chunks are known");
        check(chunks);
    }
}
