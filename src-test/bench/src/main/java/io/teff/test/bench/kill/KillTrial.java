package io.teff.test.bench.kill;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.terminal.local.LocalNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
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
    private final ClusterStore store;
    private final ClusterStore reader;
    private final KillChunks chunks;
    private final int threads;
    private final int rate;
    private final AtomicLong updates = new AtomicLong();
    private final AtomicLong longestNs = new AtomicLong();
    private final AtomicLong readNs = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean isOver;
    private long detectedNs;
    private long fencedNs;
    private long firstNs;
    private long lastNs;

    /**
     * Prepares a kill.
     *
     * @param cluster the cluster, with all backups
     * @param store the client of the load
     * @param reader another client
     * @param chunks the chunks
     * @param threads threads of the load
     * @param rate calls per second of all of them
     */
    KillTrial(BenchCluster cluster, ClusterStore store, ClusterStore reader, KillChunks chunks, int threads, int rate) {
        this.cluster = cluster;
        this.store = store;
        this.reader = reader;
        this.chunks = chunks;
        this.threads = threads;
        this.rate = rate;
    }

    KillTimes run(LocalNode victim, KillMode mode) throws IOException, InterruptedException {
        NodeRef life = victim.life();
        if (life == null || !cluster.link().refresh()) {
            throw new IOException(victim.name() + " does not run");
        }
        Set<Integer> zones = new HashSet<>(cluster.owned(life));
        long count = chunks.countIn(zones);
        List<Integer> ones = zones.stream().map(chunks::oneIn).filter(number -> number >= 0).toList();
        if (mode == KillMode.LEASE) {
            cluster.supervise(false);
        }
        List<Thread> load = startLoad();
        LockSupport.parkNanos(BEFORE_NS);
        long before = updates.get();
        long killedNs = System.nanoTime();
        cluster.kill(victim);
        List<Thread> readers = startReaders(ones, killedNs);
        try {
            watch(life, zones, killedNs);
            for (Thread thread : readers) {
                thread.join();
            }
        } finally {
            isOver = true;
            if (mode == KillMode.LEASE) {
                cluster.supervise(true);
            }
        }
        long acknowledged = updates.get() - before;
        for (Thread thread : load) {
            thread.join();
        }
        check();
        long wrong = chunks.verify(zones::contains);
        double verifiedMs = (System.nanoTime() - killedNs) / MS;
        cluster.start(victim);
        return new KillTimes(victim.name(), count, zones.size(), detectedNs / MS, fencedNs / MS, firstNs / MS,
            lastNs / MS, readNs.get() / MS, verifiedMs, acknowledged, longestNs.get() / MS, wrong);
    }

    private void check() throws IOException {
        Throwable found = failure.get();
        if (found != null) {
            throw new IOException("a client has failed: " + found, found);
        }
    }

    // ---- clients ----

    private List<Thread> startLoad() {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int own = i;
            all.add(Thread.ofPlatform().name("kill-load-" + i).start(() -> guarded(() -> load(own))));
        }
        return all;
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    /** Updates and reads chunks in turns; only chunks whose number belongs to the thread are updated. */
    private void load(int own) {
        SplittableRandom random = new SplittableRandom(own);
        byte[] buffer = new byte[chunks.bytes()];
        long intervalNs = TimeUnit.SECONDS.toNanos(1) * threads / rate;
        long due = System.nanoTime();
        int mine = chunks.count() / threads;
        while (!isOver) {
            due = Math.max(due + intervalNs, System.nanoTime() - TimeUnit.SECONDS.toNanos(1));
            while (System.nanoTime() - due < 0) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            int number = random.nextInt(mine) * threads + own;
            long begun = System.nanoTime();
            if (random.nextBoolean()) {
                chunks.update(number, buffer);
                updates.incrementAndGet();
            } else {
                chunks.read(store, number);
            }
            longestNs.accumulateAndGet(System.nanoTime() - begun, Math::max);
        }
    }

    /** Begins to read a chunk of each zone; each read waits for its zone. */
    private List<Thread> startReaders(List<Integer> ones, long killedNs) {
        List<Thread> all = new ArrayList<>();
        for (int number : ones) {
            all.add(Thread.ofPlatform().name("kill-read-" + number).start(() -> guarded(() -> {
                chunks.read(reader, number);
                readNs.accumulateAndGet(System.nanoTime() - killedNs, Math::max);
            })));
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
            check();
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
