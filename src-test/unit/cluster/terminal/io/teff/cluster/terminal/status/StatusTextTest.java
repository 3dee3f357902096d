package io.teff.cluster.terminal.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.admin.ZoneStatus.State;
import io.teff.cluster.terminal.local.UnservedZones;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A status as text and as JSON. */
final class StatusTextTest {
    private static final NodeLife PEER = new NodeLife(16, 2);
    private static final NodeView SUPERPEER = new NodeView("superpeer-1", NodeRole.SUPERPEER, "up", 1, null,
        "127.0.0.1:7400", 100L, null, 0, 0, superpeer(), null);

    private static NodeStatus superpeer() {
        return new NodeStatus("superpeer-1", NodeRole.SUPERPEER, new NodeLife(1, 0),
            new NodeStatus.Process(100, 61_000, 5L << 20), new NodeStatus.Standing(7, true, false), 0, "", null);
    }

    private static NodeStatus peer(long chunks, boolean holdsLease, NodeStatus.CopyUse... copies) {
        return new NodeStatus("peer-1", NodeRole.PEER, PEER, new NodeStatus.Process(101, 3_600_000, 30L << 20),
            new NodeStatus.Standing(7, false, holdsLease), 1L << 30, "", new NodeStatus.PeerFigures(80L << 20,
                new NodeStatus.Ring(0, 0, 0, 0, 0, 0), new NodeStatus.Shipping(0, 0, 0, 0, 0),
                new NodeStatus.Logging(0, 0, 0, 0, 0, 0, 0, 0), List.of(),
                List.of(new NodeStatus.ZoneUse(1, chunks, 48L << 20, 0),
                    new NodeStatus.ZoneUse(2, 0, 16L << 20, 0)),
                List.of(copies), new NodeStatus.Room(1L << 30, 64L << 20, 64L << 20)));
    }

    private static NodeView dead(int exitCode, String lastWords) {
        return new NodeView("peer-2", NodeRole.PEER, "down", 17, 1, "127.0.0.1:7411", null, exitCode, 0, 0, null,
            lastWords);
    }

    private static ZoneStatus.Copy copy(int nid, int copy) {
        return new ZoneStatus.Copy(new NodeLife(nid, 1), copy, false, false);
    }

    private static ZoneStatus zone(int zone, State state, int backups) {
        return new ZoneStatus(zone, 1, state, state.isServed() ? PEER : null,
            List.of(copy(17, 1), copy(18, 2)).subList(0, backups), List.of(), List.of(), false, null);
    }

    private static StatusView view(String folder, Long supervisor, String problem, List<NodeView> nodes,
                                   List<ZoneStatus> zones, List<String> warnings) {
        return new StatusView(folder, supervisor, new ClusterStatus("", "", List.of("tcp:127.0.0.1:7400"), problem,
            7, List.of(), zones), nodes, warnings);
    }

    private static StatusView status() {
        NodeView peer = new NodeView("peer-1", NodeRole.PEER, "up", 16, 2, "127.0.0.1:7410", 101L, null, 2, 1,
            peer(1_234_567, true), null);
        return view("/data", 99L, null, List.of(SUPERPEER, peer, dead(137, "its log has failed")),
            List.of(zone(1, State.OPEN, 2), zone(2, State.OPEN, 1), zone(3, State.FENCING, 2),
                zone(4, State.LOST, 0)), List.of());
    }

    @Test
    void text_namesNodesLeasesAndZones() {
        String text = StatusText.of(status(), false);
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
        NodeView dead = dead(0, null);
        NodeView alive = new NodeView("peer-2", NodeRole.PEER, "up", 18, 1, "127.0.0.1:7412", 101L, null, 0, 0, null,
            null);
        StatusView down = view("/data", null, "refused", List.of(dead), List.of(), List.of());
        String text = StatusText.of(down, false);
        assertTrue(text.contains("\nthe cluster is down, none of its processes runs; to start it: ./teff cluster up"
            + " --dir /data\n"), text);
        assertFalse(text.contains("refused"), text);
        assertEquals(true, down.json().get("down"));
        assertEquals(1, down.exitCode());
        for (StatusView other : List.of(view("/data", null, "refused", List.of(dead, alive), List.of(), List.of()),
            view("/data", 99L, "refused", List.of(dead), List.of(), List.of()),
            view(null, null, "refused", List.of(dead), List.of(), List.of()))) {
            String said = StatusText.of(other, false);
            assertTrue(said.contains("\nno superpeer answers: refused\n"), said);
            assertEquals(false, other.json().get("down"));
        }
    }

