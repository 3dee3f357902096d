package io.teff.cluster.terminal.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.engine.Store;
import io.teff.examples.graph.ClassFiles;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The parts of the demo that judge: the check of the chunks, on a local store, and the timeline. */
final class DemoTest {
    private static final NodeRef KILLED = new NodeRef(16, 1);
    private static final NodeRef OTHER = new NodeRef(17, 1);
    private static final NodeRef FURTHER = new NodeRef(18, 1);
    private long version;

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

    private void put(Tables tables, boolean isAlive, ZoneRow... rows) {
        version++;
        NodeRow node = new NodeRow(KILLED.nid(), 1, isAlive, new UUID(1, 1), 1, "", Roles.PEER, 2, 1, 1, 2, version,
            false);
        tables.update(new TableAnswer(version, List.of(node), List.of(rows), null));
    }

    private ZoneRow zone(int zone, ZoneState state, NodeRef owner, NodeRef... backups) {
        return new ZoneRow(zone, 1, state, false, owner, Stream.of(backups).map(node -> new Backup(node, 1)).toList(),
            List.of(), List.of(), 2, version + 1);
    }

    @Test
    void timeline_followsTheTables() {
        Tables tables = new Tables();
        put(tables, true, zone(1, ZoneState.OPEN, KILLED, FURTHER), zone(2, ZoneState.OPEN, KILLED, FURTHER),
            zone(3, ZoneState.OPEN, OTHER, KILLED));
        Timeline timeline = new Timeline(KILLED, tables, 1_000);
        assertEquals(2, timeline.zones());
        timeline.look(tables, 1_010);
        assertEquals(List.of(-1L, -1L, -1L, -1L, -1L), timeline.steps().stream().map(Timeline.Step::ns).toList());
        put(tables, false, zone(1, ZoneState.FENCING, null), zone(2, ZoneState.FENCING, null));
        timeline.look(tables, 1_020);
        put(tables, false, zone(1, ZoneState.RESTORING, OTHER), zone(2, ZoneState.RESTORING, OTHER));
        timeline.look(tables, 1_030);
        put(tables, false, zone(1, ZoneState.OPEN, OTHER));
        timeline.look(tables, 1_040);
        assertFalse(timeline.isServed());
        assertEquals(1, timeline.served());
        put(tables, false, zone(2, ZoneState.FULL, OTHER, FURTHER));
        timeline.look(tables, 1_050);
        assertTrue(timeline.isServed());
        assertFalse(timeline.isRefilled());
        assertEquals(1, timeline.refilled());
        put(tables, false, zone(1, ZoneState.OPEN, OTHER, FURTHER));
        timeline.look(tables, 1_060);
        assertFalse(timeline.isRefilled(), "zone 3 has lost a backup");
        put(tables, false, zone(3, ZoneState.OPEN, OTHER, FURTHER));
        timeline.look(tables, 1_070);
        assertEquals(List.of(20L, 30L, 40L, 50L, 70L), timeline.steps().stream().map(Timeline.Step::ns).toList());
    }

    @Test
    void chart_isXml_withEachStep() {
        Tables tables = new Tables();
        put(tables, true, zone(1, ZoneState.OPEN, KILLED));
        Timeline timeline = new Timeline(KILLED, tables, 0);
        put(tables, false, zone(1, ZoneState.OPEN, OTHER));
        timeline.look(tables, 5_000_000);
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
