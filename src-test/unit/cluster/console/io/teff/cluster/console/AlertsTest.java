package io.teff.cluster.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.ClusterFigures;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.NodeFigures;
import io.teff.cluster.admin.ZoneStatus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Goal: each alert comes when it must, and a healthy cluster has none. */
final class AlertsTest {
    private final FakeCluster cluster = new FakeCluster();

    private List<String> alerts() {
        return alerts(cluster.figures());
    }

    private List<String> alerts(ClusterFigures figures) {
        return Alerts.of(new ClusterLook(0, cluster.status(), figures, Map.of(17, "peer-1"))).stream()
            .map(alert -> alert.kind().text() + (alert.isUrgent() ? "! " : " ") + alert.text()).toList();
    }

    @Test
    void healthyCluster_hasNoAlert() {
        assertEquals(List.of(), alerts());
    }

    @Test
    void zones_inDanger_areNamed_theUrgentFirst() {
        cluster.zones = List.of(FakeCluster.zone(1, ZoneStatus.State.OPEN, FakeCluster.ONE, FakeCluster.TWO,
            FakeCluster.TWO), FakeCluster.zone(2, ZoneStatus.State.OPEN, FakeCluster.ONE, FakeCluster.TWO),
            FakeCluster.zone(3, ZoneStatus.State.OPEN, FakeCluster.ONE),
            FakeCluster.zone(4, ZoneStatus.State.RESTORING, FakeCluster.ONE),
            FakeCluster.zone(5, ZoneStatus.State.LOST, null), FakeCluster.waiting(6, FakeCluster.TWO));
        assertEquals(List.of("under! zone 3 has 0 of 2 backups", "lost! zone 5 is lost",
            "waiting! zone 6 waits for copies: node 17 with its folder is missing", "under zone 2 has 1 of 2 backups",
            "moving zone 4 gets a new owner"), alerts());
    }

    @ParameterizedTest
    @CsvSource({"DISK_FREE, 99, disk the disk of peer-1 has 9 % left",
        "DISK_FREE, 20, disk! the disk of peer-1 has 2 % left",
        "STORE_USED, 9000, memory the store of peer-1 is 90 % full",
        "STORE_USED, 9800, memory! the store of peer-1 is 98 % full",
        "MACHINE_MEMORY_FREE, 499, memory the machine of peer-1 has 4 % of its memory left",
        "JVM_HEAP_USED, 1050000000, memory the Java heap of peer-1 is 97 % full",
        "LEASE_LEFT, 499, lease the lease of peer-1 ends in 499 ms", "LEASE_LEFT, 0, lease! peer-1 holds no lease",
        "CERTIFICATE_LEFT, 864000, certificate a certificate of peer-1 ends in 10 days",
        "CERTIFICATE_LEFT, 0, certificate! a certificate of peer-1 has ended"})
    void figure_beyondItsBound_isAnAlert(Figure figure, long value, String text) {
        NodeFigures now = FakeCluster.figures(FakeCluster.ONE, 1);
        NodeFigures.Builder changed = new NodeFigures.Builder();
        for (Figure each : Figure.values()) {
            changed.set(each, each == figure ? value : now.get(each));
        }
        assertEquals(List.of(text), alerts(new ClusterFigures(List.of(
            new ClusterFigures.Answer(FakeCluster.ONE, changed.build(1), 0, 1)))));
    }

    @Test
    void clock_beyondTheRoundTrip_isAnAlert() {
        NodeFigures now = FakeCluster.figures(FakeCluster.ONE, 1);
        assertEquals(List.of(), alerts(new ClusterFigures(List.of(new ClusterFigures.Answer(FakeCluster.ONE, now, 1_400,
            500)))));
        assertEquals(List.of("clock the clock of peer-1 differs by -1600 ms"), alerts(new ClusterFigures(List.of(
            new ClusterFigures.Answer(FakeCluster.ONE, now, -1_600, 500)))));
    }

    @Test
    void peer_thatHasEnded_isAnAlert() {
        ClusterStatus seen = cluster.status();
        List<Member> nodes = seen.nodes().stream().map(node -> node.life().equals(FakeCluster.ONE)
            ? new Member(node.role(), node.life(), false, node.address(), null) : node).toList();
        ClusterStatus without = new ClusterStatus(seen.id(), seen.name(), seen.superpeers(), null, 7, nodes,
            seen.zones());
        assertEquals(List.of("peer-1 has ended: start the node, or give the peer up by ./teff cluster forget"),
            Alerts.of(new ClusterLook(0, without, cluster.figures(), Map.of(17, "peer-1"))).stream().map(Alert::text)
                .toList());
    }

    @Test
    void copiesInOneRack_areAnAlert_andSoAreNumbersOfZonesThatRunOut() {
        ClusterStatus seen = cluster.status();
        List<Member> nodes = seen.nodes().stream().map(node -> new Member(node.role(), node.life(), true,
            node.address(), node.status(), "rack-1")).toList();
        ZoneStatus zone = new ZoneStatus(60_000, 1, ZoneStatus.State.OPEN, FakeCluster.ONE, List.of(
            new ZoneStatus.Copy(FakeCluster.TWO, 1, false, false)), List.of(), List.of(), false, null);
        ClusterStatus shared = new ClusterStatus(seen.id(), seen.name(), seen.superpeers(), null, 7, nodes,
            List.of(zone));
        assertEquals(List.of("two copies of zone 60000 share a rack: there are too few racks",
            "60000 of 65533 zones are given"),
            Alerts.of(new ClusterLook(0, shared, cluster.figures(), Map.of())).stream().filter(alert ->
                alert.kind() == Alert.Kind.RACK || alert.kind() == Alert.Kind.ZONES).map(Alert::text).toList());
    }

    @Test
    void cluster_silent_isOneAlert() {
        ClusterStatus seen = cluster.status();
        ClusterStatus silent = new ClusterStatus(seen.id(), seen.name(), seen.superpeers(), "no route", 7, seen.nodes(),
            seen.zones());
        List<Alert> alerts = Alerts.of(new ClusterLook(0, silent, new ClusterFigures(List.of()), Map.of()));
        assertEquals(1, alerts.size());
        assertTrue(alerts.getFirst().isUrgent());
        assertEquals("no superpeer answers: no route", alerts.getFirst().text());
    }
}
