package io.teff.cluster.terminal.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Hindrance;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.terminal.local.UnservedZones;
import io.teff.cluster.terminal.status.ClusterStatus.NodeView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A status as text and as JSON. */
final class StatusTextTest {
    private static final NodeRef PEER = new NodeRef(16, 2);

    private static ZoneRow zone(int zone, ZoneState state, int backups) {
        List<Backup> all = List.of(new Backup(new NodeRef(17, 1), 1), new Backup(new NodeRef(18, 1), 2));
        return new ZoneRow(zone, 1, state, false, state.isServed() ? PEER : null, all.subList(0, backups), List.of(),
            List.of(), 3, 7);
    }

    private static ClusterStatus status() {
        NodeView superpeer = new NodeView("superpeer-1", "superpeer", "up", 1, null, "127.0.0.1:7400", 100L, null,
            61_000L, true, null, 0, 0, null, null, null, 0L, 5L << 20, null);
        NodeView peer = new NodeView("peer-1", "peer", "up", 16, 2, "127.0.0.1:7410", 101L, null, 3_600_000L, null,
            true, 2, 1, 1_234_567L, 64L << 20, 80L << 20, 1L << 30, 30L << 20, null);
        NodeView dead = new NodeView("peer-2", "peer", "down", 17, 1, "127.0.0.1:7411", null, 137, null, null, null, 0,
            0, null, null, null, null, null, "its log has failed");
        return new ClusterStatus("/data", 99L, List.of("tcp:127.0.0.1:7400"), null, 7, List.of(superpeer, peer, dead),
            List.of(zone(1, ZoneState.OPEN, 2), zone(2, ZoneState.OPEN, 1), zone(3, ZoneState.FENCING, 2),
                zone(4, ZoneState.LOST, 0)), List.of());
    }

    @Test
    void text_namesNodesLeasesAndZones() {
        String text = StatusText.of(status());
        assertTrue(text.contains("supervisor: process 99"), text);
        assertTrue(text.contains("connect: ClusterStore.connect(\"tcp:127.0.0.1:7400\")"), text);
        assertTrue(text.contains("up, leads"), text);
        assertTrue(text.contains("16/2"), text);
        assertTrue(text.contains("1,234,567"), text);
        assertTrue(text.contains("down, code 137"), text);
        assertTrue(text.contains("\npeer-2: its log has failed\n"), text);
        assertTrue(text.contains("zones: 4: 2 open, 1 fencing, 1 lost; 1 with 1 backup, 2 with 2 backups"), text);
    }

    @Test
    void text_ofAClusterWithoutProcesses_saysHowToStartIt() {
        NodeView dead = new NodeView("peer-1", "peer", "down", 17, 1, "127.0.0.1:7411", null, 0, null, null, null, 0,
            0, null, null, null, null, null, null);
        NodeView alive = new NodeView("peer-2", "peer", "up", 18, 1, "127.0.0.1:7412", 101L, null, 1L, null, null, 0,
            0, null, null, null, null, null, null);
        ClusterStatus down = new ClusterStatus("/data", null, List.of(), "refused", 0, List.of(dead), List.of(),
            List.of());
        String text = StatusText.of(down);
        assertTrue(text.contains("\nthe cluster is down, none of its processes runs; to start it: teff cluster up"
            + " --dir /data\n"), text);
        assertFalse(text.contains("refused"), text);
        assertEquals(true, down.json().get("down"));
        assertEquals(1, down.exitCode());
        for (ClusterStatus other : List.of(
            new ClusterStatus("/data", null, List.of(), "refused", 0, List.of(dead, alive), List.of(), List.of()),
            new ClusterStatus("/data", 99L, List.of(), "refused", 0, List.of(dead), List.of(), List.of()),
            new ClusterStatus(null, null, List.of(), "refused", 0, List.of(dead), List.of(), List.of()))) {
            assertTrue(StatusText.of(other).contains("\nno superpeer answers: refused\n"), StatusText.of(other));
            assertEquals(false, other.json().get("down"));
        }
    }

    @Test
    void zone_thatNoPeerHasMemoryFor_isNamed() {
        ZoneRow row = new ZoneRow(5, 3, ZoneState.RESTORING, false, PEER, List.of(), List.of(), List.of(),
            List.of(new ZoneRow.Obstacle(PEER, Hindrance.MEMORY, 100L << 20, 20L << 20)), 3, 9, List.of());
        ClusterStatus stuck = new ClusterStatus(null, null, List.of(), null, 9, List.of(), List.of(row),
            List.of());
        String obstacle = "it needs 100 MiB of memory, and the most that a peer with its log has is 20 MiB";
        String text = StatusText.of(stuck);
        assertTrue(text.endsWith("\nzone 5 is restoring: " + obstacle + "\n"), text);
        assertEquals(Map.of("5", obstacle), ((Map<?, ?>) stuck.json().get("zones")).get("obstacles"));
    }

