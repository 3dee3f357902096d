package io.teff.test.bench.cluster;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.net.Network;
import io.teff.engine.ChunkStore;
import io.teff.test.bench.load.Crew;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** One client and its peers in this JVM: each operation in turn, by all threads. */
final class ClusterTrial {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean SYSTEM =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final int DIGITS = 3;
    private static final double THOUSAND = 1e3;
    private static final int BATCH = 64;
    private static final int CHUNKS_PER_THREAD = 1024;
    private static final int PART = 64;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    /** The process is quiet when it has used less than a quarter of a processor for so long. */
    private static final long QUIET_MS = 200;
    private static final long QUIET_NS_MAX = TimeUnit.SECONDS.toNanos(5);

    private final ClusterPlan plan;
    private final Map<String, Object> figures = new LinkedHashMap<>();

    ClusterTrial(ClusterPlan plan) {
        this.plan = plan;
    }

    /** A call of one thread. */
    @FunctionalInterface
    private interface Call {
        void run(int round) throws Exception;
    }

    /** Returns figures by name. */
    Map<String, Object> run() throws Exception {
        try (ClusterPeers peers = new ClusterPeers(plan.kind()); Network plain = peers.open(plan.kind());
             ClusterStore store = ClusterStore.connect(ClientConfig.builder(peers.superpeer())
                 .spinNs(plan.kind().spinNs()).build())) {
            for (ClusterOp op : ClusterOp.values()) {
                measure(op, store, plain, new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(1), DIGITS));
            }
            for (ClusterOp op : ClusterOp.values()) {
                Histogram histogram = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(1), DIGITS);
                awaitQuiet();
                long cpu = SYSTEM.getProcessCpuTime();
                long allocated = THREADS.getTotalThreadAllocatedBytes();
                long took = measure(op, store, plain, histogram);
                long chunks = histogram.getTotalCount() * op.chunks();
                String prefix = ClusterPlan.prefix(op, plan.threads());
                figures.put(prefix + "p50 us", histogram.getValueAtPercentile(50) / THOUSAND);
                figures.put(prefix + "p99 us", histogram.getValueAtPercentile(99) / THOUSAND);
                figures.put(prefix + "K/s", chunks * THOUSAND * THOUSAND / took);
                figures.put(prefix + "cpu us", (SYSTEM.getProcessCpuTime() - cpu) / THOUSAND / chunks);
                figures.put(prefix + "alloc B", (THREADS.getTotalThreadAllocatedBytes() - allocated) / (double) chunks);
            }
        }
        return figures;
    }

    /** Waits until logs have cleaned up after the operation before, or that takes too long. */
    private static void awaitQuiet() {
        long end = System.nanoTime() + QUIET_NS_MAX;
        long used;
        do {
            long cpu = SYSTEM.getProcessCpuTime();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(QUIET_MS));
            used = SYSTEM.getProcessCpuTime() - cpu;
        } while (used > TimeUnit.MILLISECONDS.toNanos(QUIET_MS) / 4 && System.nanoTime() - end < 0);
    }

    /** Runs an operation for the time of the plan; returns the time it took. */
    private long measure(ClusterOp op, ClusterStore store, Network plain, Histogram histogram)
        throws InterruptedException {
        Call[] calls = new Call[plan.threads()];
        for (int thread = 0; thread < calls.length; thread++) {
            calls[thread] = call(op, store, plain);
        }
        long start = System.nanoTime();
        long end = start + plan.measureNs();
        Crew.run(plan.threads(), thread -> {
            Call call = calls[thread];
            long before = System.nanoTime();
            int round = 0;
            do {
                call.run(round++);
                long now = System.nanoTime();
                histogram.recordValue(Math.min(now - before, histogram.getHighestTrackableValue()));
                before = now;
            } while (before - end < 0);
        });
        return System.nanoTime() - start;
    }

    private Call call(ClusterOp op, ClusterStore store, Network plain) {
        byte[] content = new byte[plan.bytes()];
        byte[] target = new byte[Math.max(plan.bytes(), 128)];
        return switch (op) {
            case PING -> ping(plain);
            case GET -> {
                long[] cids = chunks(store);
                yield round -> check(store.get(cids[round % cids.length], target) == plan.bytes());
            }
            case PUT_OWNER -> put(store.withLevel(WriteLevel.OWNER), content);
            case PUT_BACKED -> put(store.withLevel(WriteLevel.BACKED), content);
            case PUT_SYNCED -> put(store.withLevel(WriteLevel.BACKED_SYNCED), content);
            case BATCH_GET -> {
                long[] cids = chunks(store);
                byte[] all = new byte[BATCH * plan.bytes()];
                int[] lengths = new int[BATCH];
                yield round -> check(store.batch().get(cids, from(round), BATCH, all, 0, lengths) == all.length);
            }
            case BATCH_PUT -> batchPut(store);
            case BATCH_CREATE -> batchCreate(store);
        };
    }

    private Call ping(Network plain) {
        MemorySegment memory = MemorySegment.ofArray(new byte[plan.bytes()]);
        return round -> check(plain.raw().call(ClusterPeers.PLAIN, ClusterPeers.PING, memory, 0,
            plan.bytes(), (_, _, length) -> length, TIMEOUT_NS) == plan.bytes());
    }

    private Call put(ChunkStore store, byte[] content) {
        long[] cids = chunks(store);
        return round -> check(store.put(cids[round % cids.length], content) == 0);
    }

    private Call batchPut(ChunkStore store) {
        long[] cids = chunks(store);
        MemorySegment source = MemorySegment.ofArray(new byte[BATCH * plan.bytes()]);
        int[] lengths = lengths();
        int[] statuses = new int[BATCH];
        return round -> check(store.batch().put(cids, from(round), source, lengths, statuses) == BATCH);
    }

    private Call batchCreate(ChunkStore store) {
        MemorySegment source = MemorySegment.ofArray(new byte[BATCH * plan.bytes()]);
        int[] lengths = lengths();
        long[] cids = new long[BATCH];
        long[] removed = new long[BATCH];
        return round -> {
            check(store.batch().create(source, lengths, cids, 0, false) == BATCH);
            check(store.batch().remove(cids, 0, BATCH, removed) == BATCH);
        };
    }

    private int[] lengths() {
        int[] lengths = new int[BATCH];
        Arrays.fill(lengths, plan.bytes());
        return lengths;
    }

    private static int from(int round) {
        return round * BATCH % CHUNKS_PER_THREAD;
    }

    /** Creates the chunks of one thread; successive ones are in different zones. */
    private long[] chunks(ChunkStore store) {
        long[] cids = new long[CHUNKS_PER_THREAD];
        for (int from = 0; from < cids.length; from += PART) {  // each part is in another zone
            check(store.batch().create(plan.bytes(), cids, from, PART, false) == PART);
        }
        long[] mixed = new long[cids.length];
        for (int i = 0; i < cids.length; i++) {
            mixed[i] = cids[i % (cids.length / PART) * PART + i / (cids.length / PART)];
        }
        return mixed;
    }

    private static void check(boolean isGood) {
        if (!isGood) {
            throw new IllegalStateException("an operation has another result");
        }
    }
}
