package io.teff.test.cluster.kills;

import io.teff.cluster.meta.NodeRef;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Kills one node of a cluster after the other, peers and superpeers, while clients work, and judges what they have
 * seen.
 *
 * <p>Between two kills, all zones get back the number of backups that the promise needs: an acknowledged change
 * survives while one backup of its configuration lives. And no superpeer is killed before all superpeers have the same
 * tables: two of three must live.
 */
final class ClusterKillRun {
    /** Property: the shortest time from one kill to the next, in seconds. */
    static final String PACE = "teff.cluster.kills.pace";
    private static final long PACE_NS = TimeUnit.SECONDS.toNanos(Long.getLong(PACE, 0));
    private static final int SUPERPEERS = 3;
    private static final int PEERS = 4;
    /** Twice the zones that the peers want, eight each. */
    private static final int ZONES_MAX = 2 * 8 * PEERS;
    /** Longest call: one that waits for the new leader takes some 2 s; one whose peer waits for a dead one, 5 s. */
    private static final long LONGEST_MS = 4_500;
    /** Operations of the clients between a state and the kill: at least, and at most more. */
    private static final int BEFORE_MIN = 100;
    private static final int BEFORE_MORE = 400;
    /** Then a random time passes: otherwise each kill would follow the end of an operation. */
    private static final long MOMENT_NS_MAX = TimeUnit.MILLISECONDS.toNanos(200);
    /** Operations that must end after the kill, and after the start. */
    private static final int AFTER = 100;

    /** How long zones were not served and not backed after the kills of peers, and when commands were committed. */
    private final List<Long> servedMs = new ArrayList<>();
    private final List<Long> backedMs = new ArrayList<>();
    private final List<Long> committedMs = new ArrayList<>();
    private final LocalCluster cluster;
    private final KillLoad load;
    private final SplittableRandom random;

    private ClusterKillRun(LocalCluster cluster, KillLoad load, SplittableRandom random) {
        this.cluster = cluster;
        this.load = load;
        this.random = random;
    }

    /**
     * Runs.
     *
     * @param folder an empty folder
     * @param seed for all choices but the moments
     * @param kills number of kills; ends with the first fault
     * @param plant what is planted, or null
     */
    static KillOutcome run(Path folder, long seed, int kills, KillPlant plant)
            throws IOException, InterruptedException {
        Path patches = KillPlant.patches(folder, plant);
        List<String> faults = new ArrayList<>();
        Growth growth = new Growth();
        String text;
        try (LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), patches, SUPERPEERS, PEERS);
             KillLoad load = new KillLoad(cluster, seed)) {
            ClusterKillRun run = new ClusterKillRun(cluster, load, Seed.random(seed));
            cluster.awaitBacked();
            load.begin();
            try {
                for (int kill = 0; kill < kills && load.faults().isEmpty(); kill++) {
                    long begunNs = System.nanoTime();
                    run.killOne();
                    growth.sample(cluster.processes(), folder.resolve("cluster"));
                    while (System.nanoTime() - begunNs < PACE_NS && load.faults().isEmpty()) {
                        load.await(1);
                    }
                }
            } catch (AssertionError e) {
                faults.add(String.valueOf(e.getMessage()));
            }
            faults.addAll(load.end(cluster));
            faults.addAll(growth.faults());
            if (load.longestMs() > LONGEST_MS) {
                faults.add("a call took " + load.longestMs() + " ms, " + LONGEST_MS + " are allowed");
            }
            if (cluster.zones() >= ZONES_MAX) {
                faults.add(cluster.zones() + " zones: restarts add zones");
            }
            text = String.format("killed %d peers and %d superpeers one after the other: zones were served again after "
                + "%s ms, and had their backups %s ms after the start of the peer; a command was committed %s ms after "
                + "the kill of a superpeer; %d operations on %d chunks in %d zones, %d unknown outcomes, the longest "
                + "call %d ms; %s",
                run.servedMs.size(), run.committedMs.size(), run.servedMs, run.backedMs, run.committedMs,
                load.operations(), load.all().size(), cluster.zones(), load.unknownOutcomes(), load.longestMs(),
                growth);
            KillOutcome.write(folder, load, faults);
        }
        return new KillOutcome(faults, text, folder);
    }

    /** Kills a node under load, and starts it again. */
    private void killOne() throws IOException, InterruptedException {
        load.await(BEFORE_MIN + random.nextInt(BEFORE_MORE));
        LockSupport.parkNanos(random.nextLong(MOMENT_NS_MAX));
        int victim = random.nextInt(PEERS + SUPERPEERS);
        if (victim < PEERS) {
            killPeer(cluster.peers().get(victim));
        } else {
            killSuperpeer(cluster.superpeers().get(victim - PEERS));
        }
    }

    /** Notes how long zones were not served, and not backed. */
    private void killPeer(String victim) throws IOException, InterruptedException {
        NodeRef dead = cluster.kill(victim);
        final long killedNs = System.nanoTime();
        cluster.awaitServed(dead);
        servedMs.add(msSince(killedNs));
        load.await(AFTER);
        final long startedNs = System.nanoTime();
        cluster.start(victim);
        load.await(AFTER);
        cluster.awaitBacked();
        backedMs.add(msSince(startedNs));
    }

    /** Notes when a command was committed; no peer loses its life. */
    private void killSuperpeer(String victim) throws IOException {
        Set<NodeRef> lives = cluster.lives();
        cluster.kill(victim);
        final long killedNs = System.nanoTime();
        cluster.awaitLeader(List.of(victim));
        cluster.commit();
        committedMs.add(msSince(killedNs));
        load.await(AFTER);
        cluster.startTogether(List.of(victim));
        cluster.awaitVersion(cluster.version());
        cluster.awaitBacked();
        if (!cluster.lives().equals(lives)) {
            throw new AssertionError("the end of " + victim + " has ended the life of a peer: before " + lives
                + ", then " + cluster.lives());
        }
    }

    private static long msSince(long ns) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - ns);
    }
}
