package io.teff.test.bench.kill;

import io.teff.cluster.meta.Command;
import io.teff.cluster.terminal.local.LocalNode;
import io.teff.test.bench.process.BenchCluster;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One kill of the leading superpeer under load. The other superpeers are asked whether they lead; one that does gets a
 * command, which changes nothing. Then the load ends, all chunks are compared, and the superpeer is started again.
 */
final class LeaderTrial {
    private static final long BEFORE_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(2);
    private static final double MS = 1e6;

    private final BenchCluster cluster;
    private final KillChunks chunks;
    private final KillTraffic traffic;

    /**
     * Prepares a kill.
     *
     * @param cluster the cluster, of several superpeers
     * @param chunks the chunks
     * @param traffic the load
     */
    LeaderTrial(BenchCluster cluster, KillChunks chunks, KillTraffic traffic) {
        this.cluster = cluster;
        this.chunks = chunks;
        this.traffic = traffic;
    }

    LeaderTimes run() throws IOException, InterruptedException {
        LocalNode victim = awaitLeader(null);
        traffic.start();
        long ledNs;
        long committedNs;
        long acknowledged;
        long gapNs;
        long longestNs;
        try {
            LockSupport.parkNanos(BEFORE_NS);
            traffic.forget();
            final long before = traffic.updates();
            final long killedNs = System.nanoTime();
            cluster.kill(victim);
            awaitLeader(victim);
            ledNs = System.nanoTime() - killedNs;
            commit(victim);
            committedNs = System.nanoTime() - killedNs;
            gapNs = traffic.gapNs();
            longestNs = traffic.longestNs();
            acknowledged = traffic.updates() - before;
        } finally {
            traffic.over();
        }
        traffic.join();
        traffic.check();
        long wrong = chunks.verify(_ -> true);
        cluster.start(victim);
        return new LeaderTimes(victim.name(), ledNs / MS, committedNs / MS, gapNs / MS, longestNs / MS, acknowledged,
            wrong);
    }

    /** Waits for a leader that is not the one which was killed. */
    private LocalNode awaitLeader(LocalNode killed) throws IOException {
        long end = System.nanoTime() + LIMIT_NS;
        while (true) {
            LocalNode leader = cluster.leader(killed);
            if (leader != null) {
                return leader;
            }
            check(end, "no superpeer leads");
        }
    }

    /** Sends a command to whichever superpeer leads, until it is committed. */
    private void commit(LocalNode killed) throws IOException {
        long end = System.nanoTime() + LIMIT_NS;
        while (cluster.link().send(new Command.ZoneSought(0), 0) == null) {
            check(end, "no command is committed");
            cluster.leader(killed);
        }
    }

    private void check(long end, String what) throws IOException {
        if (System.nanoTime() - end > 0) {
            throw new IOException(what);
        }
        traffic.check();
        LockSupport.parkNanos(LOOK_NS);
    }
}