    @Test
    void zones_thatWaitOrAreLost_areNamed_withTheNodesThatHaveTheirCopies() {
        Tables tables = new Tables();
        NodeRow first = new NodeRow(17, 1, false, new UUID(0, 1), 1, "tcp:127.0.0.1:7411", Roles.PEER, 0, 0, 0, 0, 3,
            false);
        ZoneRow waiting = new ZoneRow(6, 3, ZoneState.WAITING, false, null, List.of(new Backup(PEER, 3, true)),
            List.of(), List.of(), List.of(), 4, 9, List.of(), null, List.of(new Backup(first.reference(), 1),
            new Backup(new NodeRef(18, 1), 2)));
        tables.update(new TableAnswer(9, List.of(first), List.of(waiting, zone(7, ZoneState.LOST, 0),
            zone(8, ZoneState.LOST, 0)), null));
        List<String> lines = new UnservedZones(tables, null).lines();
        assertEquals(List.of("warning: 1 zone(s) waiting for node 17/1 at tcp:127.0.0.1:7411 or node 18/1, beside what"
            + " has come back of node 16/2, which may lack changes of before a power cut: 6",
            "warning: 2 zone(s) lost: no disk has all of what they had: 7 8"), lines);
        ClusterStatus status = new ClusterStatus(null, null, List.of(), null, 9, List.of(), tables.zones(), lines);
        assertTrue(StatusText.of(status).endsWith("\n" + String.join("\n", lines) + "\n  start the nodes that have"
            + " these folders, or give them up for good: teff cluster accept-loss ZONE\n"), StatusText.of(status));
        Map<?, ?> zones = (Map<?, ?>) status.json().get("zones");
        assertEquals(List.of(6), zones.get("waiting"));
        assertEquals(List.of(7, 8), zones.get("lost"));
    }

    private static ClusterStatus status(int peers, ZoneRow... zones) {
        NodeView peer = new NodeView("peer", "peer", "up", 16, 2, "127.0.0.1:7410", 101L, null, 1L, null, true, 2, 1,
            0L, 0L, 0L, 0L, 0L, null);
        NodeView superpeer = new NodeView("superpeer-1", "superpeer", "up", 1, null, "127.0.0.1:7400", 100L, null,
            61_000L, true, null, 0, 0, null, null, null, 0L, 5L << 20, null);
        List<NodeView> nodes = new ArrayList<>(Collections.nCopies(peers, peer));
        nodes.add(superpeer);
        return new ClusterStatus(null, null, List.of(), null, 9, nodes, List.of(zones), List.of());
    }

    @Test
    void exitCode_saysWhatIsMissing() {
        ZoneRow backed = zone(1, ZoneState.OPEN, 1);
        assertEquals(0, status(2, backed, zone(2, ZoneState.FULL, 2), zone(3, ZoneState.FENCING, 1)).exitCode());
        assertEquals(1, new ClusterStatus(null, null, List.of(), "it is silent", 9, List.of(), List.of(zone(4,
            ZoneState.LOST, 0)), List.of()).exitCode());
        assertEquals(3, status(2, backed, zone(4, ZoneState.LOST, 0)).exitCode());
        assertEquals(3, status(1, backed, zone(4, ZoneState.WAITING, 0)).exitCode());
        assertEquals(4, status(2, backed, zone(4, ZoneState.OPEN, 0)).exitCode());
        assertEquals(0, status(1, zone(4, ZoneState.OPEN, 0)).exitCode(), "there is no peer for a backup");
        assertEquals(0, status(2).exitCode());
    }

    @Test
    void json_hasWhatIsKnown_andNullForTheRest() throws Exception {
        Map<String, Object> json = JSON.std.mapFrom(JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES)
            .asString(status().json()));
        assertEquals(99, json.get("supervisor"));
        List<?> nodes = (List<?>) json.get("nodes");
        Map<?, ?> peer = (Map<?, ?>) nodes.get(1);
        assertEquals(true, peer.get("lease"));
        assertEquals(1_234_567, peer.get("chunks"));
        Map<?, ?> dead = (Map<?, ?>) nodes.get(2);
        assertTrue(dead.containsKey("pid"));
        assertEquals(null, dead.get("pid"));
        assertEquals(137, dead.get("exitCode"));
        assertEquals("its log has failed", dead.get("problem"));
        assertEquals(Map.of("open", 2, "full", 0, "fencing", 1, "restoring", 0, "lost", 1, "waiting", 0),
            ((Map<?, ?>) json.get("zones")).get("byState"));
    }

    @Test
    void duration_hasTwoUnits() {
        assertEquals("-", StatusText.duration(null));
        assertEquals("59s", StatusText.duration(59_999L));
        assertEquals("1m1s", StatusText.duration(61_000L));
        assertEquals("1h1m", StatusText.duration(3_660_000L));
        assertEquals("1d1h", StatusText.duration(90_000_000L));
    }
}
