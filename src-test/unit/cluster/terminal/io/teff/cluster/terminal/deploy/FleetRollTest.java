package io.teff.cluster.terminal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.terminal.deploy.FleetRoll.Outcome;
import io.teff.cluster.terminal.deploy.FleetRoll.Row;
import io.teff.cluster.terminal.deploy.FleetRoll.Settings;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a roll ends a node only while the cluster is whole, and returns to the version of before. Method: nodes that
 * are scripts, and superpeers whose answers the test writes.
 */
@Timeout(120)
final class FleetRollTest {
    private static final int READY_S = 20;

    @TempDir
    private Path place;
    private HostsHere here;
    private Fleet fleet;
    private String old = "";
    /** Looks of the roll at the tables until a zone has its backup again; less than 0 for never. */
    private int looksUntilBacked;
    private int looks;
    /** The starts of all nodes at each look. */
    private final List<Integer> startsAtLooks = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        here = new HostsHere(place, 2, "");
        fleet = here.fleet();
        fleet.configure();
        try (VersionStage stage = here.version("good")) {
            old = stage.version();
            fleet.install(stage);
        }
        FleetStart.start(fleet, here.deployment().nodes(), old, READY_S, here.notes()::add);
    }

    @AfterEach
    void stop() {
        FleetStart.stop(fleet, here.deployment().nodes());
    }

    private NodeLife life(int host) {
        NodeLife life = fleet.life(here.deployment().node("peer-h" + host));
        return life == null ? new NodeLife(0, 0) : life;
    }

    /** One zone of the first peer, whose backup is the second peer. */
    private ClusterStatus status(boolean isBacked) {
        List<ZoneStatus.Copy> backups = isBacked ? List.of(new ZoneStatus.Copy(life(2), 1, false, false)) : List.of();
        return new ClusterStatus("", "", List.of(), null, 1, List.of(), List.of(new ZoneStatus(1, 1,
            ZoneStatus.State.OPEN, life(1), backups, List.of(), List.of(), false, null)));
    }

    private ClusterAdmin admin() {
        return (ClusterAdmin) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {ClusterAdmin.class},
            (_, method, _) -> switch (method.getName()) {
                case "status" -> {
                    looks = 0;
                    yield status(true);
                }
                case "tables" -> {
                    startsAtLooks.add(life(1).incarnation() + life(2).incarnation());
                    looks++;
                    yield status(looksUntilBacked >= 0 && looks > looksUntilBacked);
                }
                default -> throw new AssertionError(method);
            });
    }

    private List<Row> roll(String version, int wholeS) {
        return new FleetRoll(fleet, admin(), new Settings(version, true, READY_S, wholeS), here.notes()::add)
            .run(here.deployment().nodes());
    }

    private String install(String name) throws Exception {
        try (VersionStage stage = here.version(name)) {
            fleet.install(stage);
            return stage.version();
        }
    }

    private Map<String, NodeState> states() {
        return fleet.states();
    }

    @Test
    void roll_bringsAllNodes_peersFirst_eachAfterTheBackupsAreBack() throws Exception {
        looksUntilBacked = 3;
        String version = install("better");
        List<Row> rows = roll(version, READY_S);
        assertEquals(List.of("peer-h1", "peer-h2", "superpeer-h1"), rows.stream().map(Row::node).toList());
        assertTrue(rows.stream().allMatch(row -> row.outcome() == Outcome.ROLLED), rows::toString);
        assertTrue(states().values().stream().allMatch(state -> state.version().equals(version)));
        // Four looks after each of three nodes. The second peer is started again only after the first four looks.
        assertEquals(List.of(3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4), startsAtLooks);
    }

    @Test
    void clusterThatDoesNotBecomeWhole_endsTheRoll() throws Exception {
        looksUntilBacked = -1;
        String version = install("better");
        List<Row> rows = roll(version, 1);
        assertEquals(1, rows.size());
        assertEquals(Outcome.NOT_WHOLE, rows.getFirst().outcome());
        assertEquals("0 zones are not served, and 1 lack a backup", rows.getFirst().text());
        assertEquals(old, states().get("peer-h2").version());
        assertEquals(1, life(2).incarnation());
    }

    @Test
    void nodeThatDoesNotComeUp_returnsToItsVersion_andTheOthersAreLeftAlone() throws Exception {
        String version = install("bad");
        List<Row> rows = roll(version, READY_S);
        assertEquals(1, rows.size());
        assertEquals(Outcome.RETURNED, rows.getFirst().outcome());
        assertTrue(rows.getFirst().text().contains("a planned failure"), rows::toString);
        assertTrue(states().values().stream().allMatch(state -> state.version().equals(old) && state.life() != null));
        assertEquals(2, life(1).incarnation());
        assertEquals(1, life(2).incarnation());
    }
}
