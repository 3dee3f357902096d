package io.teff.test.bench.kill;

import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.terminal.local.LocalNode;
import io.teff.test.bench.process.BenchCluster;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * One kill of a peer under load, after which its zones, and those of which it was a backup, get new backups: how long
 * reads take before the kill, and from when all zones are served again until all have their backups. Then the load
 * ends, the chunks of the killed peer are compared, and it is started again.
 */
final class RefillTrial {
    private static final long WARM_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long REST_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(5);
    private static final double PERCENT = 99;
    private static final double US = 1e3;
    private static final double MS = 1e6;

    private final BenchCluster cluster;
    private final KillChunks chunks;
    private final KillTraffic traffic;
    private final int peers;

    /**
     * Prepares a kill.
     *
     * @param cluster the cluster, with all backups
     * @param chunks the chunks
     * @param traffic the load
     * @param peers number of peers, with the one to be killed
     */
    RefillTrial(BenchCluster cluster, KillChunks chunks, KillTraffic traffic, int peers) {
        this.cluster = cluster;
        this.chunks = chunks;
        this.traffic = traffic;
        this.peers = peers;
    }

    RefillTimes run(LocalNode victim) throws IOException, InterruptedException {
        NodeLife last = victim.life();
        if (last == null || !cluster.link().refresh()) {
            throw new IOException(victim.name() + " does not run");
        }
        NodeRef life = BenchCluster.reference(last);
        Set<Integer> zones = new HashSet<>(cluster.owned(life));
        traffic.start();
        final Histogram rest;
        final Histogram refill;
        final long updates;
        final long refilledNs;
        try {
            LockSupport.parkNanos(WARM_NS);
            traffic.takeReads();
            LockSupport.parkNanos(REST_NS);
            rest = traffic.takeReads();
            final long killedNs = System.nanoTime();
            cluster.kill(victim);
            await(() -> !cluster.link().tables().isAlive(life) && cluster.link().tables().zones().stream()
                .allMatch(row -> row.state().isServed()), "the zones are not served again");
            traffic.takeReads();
            final long before = traffic.updates();
            await(() -> cluster.isBackedBy(peers - 1), "the zones do not get their backups");
            refilledNs = System.nanoTime() - killedNs;
            refill = traffic.takeReads();
            updates = traffic.updates() - before;
        } finally {
            traffic.over();
        }
        traffic.join();
        traffic.check();
        final long wrong = chunks.verify(zones::contains);
        cluster.start(victim);
        final double restP99 = rest.getValueAtPercentile(PERCENT) / US;
        final double refillP99 = refill.getValueAtPercentile(PERCENT) / US;
        return new RefillTimes(victim.name(), refilledNs / MS, restP99, refillP99, refillP99 / restP99, updates, wrong);
    }

    /** A condition of the tables. */
    @FunctionalInterface
    private interface Condition {
        boolean holds() throws IOException;
    }

    private void await(Condition condition, String what) throws IOException {
        final long end = System.nanoTime() + LIMIT_NS;
        while (!cluster.link().refresh() || !condition.holds()) {
            if (System.nanoTime() - end > 0) {
                throw new IOException(what);
            }
            traffic.check();
            LockSupport.parkNanos(LOOK_NS);
        }
    }
}
