package io.teff.test.cluster.kills;

import io.teff.cluster.meta.NodeRef;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Steps in which superpeers of a cluster of three are killed and lose disks, also together with peers. */
final class SuperpeerKills {
    private final LocalCluster cluster;
    private final KillSteps steps;
    private final SplittableRandom random;

    /** @param random chooses the nodes */
    SuperpeerKills(LocalCluster cluster, KillSteps steps, SplittableRandom random) {
        this.cluster = cluster;
        this.steps = steps;
        this.random = random;
    }

    /** Returns one of some names. */
    String any(List<String> names) {
        return names.get(random.nextInt(names.size()));
    }

    /** Returns the superpeers but one. */
    List<String> others(String superpeer) {
        return cluster.superpeers().stream().filter(name -> !name.equals(superpeer)).toList();
    }

    void peerIsKilled() throws IOException {
        String peer = any(cluster.peers());
        steps.begin();
        NodeRef dead = cluster.kill(peer);
        cluster.awaitServed(dead);
        steps.end("a peer is killed; its zones are served");
        cluster.startTogether(List.of(peer));
        steps.check(Set.of(dead));
    }

    void leaderIsKilled() throws IOException {
        String leader = cluster.awaitLeader(List.of());
        steps.begin();
        cluster.kill(leader);
        cluster.awaitLeader(List.of(leader));
        cluster.commit();
        steps.end("the leading superpeer is killed; a command is committed");
        cluster.startTogether(List.of(leader));
        steps.check();
    }

    void followerIsKilled() throws IOException {
        String follower = any(others(cluster.awaitLeader(List.of())));
        steps.begin();
        cluster.kill(follower);
        cluster.commit();
        steps.end("a following superpeer is killed; a command is committed");
        cluster.awaitLeader(List.of(follower));                 // the same, unless the machine is too busy for it
        cluster.startTogether(List.of(follower));
        steps.check();
    }

    /** Without a majority nothing is committed, and the peers' leases end. */
    void mostAreKilled_andComeBack() throws IOException {
        String leader = cluster.awaitLeader(List.of());
        String follower = any(others(leader));
        String last = others(leader).stream().filter(name -> !name.equals(follower)).findFirst().orElseThrow();
        steps.begin();
        cluster.kill(leader);
        cluster.kill(follower);
        // on a busy machine the last one may have begun to lead before, and then finds that it is alone
        cluster.awaitTrue("one of three does not lead", () -> !cluster.leads(List.of(last)));
        cluster.startTogether(List.of(leader, follower));
        cluster.awaitLeader(List.of());
        cluster.commit();
        steps.end("two of three superpeers are killed and started again; a command is committed");
        steps.check();
    }

    /**
     * The disk of a follower is lost, and replaced by an empty one.
     *
     * @param disks the disks of the superpeers
     * @return the superpeer
     */
    String diskOfAFollowerIsLost(SuperpeerDisks disks) throws IOException {
        String replaced = any(others(cluster.awaitLeader(List.of())));
        steps.begin();
        cluster.kill(replaced);
        disks.replace(cluster, replaced);
        cluster.startTogether(List.of(replaced));
        steps.end("a superpeer without its disk is replaced");
        steps.check();
        return replaced;
    }

    /** The cell goes on with a superpeer whose disk was replaced, and one more. */
    void majorityNeeds(String replaced) throws IOException {
        String leader = cluster.awaitLeader(List.of());
        if (leader.equals(replaced)) {
            return;                                             // the machine was too busy; it counts already
        }
        String other = others(leader).stream().filter(name -> !name.equals(replaced)).findFirst().orElseThrow();
        steps.begin();
        cluster.kill(other);
        cluster.commit();                                       // by the leader, and the one that was replaced
        cluster.kill(leader);
        cluster.startTogether(List.of(other));
        cluster.awaitLeader(List.of(leader));
        cluster.commit();
        steps.end("the replaced superpeer and one more go on; a command is committed");
        cluster.startTogether(List.of(leader));
        steps.check();
    }

    void allAreKilled_andStartFromTheirArchives() throws IOException {
        steps.begin();
        for (String name : cluster.superpeers()) {
            cluster.kill(name);
        }
        cluster.startTogether(cluster.superpeers());
        cluster.awaitLeader(List.of());
        cluster.commit();
        steps.end("all superpeers are killed and started again; a command is committed");
        steps.check();
    }

    void leaderIsKilled_whileZonesAreRecovered() throws IOException {
        String leader = cluster.awaitLeader(List.of());
        String peer = any(cluster.peers());
        steps.begin();
        NodeRef dead = cluster.kill(peer);
        cluster.kill(leader);
        cluster.awaitLeader(List.of(leader));
        cluster.awaitServed(dead);
        cluster.commit();
        steps.end("a peer and the leading superpeer are killed; all zones are served, and a command is committed");
        cluster.startTogether(List.of(leader, peer));
        steps.check(Set.of(dead));
    }
}