    private static NodeView other(int nid, String state) {
        return new NodeView("node " + nid, NodeRole.PEER, state, nid, 1, "127.0.0.1:7" + nid, null, null, 0, 0, null,
            null);
    }

    @Test
    void expiredNodes_areShownWhileAZoneHasAUseForThem() {
        ZoneStatus served = new ZoneStatus(1, 3, State.OPEN, PEER, List.of(copy(200, 1)), List.of(copy(201, 1)),
            List.of(copy(300, 1)), false, null);
        ZoneStatus waiting = new ZoneStatus(2, 3, State.WAITING, null, List.of(), List.of(), List.of(copy(202, 1)),
            false, null);
        StatusView status = view("/data", 99L, null, List.of(SUPERPEER, other(200, "expired"), other(201, "expired"),
            other(202, "expired"), other(300, "expired"), other(301, "expired"), other(302, "silent")),
            List.of(served, waiting), List.of());
        String text = StatusText.of(status, false);
        for (int nid : new int[] {200, 201, 202, 302}) {
            assertTrue(text.contains("\nnode " + nid + " "), text);
        }
        assertFalse(text.contains("node 300 ") || text.contains("node 301 "), text);
        assertTrue(text.contains("\nexpired nodes without zones and copies: 2; --all shows them\n\n"), text);
        String all = StatusText.of(status, true);
        assertTrue(all.contains("\nnode 300 ") && all.contains("\nnode 301 ") && !all.contains("--all"), all);
        assertEquals(7, ((List<?>) status.json().get("nodes")).size(), "JSON has all nodes");
    }

    @Test
    void zone_thatNoPeerHasMemoryFor_isNamed() {
        String obstacle = "it needs 100 MiB of memory, and the most that a peer with its log has is 20 MiB";
        StatusView stuck = view(null, null, null, List.of(), List.of(new ZoneStatus(5, 3, State.RESTORING, PEER,
            List.of(), List.of(), List.of(), false, obstacle)), List.of());
        String text = StatusText.of(stuck, false);
        assertTrue(text.endsWith("\nzone 5 is restoring: " + obstacle + "\n"), text);
        assertEquals(Map.of("5", obstacle), ((Map<?, ?>) stuck.json().get("zones")).get("obstacles"));
    }

    @Test
    void zones_thatWaitOrAreLost_areNamed_withTheNodesThatHaveTheirCopies() {
        Member first = new Member(NodeRole.PEER, new NodeLife(17, 1), false, "tcp:127.0.0.1:7411", null);
        ZoneStatus waiting = new ZoneStatus(6, 3, State.WAITING, null,
            List.of(new ZoneStatus.Copy(PEER, 3, true, false)), List.of(copy(17, 1), copy(18, 2)), List.of(), false,
            null);
        ZoneStatus undecided = new ZoneStatus(9, 3, State.WAITING, null, List.of(), List.of(),
            List.of(copy(18, 1), copy(17, 2)), false, null);
        ZoneStatus alone = new ZoneStatus(10, 3, State.OPEN, PEER, List.of(), List.of(copy(17, 1)), List.of(), false,
            null);
        ClusterStatus cluster = new ClusterStatus("", "", List.of(), null, 9, List.of(first), List.of(waiting,
            zone(7, State.LOST, 0), zone(8, State.LOST, 0), undecided, alone));
        List<String> lines = new UnservedZones(cluster, null).lines();
        assertEquals(List.of("warning: 1 zone(s) waiting for node 17/1 at tcp:127.0.0.1:7411 or node 18/1, beside what"
            + " has come back of node 16/2, which may lack changes of before a power cut: 6",
            "warning: 2 zone(s) lost: no disk has all of what they had: 7 8",
            "warning: 1 zone(s) waiting for a person, because no copy is whole; older copies: node 17/1 at"
                + " tcp:127.0.0.1:7411, node 18/1: 9",
            "warning: 1 zone(s) without a backup, whose changes wait for a new backup or for node 17/1 at"
                + " tcp:127.0.0.1:7411: 10"), lines);
        StatusView status = new StatusView(null, null, cluster, List.of(), lines);
        String text = StatusText.of(status, false);
        assertTrue(text.endsWith("\n" + String.join("\n", lines) + "\n  start the nodes that have these folders, or"
            + " give them up for good: ./teff cluster accept-loss ZONE\n"), text);
        Map<?, ?> zones = (Map<?, ?>) status.json().get("zones");
        assertEquals(List.of(6, 9), zones.get("waiting"));
        assertEquals(List.of(7, 8), zones.get("lost"));
    }

