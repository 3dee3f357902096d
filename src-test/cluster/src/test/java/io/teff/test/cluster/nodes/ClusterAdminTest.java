package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterEvent;
import io.teff.cluster.admin.ClusterNode;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.ConfigException;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.ResourceBundle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The administration of a small cluster: a superpeer and two peers in this process, over TCP. */
final class ClusterAdminTest {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int PEERS = 2;

    /** Keeps the lines of all nodes. */
    private static final class Lines implements System.Logger {
        private final Queue<String> all = new ConcurrentLinkedQueue<>();

        @Override
        public String getName() {
            return "lines";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
            all.add(level + " " + text);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            all.add(level + " " + format);
        }
    }

    @TempDir
    private static Path folder;
    private static final Lines LINES = new Lines();
    private static final List<ClusterNode> NODES = new ArrayList<>();
    private static int port;

    @BeforeAll
    static void startCluster() throws Exception {
        port = 20_000 + ThreadLocalRandom.current().nextInt(1_000) * 20;
        while (!faults(port).isEmpty()) {
            port += 20;
        }
        Starts.CLUSTER.count();
        Starts.DRIVER.count();
        NODES.add(settings("superpeer", 0).start(LINES));
        for (int i = 1; i <= PEERS; i++) {
            NODES.add(settings("peer", i).start(LINES));
        }
        for (ClusterNode node : NODES) {
            node.awaitReady(PATIENCE_NS);
        }
    }

    @AfterAll
    static void endCluster() {
        NODES.reversed().forEach(ClusterNode::close);
    }

    private static List<String> faults(int first) {
        return NodeSettings.portFaults(List.of(address(first), address(first + 1), address(first + 2)));
    }

    private static String address(int port) {
        return "127.0.0.1:" + port;
    }

    private static NodeSettings settings(String role, int number) throws ConfigException {
        return settings(role, number, port);
    }

    private static NodeSettings settings(String role, int number, int superpeer) throws ConfigException {
        Map<NodeOption, OptionValue> values = new EnumMap<>(NodeOption.class);
        values.put(NodeOption.ROLE, OptionValue.of(role));
        values.put(NodeOption.NAME, OptionValue.of(role + "-" + number));
        values.put(NodeOption.FOLDER, OptionValue.of(folder.resolve(role + number).toString()));
        values.put(NodeOption.LISTEN, OptionValue.of(address(port + number)));
        values.put(NodeOption.SUPERPEERS, OptionValue.of(address(superpeer)));
        values.put(NodeOption.MEMORY, OptionValue.of("64m"));
        values.put(NodeOption.RING, OptionValue.of("8m"));
        return NodeSettings.of(values, "the test");
    }

    private static ClusterAdmin connect() throws Exception {
        return ClusterAdmin.connect("127.0.0.1:" + port);
    }

    private static ClusterStatus awaitBacked(ClusterAdmin admin) {
        List<ClusterStatus> last = new ArrayList<>();
        Threads.await("each peer owns zones with a backup", () -> {
            ClusterStatus status = admin.tables();
            last.add(status);
            return status.nodes().stream().filter(node -> node.role() == NodeRole.PEER).count() == PEERS
                && status.nodes().stream().filter(node -> node.role() == NodeRole.PEER).allMatch(node ->
                    status.zones().stream().anyMatch(zone -> zone.isOwnedBy(node.life())))
                && status.zones().stream().allMatch(zone -> zone.state().isServed() && !zone.backups().isEmpty());
        });
        return last.getLast();
    }

    @Test
    void status_hasTheTables_andTheStatusOfEachNode() throws Exception {
        try (ClusterAdmin admin = connect();
             ClusterStore store = ClusterStore.connect(ClientConfig.builder(address(port)).build())) {
            awaitBacked(admin);
            long cid = store.create(new byte[100]);
            assertTrue(cid > 0);
            ClusterStatus status = admin.status();
            assertNull(status.problem());
            assertEquals(List.of("tcp:" + address(port)), status.superpeers());
            Member superpeer = status.nodes().getFirst();
            assertEquals(NodeRole.SUPERPEER, superpeer.role());
            NodeStatus leading = superpeer.status();
            assertNotNull(leading);
            assertTrue(leading.standing().isLeading());
            assertNull(leading.peer());
            assertEquals("superpeer-0", leading.name());
            int copies = 0;
            long chunks = 0;
            long memory = 0;
            for (Member peer : status.nodes().subList(1, status.nodes().size())) {
                NodeStatus seen = peer.status();
                assertNotNull(seen, peer::toString);
                assertEquals(peer.life(), seen.life());
                assertTrue(seen.standing().holdsLease());
                assertEquals(ProcessHandle.current().pid(), seen.process().pid());
                NodeStatus.PeerFigures figures = seen.peer();
                assertNotNull(figures);
                assertEquals(8 << 20, figures.ring().bytes());
                assertFalse(figures.zones().isEmpty());
                copies += figures.copies().size();
                chunks += figures.chunks();
                memory += figures.memoryBytes();
            }
            assertEquals(1, chunks);
            assertTrue(copies > 0);
            assertTrue(memory > 0);
            store.remove(cid);
        }
    }

