package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All processes of a cluster are killed, and the disks of two peers are lost: the zones that had their backups there
 * wait and are named, all others are served. Then a person accepts the loss.
 */
final class LostBackups {
    /** Exit code of commands that have met zones that wait or are lost. */
    static final int MISSING = 3;

    private final LocalCluster cluster;
    private final String one;
    private final String other;
    private final Set<Integer> peers;
    private final Set<NodeRef> ended = new HashSet<>();
    private Set<Integer> zones;

    /**
     * Chooses the zones that will be lost: those whose backups are all at two peers.
     *
     * @param cluster all zones have their backups
     * @param one a peer
     * @param other another peer
     */
    LostBackups(LocalCluster cluster, String one, String other) {
        this.cluster = cluster;
        this.one = one;
        this.other = other;
        peers = Set.of(cluster.nid(one), cluster.nid(other));
        zones = zonesAt();
    }

    private Set<Integer> zonesAt() {
        return cluster.rows().stream().filter(row -> row.backups().stream()
            .allMatch(backup -> peers.contains(backup.node().nid()))).map(ZoneRow::zone).collect(Collectors.toSet());
    }

    /** Returns the zones that have no other backups; after {@link #checkWaiting}, the zones that wait. */
    Set<Integer> zones() {
        return zones;
    }

    /** Kills everything, and loses the disks. */
    void lose(RandomGenerator random) throws IOException {
        assertFalse(zones.isEmpty(), () -> "the test needs zones whose backups are " + one + " and " + other + ": "
            + cluster.rows());
        for (ZoneRow row : cluster.rows()) {
            ended.add(row.owner());
        }
        cluster.killEverything(random);
        cluster.loseDisk(one);
        cluster.loseDisk(other);
    }

    /**
     * Waits until the restarted cluster serves all other zones. On a busy machine the nodes end one after the other, so
     * a zone may get further backups before the last node ends; such a zone is served, too. A status must name what is
     * missing.
     */
    void checkWaiting() {
        Set<Integer> chosen = zones;
        cluster.awaitRows("zones of " + chosen + " wait, and all others are served", rows -> rows.stream()
            .allMatch(row -> row.state().isServed() && !ended.contains(row.owner())
                || chosen.contains(row.zone()) && waitsForLost(row)));
        zones = cluster.rows().stream().filter(this::waitsForLost).map(ZoneRow::zone).collect(Collectors.toSet());
        assertFalse(zones.isEmpty(), () -> "no zone waits: " + cluster.rows());
        String status = cluster.runHere(MISSING, "status");
        assertTrue(status.contains(" zone(s) waiting for peer-"), status);
        assertTrue(status.contains(one + " (node ") && status.contains(other + " (node "), status);
    }

    private boolean waitsForLost(ZoneRow row) {
        return row.state() == ZoneState.WAITING && row.kept().stream()
            .allMatch(backup -> peers.contains(backup.node().nid()));
    }

    /** Accepts the loss of the zones. */
    void accept() {
        List<String> words = Stream.concat(Stream.of("accept-loss"), zones.stream().map(String::valueOf)).toList();
        String said = cluster.runHere(0, words.toArray(String[]::new));
        assertTrue(said.contains("the zone is lost, with all its chunks"), said);
        cluster.acceptLoss(zones);
        String status = cluster.runHere(MISSING, "status");
        assertTrue(status.contains("warning: " + zones.size() + " zone(s) lost"), status);
    }
}