    @Test
    void olderCopies_areNamedWithTheirLastChanges_ifTheirNodesSayThem() {
        NodeStatus says = peer(0, true, new NodeStatus.CopyUse(9, 1, 2, 70), new NodeStatus.CopyUse(9, 2, 3, 120));
        ZoneStatus undecided = new ZoneStatus(9, 3, State.WAITING, null, List.of(), List.of(),
            List.of(copy(18, 1), copy(PEER.nid(), 2)), false, null);
        ClusterStatus cluster = new ClusterStatus("", "", List.of(), null, 9,
            List.of(new Member(NodeRole.PEER, PEER, true, "tcp:h:1", says)), List.of(undecided));
        assertEquals(List.of("warning: 1 zone(s) waiting for a person, because no copy is whole; older copies: node "
            + PEER.nid() + "/1 at tcp:h:1, up to change 3:120, node 18/1: 9"),
            new UnservedZones(cluster, null).lines());
    }

    private static StatusView status(int peers, ZoneStatus... zones) {
        NodeView peer = new NodeView("peer", NodeRole.PEER, "up", 16, 2, "127.0.0.1:7410", 101L, null, 2, 1,
            peer(0, true), null);
        List<NodeView> nodes = new ArrayList<>(Collections.nCopies(peers, peer));
        nodes.add(SUPERPEER);
        return view(null, null, null, nodes, List.of(zones), List.of());
    }

    @Test
    void exitCode_saysWhatIsMissing() {
        ZoneStatus backed = zone(1, State.OPEN, 1);
        assertEquals(0, status(2, backed, zone(2, State.FULL, 2), zone(3, State.FENCING, 1)).exitCode());
        assertEquals(1, view(null, null, "it is silent", List.of(), List.of(zone(4, State.LOST, 0)), List.of())
            .exitCode());
        assertEquals(3, status(2, backed, zone(4, State.LOST, 0)).exitCode());
        assertEquals(3, status(1, backed, zone(4, State.WAITING, 0)).exitCode());
        assertEquals(4, status(2, backed, zone(4, State.OPEN, 0)).exitCode());
        assertEquals(0, status(1, zone(4, State.OPEN, 0)).exitCode(), "there is no peer for a backup");
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
        assertEquals(64 << 20, peer.get("chunkBytes"));
        assertEquals(80 << 20, peer.get("memoryBytes"));
        assertEquals(1 << 30, peer.get("logBytes"));
        assertEquals(30 << 20, peer.get("heapBytes"));
        assertEquals(3_600_000, peer.get("upMs"));
        assertEquals(null, peer.get("leading"));
        assertEquals(List.of("name", "role", "state", "nid", "incarnation", "address", "pid", "exitCode", "upMs",
            "leading", "lease", "zonesOwned", "zonesBackedUp", "chunks", "chunkBytes", "memoryBytes", "logBytes",
            "heapBytes", "problem"), List.copyOf(peer.keySet()));
        Map<?, ?> superpeer = (Map<?, ?>) nodes.get(0);
        assertEquals(true, superpeer.get("leading"));
        assertEquals(null, superpeer.get("lease"));
        assertEquals(null, superpeer.get("chunks"));
        assertEquals("superpeer", superpeer.get("role"));
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