    @Test
    void ownNode_hasTheSameStatus_andSettingsWithoutTheSecret() {
        ClusterNode peer = NODES.getLast();
        assertTrue(peer.isReady());
        assertNull(peer.failure());
        assertEquals(peer.life(), peer.status(false).life());
        NodeStatus.PeerFigures brief = peer.status(false).peer();
        assertNotNull(brief);
        assertEquals(List.of(), brief.zones());
        assertEquals("tcp:" + address(port + PEERS), peer.settings().listen());
        assertEquals(List.of("tcp:" + address(port)), peer.settings().client().superpeers());
        assertTrue(LINES.all.stream().anyMatch(line -> line.contains("life-begun: ")), LINES.all::toString);
    }

    @Test
    void reportedEnd_ofAPeer_isSeenByAWatch_andThePeerBeginsANewLife() throws Exception {
        ConcurrentLinkedQueue<ClusterEvent> events = new ConcurrentLinkedQueue<>();
        try (ClusterAdmin admin = connect()) {
            ClusterAdmin.Watch watch = admin.watch(events::add);
            awaitBacked(admin);
            NodeLife before = NODES.get(1).life();
            assertTrue(admin.reportEnd(before, PATIENCE_NS));
            Threads.await("the end of the life", () -> events.stream().anyMatch(event ->
                event.kind() == ClusterEvent.Kind.NODE_EXPIRED && before.equals(event.node())));
            Threads.await("the next life", () -> events.stream().anyMatch(event ->
                event.kind() == ClusterEvent.Kind.NODE_JOINED && event.node() != null
                    && event.node().nid() == before.nid() && event.node().incarnation() > before.incarnation()));
            Threads.await("a zone of another owner", () -> events.stream().anyMatch(event ->
                event.kind() == ClusterEvent.Kind.ZONE_CHANGED));
            assertFalse(admin.tables().isAlive(before));
            watch.close();
            int count = events.size();
            awaitBacked(admin);
            assertEquals(count, events.size(), "the watch has ended");
        }
    }

    @Test
    void loss_isAccepted_onlyOfWaitingZones() throws Exception {
        try (ClusterAdmin admin = connect()) {
            ZoneStatus zone = awaitBacked(admin).zones().getFirst();
            assertThrows(IllegalArgumentException.class, () -> admin.acceptLoss(zone, null, PATIENCE_NS));
            ZoneStatus stale = new ZoneStatus(zone.zone(), zone.epoch() + 1, ZoneStatus.State.WAITING, null, List.of(),
                List.of(), List.of(), false, null);
            assertThrows(IllegalArgumentException.class, () -> admin.acceptLoss(stale,
                new ZoneStatus.Copy(new NodeLife(17, 1), 1, false, false), PATIENCE_NS));
            assertEquals(ClusterAdmin.Acceptance.CHANGED, admin.acceptLoss(stale, null, PATIENCE_NS));
        }
    }

    @Test
    void silentCluster_isAProblem_andSoIsAClosedConnection() throws Exception {
        try (ClusterAdmin admin = settings("peer", PEERS + 1, port + 15).connect()) {
            ClusterStatus status = admin.status();
            assertFalse(status.isAnswering());
            assertNotNull(status.problem());
            assertEquals(1, status.nodes().size());
            assertEquals(0, status.version());
            assertFalse(admin.reportEnd(new NodeLife(16, 1), 1));
        }
        ClusterAdmin closed = connect();
        closed.close();
        closed.close();
        assertFalse(closed.tables().isAnswering());
        assertFalse(closed.reportEnd(new NodeLife(16, 1), 1));
    }

    @Test
    void foldersOfRunningNodes_areLookedAt() throws Exception {
        assertTrue(NODES.getFirst().settings().hasMetadata());
        assertTrue(NODES.getLast().settings().hasLog());
        assertNull(NodeSettings.transportFault("tcp"));
        assertEquals(1, NodeSettings.portFaults(List.of(address(port))).size());
        assertThrows(IllegalArgumentException.class, () -> NodeSettings.portFaults(List.of("nowhere")));
    }
}
