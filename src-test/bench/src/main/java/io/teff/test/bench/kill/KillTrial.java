package io.teff.test.bench.kill;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.terminal.local.LocalNode;
import io.teff.test.bench.process.BenchCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * One kill of a peer under load: threads of a client update and read chunks at a fixed rate, the peer is killed in the
 * middle, the tables of the superpeers are watched, and a thread for each of its zones reads a chunk. Then the load
 * ends, all chunks of the zones are compared, and the peer is started again.
 */
final class KillTrial {
    private static final long BEFORE_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(2);
    private static final double MS = 1e6;

    private final BenchCluster cluster;
    private final ClusterStore reader;
    private final KillChunks chunks;
    private final KillTraffic traffic;
    private final AtomicLong readNs = new AtomicLong();
    private long detectedNs;
    private long fencedNs;
    private long firstNs;
    private long lastNs;

    /**
     * Prepares a kill.
     *
     * @param cluster the cluster, with all backups
     * @param reader a client that is not that of the load
     * @param chunks the chunks
     * @param traffic the load
     */
    KillTrial(BenchCluster cluster, ClusterStore reader, KillChunks chunks, KillTraffic traffic) {
        this.cluster = cluster;
        this.reader = reader;
        this.chunks = chunks;
        this.traffic = traffic;
    }

    KillTimes run(LocalNode victim, KillMode mode) throws IOException, InterruptedException {
        NodeLife last = victim.life();
        if (last == null || !cluster.link().refresh()) {
            throw new IOException(victim.name() + " does not run");
        }
        NodeRef life = BenchCluster.reference(last);
        Set<Integer> zones = new HashSet<>(cluster.owned(life));
        long count = chunks.countIn(zones);
        List<Integer> ones = zones.stream().map(chunks::oneIn).filter(number -> number >= 0).toList();
        if (mode == KillMode.LEASE) {
            cluster.supervise(false);
        }
        traffic.start();
        LockSupport.parkNanos(BEFORE_NS);
        long before = traffic.updates();
        long killedNs = System.nanoTime();
        cluster.kill(victim);
        List<Thread> readers = startReaders(ones, killedNs);
        try {
            watch(life, zones, killedNs);
            for (Thread thread : readers) {
                thread.join();
            }
        } finally {
            traffic.over();
            if (mode == KillMode.LEASE) {
                cluster.supervise(true);
            }
        }
        long acknowledged = traffic.updates() - before;
        traffic.join();
        traffic.check();
        long wrong = chunks.verify(zones::contains);
        double verifiedMs = (System.nanoTime() - killedNs) / MS;
        cluster.start(victim);
        return new KillTimes(victim.name(), count, zones.size(), detectedNs / MS, fencedNs / MS, firstNs / MS,
            lastNs / MS, readNs.get() / MS, verifiedMs, acknowledged, traffic.longestNs() / MS, wrong);
    }

    // ---- clients ----

    /** Begins to read a chunk of each zone; each read waits for its zone. */
    private List<Thread> startReaders(List<Integer> ones, long killedNs) {
        List<Thread> all = new ArrayList<>();
        for (int number : ones) {
            all.add(traffic.start("kill-read-" + number, () -> {
                chunks.read(reader, number);
                readNs.accumulateAndGet(System.nanoTime() - killedNs, Math::max);
            }));
        }
        return all;
    }

    // ---- watching ----

    private void watch(NodeRef dead, Set<Integer> zones, long killedNs) throws IOException {
        while (lastNs == 0) {
            if (cluster.link().refresh()) {
                look(cluster.link().tables(), dead, zones, System.nanoTime() - killedNs);
            }
            if (System.nanoTime() - killedNs > LIMIT_NS) {
                throw new IOException("the zones of " + dead + " are not served again");
            }
            traffic.check();
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    private void look(Tables tables, NodeRef dead, Set<Integer> zones, long afterNs) {
        if (tables.isAlive(dead)) {
            return;
        }
        int open = 0;
        int served = 0;
        for (int zone : zones) {
            ZoneRow row = tables.zone(zone);
            boolean isChosen = row != null && !row.isOwnedBy(dead) && row.state() != ZoneState.FENCING;
            open += isChosen ? 1 : 0;
            served += isChosen && row.state().isServed() ? 1 : 0;
        }
        detectedNs = detectedNs == 0 ? afterNs : detectedNs;
        fencedNs = fencedNs == 0 && open == zones.size() ? afterNs : fencedNs;
        firstNs = firstNs == 0 && served > 0 ? afterNs : firstNs;
        lastNs = served == zones.size() ? afterNs : lastNs;
    }
}
