package io.teff.test.bench.kill;

import io.teff.cluster.terminal.local.LocalNode;
import io.teff.test.bench.process.BenchCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One kill of a peer while threads call as fast as they can, and a further thread reads all chunks again and again: the
 * calls per second of each half second, the longest call, and the time of the scans before and after. Then the load
 * ends, all chunks are compared, and the peer is started again.
 */
final class RateTrial {
    private static final long WARM_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long BEFORE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** Steps after the kill that are always looked at. */
    private static final int STEPS_MIN = 30;
    /** Steps whose mean is the rate after the kill. */
    private static final int STEPS_MEAN = 20;
    private static final int STEPS_MAX = 240;
    private static final double MS = 1e6;
    private static final double SECOND_NS = 1e9;

    private final BenchCluster cluster;
    private final KillChunks chunks;
    private final KillTraffic traffic;
    private final ConcurrentLinkedQueue<Scan> scans = new ConcurrentLinkedQueue<>();

    /** A scan of all chunks. */
    private record Scan(long begunNs, long endedNs) {
        double ms() {
            return (endedNs - begunNs) / MS;
        }
    }

    /**
     * Prepares a kill.
     *
     * @param cluster the cluster, with all backups
     * @param chunks the chunks
     * @param traffic the load, without a limit of its rate
     */
    RateTrial(BenchCluster cluster, KillChunks chunks, KillTraffic traffic) {
        this.cluster = cluster;
        this.chunks = chunks;
        this.traffic = traffic;
    }

    RateTimes run(LocalNode victim) throws IOException, InterruptedException {
        traffic.start();
        traffic.start("kill-scan", this::scan);
        final List<Long> curve = new ArrayList<>();
        final double before;
        final long killedNs;
        final long updates;
        try {
            LockSupport.parkNanos(WARM_NS);
            final long first = traffic.calls();
            final long firstNs = System.nanoTime();
            sleepUntil(firstNs + BEFORE_NS);
            before = (traffic.calls() - first) * SECOND_NS / (System.nanoTime() - firstNs);
            scans.removeIf(scan -> scan.begunNs < firstNs);
            traffic.forget();
            updates = traffic.updates();
            killedNs = System.nanoTime();
            cluster.kill(victim);
            long last = traffic.calls();
            while (curve.size() < STEPS_MIN || curve.size() < STEPS_MAX && scansAfter(killedNs).isEmpty()) {
                sleepUntil(killedNs + (curve.size() + 1) * STEP_NS);
                traffic.check();
                final long now = traffic.calls();
                curve.add((now - last) * TimeUnit.SECONDS.toNanos(1) / STEP_NS);
                last = now;
            }
        } finally {
            traffic.over();
        }
        traffic.join();
        traffic.check();
        final long wrong = chunks.verify(_ -> true);
        cluster.start(victim);
        final double[] scansBefore = scans.stream().filter(scan -> scan.endedNs < killedNs).mapToDouble(Scan::ms)
            .sorted().toArray();
        final double scanMs = scansBefore.length == 0 ? Double.NaN : scansBefore[scansBefore.length / 2];
        final int half = (int) curve.stream().takeWhile(rate -> rate < before / 2).count();
        return new RateTimes(victim.name(), before, curve.stream().limit(STEPS_MEAN).mapToLong(Long::longValue)
            .average().orElseThrow(), half < curve.size() ? (half + 1) * STEP_NS / MS : Double.POSITIVE_INFINITY,
            traffic.longestNs() / MS, scanMs, scansAfter(killedNs).stream().mapToDouble(Scan::ms).max()
                .orElse(Double.POSITIVE_INFINITY), List.copyOf(curve), traffic.updates() - updates, wrong);
    }

    /** Returns the scans that have ended since a moment. */
    private List<Scan> scansAfter(long killedNs) {
        return scans.stream().filter(scan -> scan.endedNs > killedNs).toList();
    }

    private void scan() {
        while (!traffic.isOver()) {
            final long begunNs = System.nanoTime();
            if (chunks.readAll(traffic::isOver)) {
                scans.add(new Scan(begunNs, System.nanoTime()));
            }
        }
    }

    private static void sleepUntil(long atNs) {
        while (System.nanoTime() - atNs < 0) {
            LockSupport.parkNanos(atNs - System.nanoTime());
        }
    }
}
