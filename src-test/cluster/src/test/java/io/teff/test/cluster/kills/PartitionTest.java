package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: whatever part of a network is cut, no acknowledged change is lost, no call fails, and no client reads what
 * another owner has replaced.
 *
 * <p>Method: processes at hosts of their own, with a switch between the hosts. The ways of the switch are cut one after
 * the other, in one direction or both. The clients of {@link KillLoad} reach both sides of each cut, and so also former
 * owners; a {@link FarReader} reaches one side alone. The histories are judged at the end. The machine must allow
 * network namespaces, which takes root.
 */
@Tag("processes")
@FullTier("two clusters of processes; mixes OVERLAPS and DEPOSED of ClusterSimulationTest have cuts in virtual time")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class PartitionTest {
    private static final int OPERATIONS = 100;
    private static final int ROUNDS = Form.size("teff.cluster.partitions", 1, 3);
    private static final double LOSS = 0.05;
    private static final int SLOW_KBITS = 500;

    @TempDir
    private Path folder;
    private final List<String> report = new ArrayList<>();
    private HostNetwork network;
    private HostCluster cluster;
    private KillLoad load;
    private long begunNs;

    @BeforeEach
    void requireNamespaces() {
        final String missing = HostNetwork.missing();
        if (missing != null) {
            System.out.println("partitions: left out, " + missing);
        }
        assumeTrue(missing == null, missing);
    }

    private interface Steps {
        void run() throws IOException, InterruptedException;
    }

    private void withCluster(int superpeers, int peers, Steps steps) throws IOException, InterruptedException {
        final long seed = Seed.first();
        System.out.println(Seed.reproduce(PartitionTest.class, seed));
        try (HostNetwork hosts = new HostNetwork(superpeers + peers);
             HostCluster started = new HostCluster(folder.resolve("cluster"), hosts, superpeers, peers)) {
            network = hosts;
            cluster = started;
            cluster.awaitBacked();
            try (KillLoad begun = new KillLoad(cluster, seed)) {
                load = begun;
                load.begin();
                for (int round = 0; round < ROUNDS; round++) {
                    steps.run();
                }
                final List<String> faults = load.end(cluster);
                report.forEach(System.out::println);
                System.out.println(load.operations() + " operations, " + load.unknownOutcomes()
                    + " unknown outcomes, the longest call " + load.longestMs() + " ms");
                assertEquals(List.of(), faults, cluster::logs);
            }
        }
    }

    @Test
    void peers_cutOffInEveryWay_loseNothing() throws IOException, InterruptedException {
        withCluster(1, 4, () -> {
            halvesOfThePeers_oneWithTheSuperpeer();
            ownerAndBackup_inOneDirection_andTheOther();
            if (Form.isLong()) {
                onePeer_fromTheSuperpeer();
                halvesOfThePeers_thatBothReachTheSuperpeer();
                packetsOfAll_areLost();
                onePeer_isSlow();
            }
        });
    }

    @Test
    void leadingSuperpeer_cutOff_isReplaced_andFollowsAfterwards() throws IOException, InterruptedException {
        withCluster(3, 3, () -> {
            leader_fromAll();
            if (Form.isLong()) {
                leader_fromTheOtherSuperpeers();
            }
        });
    }

    // ---- cuts of peers ----

    private void halvesOfThePeers_oneWithTheSuperpeer() throws IOException, InterruptedException {
        final List<Integer> away = List.of(4, 5);
        final List<NodeRef> ended = away.stream().map(cluster::life).toList();
        begin();
        try (FarReader reader = new FarReader(network.at(away.getFirst()), folder, cluster, load.lasting())) {
            cluster.awaitTrue("a client reads", () -> reader.reads() > OPERATIONS);
            network.split(List.of(1, 2, 3), away);
            ended.forEach(cluster::awaitServed);
            load.await(3 * OPERATIONS);
            end("two of four peers are cut off with a client that has made " + reader.end() + " reads");
        }
    }

    private void onePeer_fromTheSuperpeer() throws IOException, InterruptedException {
        final NodeRef ended = cluster.life(2);
        begin();
        network.split(List.of(1), List.of(2));
        cluster.awaitServed(ended);
        end("a peer is cut off from the superpeer only");
    }

    private void ownerAndBackup_inOneDirection_andTheOther() throws IOException, InterruptedException {
        for (boolean isReverse : Form.isLong() ? new boolean[] {false, true} : new boolean[] {false}) {
            begin();
            final ZoneRow row = cluster.rows().stream()         // others may be on their way to another owner
                .filter(it -> it.state().isServed() && !it.backups().isEmpty()).findFirst().orElseThrow();
            final List<Integer> owner = List.of(cluster.host(row.owner()));
            final List<Integer> backup = List.of(cluster.host(row.backups().getFirst().node()));
            network.cut(isReverse ? backup : owner, isReverse ? owner : backup);
            cluster.awaitRows(row + " has other backups", rows -> rows.stream().allMatch(
                now -> now.zone() != row.zone() || now.epoch() > row.epoch() && now.state().isServed()
                    && !isAcross(now, owner, backup)));
            end("what " + (isReverse ? "a backup sends to an owner" : "an owner sends to a backup") + " is dropped");
        }
    }

    private void halvesOfThePeers_thatBothReachTheSuperpeer() throws IOException, InterruptedException {
        begin();
        network.split(List.of(2, 3), List.of(4, 5));
        awaitApart(List.of(2, 3), List.of(4, 5));
        end("two halves of the peers reach the superpeer, and not each other");
    }

    private void packetsOfAll_areLost() throws IOException, InterruptedException {
        begin();
        for (int host = 1; host <= 5; host++) {
            network.lose(host, LOSS);
        }
        load.await(3 * OPERATIONS);
        end("one of twenty packets is lost");
    }

    private void onePeer_isSlow() throws IOException, InterruptedException {
        begin();
        network.slow(3, SLOW_KBITS);
        load.await(3 * OPERATIONS);
        network.hasten(3);
        end("a peer sends " + SLOW_KBITS + " kbit/s");
    }

    /** Waits until no zone has its owner and a backup on different sides, and all zones are served. */
    private void awaitApart(Collection<Integer> some, Collection<Integer> others) {
        cluster.awaitRows("zones are on one side of the cut " + some + others, rows -> rows.stream().allMatch(
            row -> row.state().isServed() && !isAcross(row, some, others) && !isAcross(row, others, some)));
    }

    private boolean isAcross(ZoneRow row, Collection<Integer> some, Collection<Integer> others) {
        return some.contains(cluster.host(row.owner()))
            && row.backups().stream().anyMatch(backup -> others.contains(cluster.host(backup.node())));
    }

    // ---- cuts of superpeers ----

    private void leader_fromTheOtherSuperpeers() throws IOException, InterruptedException {
        final String leader = cluster.awaitLeader(List.of());
        begin();
        split(leader, List.of());
        assertNotEquals(leader, cluster.awaitLeader(List.of(leader)));
        cluster.commit();
        end("the leading superpeer is cut off from the other two");
        cluster.awaitVersion(cluster.version());
    }

    private void leader_fromAll() throws IOException, InterruptedException {
        final String leader = cluster.awaitLeader(List.of());
        begin();
        split(leader, List.of(4, 5, 6));
        assertNotEquals(leader, cluster.awaitLeader(List.of(leader)));
        cluster.commit();
        end("the leading superpeer is cut off from all nodes");
        cluster.awaitVersion(cluster.version());
    }

    private void split(String leader, Collection<Integer> peers) throws IOException, InterruptedException {
        final int host = cluster.superpeers().indexOf(leader) + 1;
        final List<Integer> others = new ArrayList<>(List.of(1, 2, 3));
        others.remove(Integer.valueOf(host));
        others.addAll(peers);
        network.split(List.of(host), others);
    }

    // ---- around each step ----

    private long sinceBegunMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNs);
    }

    private void begin() {
        load.await(OPERATIONS);
        load.forgetGaps();
        begunNs = System.nanoTime();
    }

    /** Lets the load go on while the network is cut, and after it is whole again. */
    private void end(String what) throws IOException, InterruptedException {
        load.await(OPERATIONS);
        final long cutMs = sinceBegunMs();
        network.heal();
        load.await(OPERATIONS);
        cluster.awaitBacked();
        report.add(what + " for " + cutMs + " ms: no operation on chunks has ended for " + load.gapMs()
            + " ms; all zones have their backups after " + sinceBegunMs() + " ms");
        assertTrue(load.faults().isEmpty(), () -> what + ": " + load.faults() + cluster.logs());
    }
}
