package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: of three superpeers, processes are killed and disks are lost in every way that a cluster must survive; no other
 * node loses its life, no row of the metadata goes back, no acknowledged change is lost, and no call fails.
 *
 * <p>Method: one cluster as {@code teff cluster up} makes it, with three peers; the load of {@link KillLoad} goes on
 * during all steps, and its histories are judged at the end. How long no operation has ended, and how long no command
 * was committed, is printed and not judged.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class SuperpeerKillTest {
    private static final int PEERS = 3;
    private static final int OPERATIONS = 100;

    @TempDir
    private Path folder;
    private final List<String> report = new ArrayList<>();
    private LocalCluster cluster;
    private KillLoad load;
    private Set<NodeRef> lives;
    private List<ZoneRow> rows = List.of();
    private long version;
    private long begunNs;

    @Test
    void superpeers_killedInEveryWay_keepTheMetadata_andChunksAreServed() throws Exception {
        long seed = Seed.first();
        System.out.println(Seed.reproduce(SuperpeerKillTest.class, seed));
        try (LocalCluster started = new LocalCluster(folder.resolve("cluster"), null, 3, PEERS);
             KillLoad begun = new KillLoad(started, seed)) {
            cluster = started;
            load = begun;
            cluster.awaitBacked();
            lives = cluster.lives();
            load.begin();
            leaderIsKilled();
            if (Form.isLong()) {                                // ClusterKillTest kills followers, too
                followerIsKilled();
            }
            mostAreKilled_andComeBack();
            diskOfAFollowerIsLost_andItsReplacementCounts();
            allAreKilled_andStartFromTheirArchives();
            leaderIsKilled_whileZonesAreRecovered();
            List<String> faults = load.end(cluster);
            report.forEach(System.out::println);
            assertEquals(List.of(), faults, cluster::logs);
        }
    }

    // ---- the steps ----

    private void leaderIsKilled() throws IOException {
        String leader = cluster.awaitLeader(List.of());
        begin();
        cluster.kill(leader);
        cluster.awaitLeader(List.of(leader));
        cluster.commit();
        end("the leading superpeer is killed");
        cluster.startTogether(List.of(leader));
        check();
    }

    private void followerIsKilled() throws IOException {
        String leader = cluster.awaitLeader(List.of());
        String follower = others(leader).getFirst();
        begin();
        cluster.kill(follower);
        cluster.commit();
        end("a following superpeer is killed");
        cluster.awaitLeader(List.of(follower));                 // the same, unless the machine is too busy for it
        cluster.startTogether(List.of(follower));
        check();
    }

    /** Without a majority nothing is committed, and the peers' leases end. */
    private void mostAreKilled_andComeBack() throws IOException {
        String leader = cluster.awaitLeader(List.of());
        String follower = others(leader).getFirst();
        String last = others(leader).getLast();
        begin();
        cluster.kill(leader);
        cluster.kill(follower);
        // on a busy machine the last one may have begun to lead before, and then finds that it is alone
        cluster.awaitTrue("one of three does not lead", () -> !cluster.leads(List.of(last)));
        cluster.startTogether(List.of(leader, follower));
        cluster.awaitLeader(List.of());
        cluster.commit();
        end("two of three superpeers are killed and started again");
        check();
    }

    private void diskOfAFollowerIsLost_andItsReplacementCounts() throws IOException {
        String leader = cluster.awaitLeader(List.of());
        String replaced = others(leader).getFirst();
        String other = others(leader).getLast();
        begin();
        cluster.kill(replaced);
        cluster.loseDisk(replaced);
        cluster.startTogether(List.of(replaced));
        end("a superpeer without its disk is replaced");
        check();
        begin();
        cluster.kill(other);
        cluster.commit();                                       // by the leader, and the one that was replaced
        cluster.kill(leader);
        cluster.startTogether(List.of(other));
        cluster.awaitLeader(List.of(leader));
        cluster.commit();
        end("the replaced superpeer and one more go on");
        cluster.startTogether(List.of(leader));
        check();
    }

    private void allAreKilled_andStartFromTheirArchives() throws IOException {
        begin();
        for (String name : cluster.superpeers()) {
            cluster.kill(name);
        }
        cluster.startTogether(cluster.superpeers());
        cluster.awaitLeader(List.of());
        cluster.commit();
        end("all superpeers are killed and started again");
        check();
    }

    private void leaderIsKilled_whileZonesAreRecovered() throws IOException, InterruptedException {
        String leader = cluster.awaitLeader(List.of());
        String peer = cluster.peers().getFirst();
        begin();
        NodeRef dead = cluster.kill(peer);
        cluster.kill(leader);
        cluster.awaitLeader(List.of(leader));
        cluster.awaitServed(dead);
        cluster.commit();
        end("a peer and the leading superpeer are killed");
        cluster.startTogether(List.of(leader));
        cluster.start(peer);
        cluster.awaitBacked();
        lives = cluster.lives();
        check();
    }

    private List<String> others(String leader) {
        return cluster.superpeers().stream().filter(name -> !name.equals(leader)).toList();
    }

    // ---- what is checked ----

    private void begin() {
        load.await(OPERATIONS);
        rows = cluster.rows();
        version = cluster.superpeers().stream().mapToLong(cluster::version).max().orElseThrow();
        load.forgetGaps();
        begunNs = System.nanoTime();
    }

    /** Notes how long the metadata has waited, and lets the load go on. */
    private void end(String what) {
        long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNs);
        load.await(OPERATIONS);
        report.add(what + ": a command is committed after " + ms + " ms; no operation on chunks has ended for "
            + load.gapMs() + " ms");
    }

    /** Checks that each superpeer has everything, and that nothing has gone back. */
    private void check() {
        assertEquals(List.of(), load.faults(), cluster::logs);
        for (String name : cluster.superpeers()) {
            cluster.awaitTrue(name + " has version " + version, () -> cluster.version(name) >= version);
        }
        assertEquals(lives, cluster.lives(), cluster::logs);
        List<ZoneRow> now = cluster.rows();
        for (ZoneRow before : rows) {
            assertTrue(now.stream().anyMatch(row -> row.zone() == before.zone() && isKept(before, row)),
                () -> before + " is not kept: " + now + cluster.logs());
        }
        cluster.awaitBacked();
    }

    /** Returns whether a row is as before, but for what its owner has done since. */
    private static boolean isKept(ZoneRow before, ZoneRow now) {
        return now.epoch() > before.epoch() || now.epoch() == before.epoch() && now.state().isServed()
            && now.owner() != null && now.owner().equals(before.owner()) && now.backups().equals(before.backups());
    }
}
