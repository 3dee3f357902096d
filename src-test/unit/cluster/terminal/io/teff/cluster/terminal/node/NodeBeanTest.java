package io.teff.cluster.terminal.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.teff.cluster.admin.ClusterNode;
import io.teff.cluster.admin.NodeFigures;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeOption;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.admin.OptionValue;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The beans of a node: each attribute has its figure of the node's status. */
final class NodeBeanTest {
    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();
    private static final NodeLife LIFE = new NodeLife(16, 3);

    @TempDir
    private Path folder;

    private record FixedNode(NodeSettings settings, NodeStatus status) implements ClusterNode {
        @Override
        public void awaitReady(long patienceNs) {
            throw new AssertionError();
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public NodeLife life() {
            return status.life();
        }

        @Override
        public NodeStatus status(boolean withZones) {
            NodeStatus.PeerFigures all = status.peer();
            return withZones || all == null ? status : status(new NodeStatus.PeerFigures(all.memoryBytes(), all.ring(),
                all.shipping(), all.logging(), all.recoveries(), List.of(), List.of(), all.room()));
        }

        private NodeStatus status(NodeStatus.PeerFigures figures) {
            return new NodeStatus(status.name(), status.role(), status.life(), status.process(), status.standing(),
                status.logBytes(), status.problem(), figures);
        }

        @Override
        public NodeFigures figures() {
            throw new AssertionError();
        }

        @Override
        public String failure() {
            return null;
        }

        @Override
        public void onRestart(long process, Runnable action) {}

        @Override
        public void close() {
            throw new AssertionError();
        }
    }

    private NodeSettings settings(NodeRole role) throws Exception {
        Map<NodeOption, OptionValue> values = new EnumMap<>(NodeOption.class);
        values.put(NodeOption.ROLE, OptionValue.of(role.text()));
        values.put(NodeOption.NAME, OptionValue.of("bean-" + role.text()));
        values.put(NodeOption.FOLDER, OptionValue.of(folder.toString()));
        values.put(NodeOption.LISTEN, OptionValue.of("127.0.0.1:7400"));
        values.put(NodeOption.SUPERPEERS, OptionValue.of("127.0.0.1:7400"));
        return NodeSettings.of(values, "the test");
    }

    private static NodeStatus.PeerFigures figures() {
        return new NodeStatus.PeerFigures(100, new NodeStatus.Ring(11, 12, 13, 14, 15, 16),
            new NodeStatus.Shipping(21, 22, 23, 24, 25), new NodeStatus.Logging(31, 32, 33, 34, 35, 36, 37, 38),
            List.of(new NodeStatus.Recovery(7, 2, 1_000, 1_500_000, 2_000_000, 3_000_000, 4_000_000, 5_000_000, 9)),
            List.of(new NodeStatus.ZoneUse(5, 40, 400, 7), new NodeStatus.ZoneUse(6, 2, 20, 0)),
            List.of(new NodeStatus.CopyUse(8, 1, 4, 77)), new NodeStatus.Room(1 << 30, 100, 1 << 20));
    }

    private static Map<String, Object> attributes(String type, String name) throws Exception {
        ObjectName bean = new ObjectName("io.teff.cluster:type=" + type + ",name=" + name);
        String[] names = Arrays.stream(SERVER.getMBeanInfo(bean).getAttributes()).map(MBeanAttributeInfo::getName)
            .toArray(String[]::new);
        Map<String, Object> values = SERVER.getAttributes(bean, names).asList().stream()
            .collect(Collectors.toMap(value -> value.getName(), value -> value.getValue()));
        SERVER.unregisterMBean(bean);
        return values;
    }

    @Test
    void beansOfAPeer_haveTheFiguresOfTheStatus() throws Exception {
        NodeBean.register(new FixedNode(settings(NodeRole.PEER), new NodeStatus("bean-peer", NodeRole.PEER, LIFE,
            new NodeStatus.Process(99, 1_234, 55), new NodeStatus.Standing(66, false, true), 77, "no room",
            figures())));
        assertEquals(Map.ofEntries(Map.entry("Role", "peer"), Map.entry("Nid", 16), Map.entry("Incarnation", 3),
            Map.entry("Ready", true), Map.entry("Leading", false), Map.entry("HoldingLease", true),
            Map.entry("UpMillis", 1_234L), Map.entry("TableVersion", 66L), Map.entry("Zones", 2),
            Map.entry("Chunks", 42L), Map.entry("ChunkBytes", 420L), Map.entry("Copies", 1),
            Map.entry("MemoryBytes", 100L), Map.entry("LogBytes", 77L), Map.entry("CertificateEndMillis", 0L),
            Map.entry("Problem", "no room")),
            attributes("Node", "bean-peer"));
        Map<String, Object> peer = attributes("Peer", "bean-peer");
        Map<String, Long> numbers = Map.ofEntries(Map.entry("RingBytes", 11L), Map.entry("RingUsedBytes", 12L),
            Map.entry("ShippedBytes", 13L), Map.entry("ChangesRefused", 14L), Map.entry("RingWaits", 15L),
            Map.entry("RecordsAbandoned", 16L), Map.entry("KeptBytes", 21L), Map.entry("ChangesBehind", 22L),
            Map.entry("AnswersWaiting", 23L), Map.entry("Stalls", 25L), Map.entry("RunsLogged", 32L),
            Map.entry("RunBytesLogged", 33L), Map.entry("RunGaps", 34L), Map.entry("RunsRefused", 35L));
        numbers.forEach((name, value) -> assertEquals(value, peer.get(name), name));
        Set<String> names = new TreeSet<>(numbers.keySet());
        names.addAll(List.of("Zones", "Copies", "Recoveries"));
        assertEquals(names, new TreeSet<>(peer.keySet()));
        assertEquals(Map.of("zone", 5, "chunks", 40L, "bytes", 400L, "operations", 7L), parts(peer, "Zones"));
        assertEquals(Map.of("zone", 8, "copy", 1, "epoch", 4, "counter", 77L), parts(peer, "Copies"));
        assertEquals(Map.of("zone", 7, "epoch", 2, "detectedMs", 1_000L, "fencedMs", 1.5, "chosenMs", 2.0,
            "restoredMs", 3.0, "shippedMs", 4.0, "servedMs", 5.0, "chunks", 9L), parts(peer, "Recoveries"));
    }

    /** Returns the first element of a list as JMX clients see the element. */
    private static Map<String, Object> parts(Map<String, Object> attributes, String name) {
        CompositeData first = ((CompositeData[]) attributes.get(name))[0];
        return first.getCompositeType().keySet().stream().collect(Collectors.toMap(key -> key, first::get));
    }

    @Test
    void beanOfASuperpeer_hasNoFiguresOfAPeer() throws Exception {
        NodeBean.register(new FixedNode(settings(NodeRole.SUPERPEER), new NodeStatus("bean-superpeer",
            NodeRole.SUPERPEER, new NodeLife(1, 0), new NodeStatus.Process(99, 1, 55),
            new NodeStatus.Standing(66, true, false), 77, "", null)));
        Map<String, Object> values = attributes("Node", "bean-superpeer");
        assertEquals("superpeer", values.get("Role"));
        assertEquals(true, values.get("Leading"));
        assertEquals(0L, values.get("Chunks"));
        assertEquals(0, values.get("Zones"));
        assertEquals(0L, values.get("MemoryBytes"));
        assertFalse(SERVER.isRegistered(new ObjectName("io.teff.cluster:type=Peer,name=bean-superpeer")));
    }
}
