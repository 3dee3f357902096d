package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.meta.NodeRef;
import io.teff.engine.Cid;
import io.teff.engine.error.StoreException;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * A tour of a cluster through all faults that a cluster must survive, one after the other, under load. The histories of
 * the load are judged at the end.
 */
final class FaultTour {
    private static final int SUPERPEERS = 3;
    private static final int PEERS = 4;

    private final LocalCluster cluster;
    private final SuperpeerDisks disks;
    private final KillLoad load;
    private final KillSteps steps;
    private final SuperpeerKills kills;
    private final SplittableRandom random;
    private final boolean canMount;

    private FaultTour(LocalCluster cluster, SuperpeerDisks disks, boolean canMount, KillLoad load,
            KillSteps steps, SplittableRandom random) {
        this.cluster = cluster;
        this.disks = disks;
        this.canMount = canMount;
        this.load = load;
        this.steps = steps;
        this.random = random;
        kills = new SuperpeerKills(cluster, steps, random);
    }

    /**
     * Runs.
     *
     * @param folder an empty folder
     * @param seed chooses the nodes
     * @param plant what is planted, or null
     */
    static KillOutcome run(Path folder, long seed, KillPlant plant) throws IOException, InterruptedException {
        boolean canMount = SuperpeerDisks.mayMount(folder);
        List<String> faults = new ArrayList<>();
        String text;
        try (SuperpeerDisks disks = new SuperpeerDisks();
             LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), KillPlant.patches(folder, plant),
                 SUPERPEERS, PEERS)) {
            if (canMount) {
                moveToSmallDisks(cluster, disks);
            }
            try (KillLoad load = new KillLoad(cluster, seed); KillSteps steps = new KillSteps(cluster, load)) {
                FaultTour tour = new FaultTour(cluster, disks, canMount, load, steps, Seed.random(seed));
                load.begin();
                try {
                    tour.go();
                } catch (AssertionError e) {
                    faults.add(String.valueOf(e.getMessage()));
                }
                faults.addAll(load.end(cluster));
                KillOutcome.write(folder, load, faults);
                text = String.join("\n", steps.report()) + "\n" + load.operations() + " operations on "
                    + load.all().size() + " chunks in " + cluster.zones() + " zones, " + load.unknownOutcomes()
                    + " unknown outcomes, the longest call " + load.longestMs() + " ms";
            }
        }
        return new KillOutcome(faults, text, folder);
    }

    private static void moveToSmallDisks(LocalCluster cluster, SuperpeerDisks disks)
            throws IOException, InterruptedException {
        cluster.superpeers().forEach(cluster::kill);
        disks.move(cluster);
        cluster.startTogether(cluster.superpeers());
    }

    private void go() throws IOException, InterruptedException {
        kills.peerIsKilled();
        kills.leaderIsKilled();
        kills.leaderIsKilled_whileZonesAreRecovered();
        kills.diskOfAFollowerIsLost(disks);
        if (canMount) {
            disks.fillAndFree(cluster, steps, cluster.awaitLeader(List.of()), kills.any(cluster.peers()));
        } else {
            System.out.println("full disk of a superpeer: left out, no right to mount file systems");
        }
        kills.mostAreKilled_andComeBack();
        everythingIsKilled();
        disksOfBackupsAreLost();
    }

    /** The load waits until the cluster has started again. */
    private void everythingIsKilled() throws IOException, InterruptedException {
        steps.begin();
        Set<NodeRef> killed = steps.lives();
        cluster.killEverything(random);
        String said = cluster.upAgain();
        assertTrue(said.contains("its " + (SUPERPEERS + PEERS) + " nodes start again"), said);
        cluster.awaitLeader(List.of());
        cluster.commit();
        steps.end("everything is killed, and the cluster is started again");
        steps.check(killed);
    }

    private void disksOfBackupsAreLost() throws IOException, InterruptedException {
        steps.begin();
        Set<NodeRef> killed = steps.lives();
        List<LostBackups> choice = choice();        // behind all other work: a peer that is late loses its backups
        LostBackups lost = choice.get(random.nextInt(choice.size()));
        load.leave(lost.zones());
        lost.lose(random);
        Threads.Running up = Threads.start("teff-up",           // the command waits some time for all zones
            _ -> cluster.run(LostBackups.MISSING, "up"));
        lost.checkWaiting();
        steps.end("everything is killed, the disks of two peers are lost, and zones " + lost.zones() + " wait");
        lost.accept();
        checkLost(lost.zones());
        up.end();
        steps.end("the loss is accepted");
        steps.check(killed);
    }

    /** Returns the pairs of peers that are all backups of some zone. */
    private List<LostBackups> choice() {
        List<LostBackups> choice = new ArrayList<>();
        List<String> peers = cluster.peers();
        for (int one = 0; one < peers.size(); one++) {
            for (int other = one + 1; other < peers.size(); other++) {
                LostBackups lost = new LostBackups(cluster, peers.get(one), peers.get(other));
                if (!lost.zones().isEmpty()) {
                    choice.add(lost);
                }
            }
        }
        assertTrue(!choice.isEmpty(), () -> "no zone has two backups: " + cluster.rows());
        return choice;
    }

    /** A client is told of a zone that it is lost, and can create chunks in others. */
    private void checkLost(Set<Integer> zones) {
        List<Long> gone = load.lasting().stream().map(ChunkHistory::cid).filter(cid -> zones.contains(Cid.nid(cid)))
            .collect(Collectors.toList());
        try (ClusterStore store = cluster.connect()) {
            for (long cid : gone) {
                StoreException failure = assertThrows(StoreException.class, () -> store.get(cid, new byte[1]));
                assertTrue(String.valueOf(failure.getMessage()).contains("is lost"), failure::toString);
            }
            byte[] content = KillContent.of(KillContent.SHARED_FIRST);
            long cid = store.create(content);
            assertEquals(content.length, store.get(cid, new byte[KillContent.LENGTH_MAX]));
        }
    }
}
