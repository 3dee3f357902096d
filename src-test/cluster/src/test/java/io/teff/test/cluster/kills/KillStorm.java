package io.teff.test.cluster.kills;

import io.teff.test.kit.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Kills nodes of a cluster faster than they start, while clients work: often all nodes with whole copies of a zone are
 * down at one moment. Then all nodes start again, and everything that was acknowledged must be there. Half of the
 * storms are without a supervisor, so that no end of a node is reported and its lease has to run out.
 */
final class KillStorm {
    private static final int SUPERPEERS = 3;
    private static final int PEERS = 4;
    /** One in this number of kills is the kill of a superpeer. */
    private static final int SUPERPEER_SHARE = 6;
    private static final long DOWN_MS_MIN = 200;
    private static final long DOWN_MS_MAX = 4_000;
    private static final long PACE_MS_MIN = 1_000;
    private static final long PACE_MS_MAX = 5_000;

    private final LocalCluster cluster;
    private final KillLoad load;
    private final SplittableRandom random;
    /** When the nodes that are down start again. */
    private final Map<String, Long> startsNs = new HashMap<>();
    private int kills;

    private KillStorm(LocalCluster cluster, KillLoad load, SplittableRandom random) {
        this.cluster = cluster;
        this.load = load;
        this.random = random;
    }

    /**
     * Runs.
     *
     * @param folder an empty folder
     * @param seed for all choices; storms with an odd seed are without a supervisor
     * @param seconds how long nodes are killed
     * @param plant the planted fault, or null
     */
    static KillOutcome run(Path folder, long seed, int seconds, KillPlant plant)
            throws IOException, InterruptedException {
        List<String> faults = new ArrayList<>();
        String text;
        try (LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), KillPlant.patches(folder, plant),
                SUPERPEERS, PEERS);
             KillLoad load = new KillLoad(cluster, seed)) {
            KillStorm storm = new KillStorm(cluster, load, Seed.random(seed));
            cluster.awaitBacked();
            if (seed % 2 != 0) {
                cluster.killSupervisor();
            }
            load.begin();
            long backedMs = -1;
            try {
                storm.rage(TimeUnit.SECONDS.toNanos(seconds));
                long overNs = System.nanoTime();
                cluster.awaitBacked();
                backedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - overNs);
            } catch (AssertionError e) {
                faults.add(String.valueOf(e.getMessage()));
            }
            faults.addAll(load.end(cluster));
            text = String.format("%s supervisor, killed %d nodes within %d s: all zones had their "
                + "backups %d ms after the last start; %d operations on %d chunks, %d unknown outcomes, the longest "
                + "call %d ms", seed % 2 == 0 ? "with a" : "without a", storm.kills, seconds, backedMs,
                load.operations(), load.all().size(), load.unknownOutcomes(), load.longestMs());
            KillOutcome.write(folder, load, faults);
        }
        return new KillOutcome(faults, text, folder);
    }

    private void rage(long ns) throws IOException {
        long endNs = System.nanoTime() + ns;
        while (System.nanoTime() - endNs < 0 && load.faults().isEmpty()) {
            List<String> victims = random.nextInt(SUPERPEER_SHARE) == 0 ? cluster.superpeers() : cluster.peers();
            String victim = victims.get(random.nextInt(victims.size()));
            if (!startsNs.containsKey(victim) && cluster.isUp(victim)) {
                cluster.kill(victim);
                kills++;
                startsNs.put(victim, System.nanoTime() + between(DOWN_MS_MIN, DOWN_MS_MAX));
            }
            rest(between(PACE_MS_MIN, PACE_MS_MAX));
        }
        while (!startsNs.isEmpty()) {
            rest(TimeUnit.MILLISECONDS.toNanos(DOWN_MS_MIN));
        }
    }

    private long between(long msMin, long msMax) {
        return TimeUnit.MILLISECONDS.toNanos(random.nextLong(msMin, msMax));
    }

    /** Lets a time pass, in which nodes start again. */
    private void rest(long ns) throws IOException {
        long endNs = System.nanoTime() + ns;
        while (System.nanoTime() - endNs < 0) {
            for (String node : List.copyOf(startsNs.keySet())) {
                if (System.nanoTime() - startsNs.get(node) >= 0 && cluster.mayStart(node)) {
                    cluster.requestStart(node);
                    startsNs.remove(node);
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }
}
