package io.teff.cluster.terminal.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.admin.ZoneStatus.State;
import io.teff.engine.Store;
import io.teff.examples.graph.ClassFiles;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The parts of the demo that judge: the check of the chunks, on a local store, and the timeline. */
final class DemoTest {
    private static final NodeLife KILLED = new NodeLife(16, 1);
    private static final NodeLife OTHER = new NodeLife(17, 1);
    private static final NodeLife FURTHER = new NodeLife(18, 1);
    private final SortedMap<Integer, ZoneStatus> zones = new TreeMap<>();

    @Test
    void verify_findsEachChunkThatIsNotTheAcknowledgedOne() {
        try (Store store = Store.open()) {
            DemoChunks chunks = new DemoChunks(store, 3_000);
            chunks.create(0, 1_500);
            chunks.create(1_500, 3_000);
            byte[] buffer = new byte[DemoChunks.BYTES];
            for (int i = 0; i < 3_000; i += 7) {
                chunks.update(i, buffer);
            }
            assertEquals(0, chunks.verify(0, 3_000));
            List<Long> cids = new ArrayList<>();
            store.ids().forEach(cids::add);
            store.put(cids.get(0), new byte[DemoChunks.BYTES]);
            store.resize(cids.get(1), 5);
            store.remove(cids.get(2));
            assertEquals(3, chunks.verify(0, 3_000));
            chunks.remove(0, 3_000);
            assertEquals(0, store.stats().chunks());
            store.audit();
        }
    }

    @Test
    void verifyOfTheGraph_findsEachChunkThatIsNotAsItWas() throws Exception {
        try (Store store = Store.open()) {
            SortedMap<String, Path> some = new TreeMap<>(ClassFiles.under(List.of(FileSystems.getFileSystem(
                URI.create("jrt:/")).getPath("/modules/java.sql"))).byName());
            DemoGraph graph = new DemoGraph(store, new ClassFiles(some), 2);
            assertTrue(graph.create() > some.size());
            assertEquals(2L * some.size(), store.stats().chunks());
            assertEquals(store.stats().payloadBytes(), graph.bytes());
            assertEquals(0, graph.verify());
            List<Long> cids = new ArrayList<>();
            store.ids().forEach(cids::add);
            store.fields().putByte(cids.get(0), 0, (byte) ~store.fields().getByte(cids.get(0), 0, (byte) 0));
            store.resize(cids.get(1), 5);
            store.remove(cids.get(2));
            assertEquals(3, graph.verify());
            graph.remove();
            assertEquals(0, store.stats().chunks());
            store.audit();
        }
    }

    /** Takes rows over, as tables do; returns the status. */
    private ClusterStatus put(boolean isAlive, ZoneStatus... rows) {
        for (ZoneStatus row : rows) {
            zones.put(row.zone(), row);
        }
        return new ClusterStatus("", "", List.of(), null, 1,
            List.of(new Member(NodeRole.PEER, KILLED, isAlive, "", null)), List.copyOf(zones.values()));
    }

    private static ZoneStatus zone(int zone, State state, NodeLife owner, NodeLife... backups) {
        return new ZoneStatus(zone, 1, state, owner, Stream.of(backups).map(node -> new ZoneStatus.Copy(node, 1, false,
            false)).toList(), List.of(), List.of(), false, null);
    }

    @Test
    void timeline_followsTheTables() {
        ClusterStatus before = put(true, zone(1, State.OPEN, KILLED, FURTHER), zone(2, State.OPEN, KILLED, FURTHER),
            zone(3, State.OPEN, OTHER, KILLED));
        Timeline timeline = new Timeline(KILLED, before, 1_000);
        assertEquals(2, timeline.zones());
        timeline.look(before, 1_010);
        assertEquals(List.of(-1L, -1L, -1L, -1L, -1L), timeline.steps().stream().map(Timeline.Step::ns).toList());
        timeline.look(put(false, zone(1, State.FENCING, null), zone(2, State.FENCING, null)), 1_020);
        timeline.look(put(false, zone(1, State.RESTORING, OTHER), zone(2, State.RESTORING, OTHER)), 1_030);
        timeline.look(put(false, zone(1, State.OPEN, OTHER)), 1_040);
        assertFalse(timeline.isServed());
        assertEquals(1, timeline.served());
        timeline.look(put(false, zone(2, State.FULL, OTHER, FURTHER)), 1_050);
        assertTrue(timeline.isServed());
        assertFalse(timeline.isRefilled());
        assertEquals(1, timeline.refilled());
        timeline.look(put(false, zone(1, State.OPEN, OTHER, FURTHER)), 1_060);
        assertFalse(timeline.isRefilled(), "zone 3 has lost a backup");
        timeline.look(put(false, zone(3, State.OPEN, OTHER, FURTHER)), 1_070);
        assertEquals(List.of(20L, 30L, 40L, 50L, 70L), timeline.steps().stream().map(Timeline.Step::ns).toList());
    }

    @Test
    void chart_isXml_withEachStep() {
        Timeline timeline = new Timeline(KILLED, put(true, zone(1, State.OPEN, KILLED)), 0);
        timeline.look(put(false, zone(1, State.OPEN, OTHER)), 5_000_000);
        String svg = DemoChart.svg(new DemoResult(3, 2, 1_000, "peer-1", timeline, List.of(
            new DemoResult.Sample(-1_000_000_000L, 0), new DemoResult.Sample(0, 500),
            new DemoResult.Sample(1_000_000_000L, 900)), 900, 1, 0));
        assertTrue(svg.startsWith("<svg xmlns="), svg);
        assertTrue(svg.strip().endsWith("</svg>"), svg);
        for (Timeline.Step step : timeline.steps()) {
            assertTrue(svg.contains(step.name() + ": 5 ms"), svg);
        }
    }
}
