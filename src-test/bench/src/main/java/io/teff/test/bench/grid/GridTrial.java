package io.teff.test.bench.grid;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.terminal.local.ClusterFolder;
import io.teff.test.bench.load.Crew;
import io.teff.test.bench.process.ProcessFigures;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** The client of one system: fills it, measures each operation, then kills a node under load. */
final class GridTrial {
    /** Entries of a call that fills or scans. */
    static final int PART = 500;
    private static final int FILLERS = 4;
    private static final int DIGITS = 3;
    private static final double US = 1e3;
    private static final double MIB = 1 << 20;
    private static final double MILLION = 1e6;
    private static final double TICKS_PER_SECOND = 100;
    private static final long REST_NS = TimeUnit.SECONDS.toNanos(3);

    private final GridPlan plan;
    private final List<Long> servers;
    private final long victim;
    private final Map<String, Object> figures = new LinkedHashMap<>();

    /**
     * Prepares a trial.
     *
     * @param plan its plan
     * @param servers the processes of the servers
     * @param victim the process to be killed, or 0
     */
    GridTrial(GridPlan plan, List<Long> servers, long victim) {
        this.plan = plan;
        this.servers = servers;
        this.victim = victim;
    }

    /** Returns figures by name. */
    Map<String, Object> run() throws Exception {
        long empty = residentBytes();
        figures.put("RSS empty MiB", empty / MIB);
        try (GridClient client = connect(plan)) {
            fill(client);
            LockSupport.parkNanos(REST_NS);
            long filled = residentBytes();
            figures.put("RSS filled MiB", filled / MIB);
            figures.put("RSS B/entry", (filled - empty) / (double) plan.entries());
            for (int threads : plan.threads()) {
                for (GridOp op : GridOp.values()) {
                    if (plan.kind().has(op) && op.isMeasured(threads == plan.threads().getFirst())) {
                        measure(client, op, threads, null);
                        measure(client, op, threads, new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(1), DIGITS));
                    }
                }
            }
            if (victim != 0) {
                figures.putAll(new GridKill(client, plan.entries(), plan.bytes(), victim).run());
            }
        }
        return figures;
    }

    static GridClient connect(GridPlan plan) throws IOException {
        return switch (plan.kind()) {
            case TEFF -> new TeffClient(teff(plan), plan.entries(), plan.bytes());
            case TEFF_MAP -> new TeffMapClient(teff(plan));
            case HAZELCAST -> new HazelcastGrid(plan.port(), plan.nodes());
            case IGNITE -> IgniteGrid.thick(plan.port(), plan.nodes(), plan.backups(), plan.folder());
            case IGNITE_THIN -> IgniteGrid.thin(plan.port(), plan.nodes());
        };
    }

    private static ClusterStore teff(GridPlan plan) {
        return ClusterStore.connect(ClusterFolder.open(plan.folder()).entrance().client());
    }

    private long residentBytes() throws IOException {
        long bytes = 0;
        for (long process : servers) {
            bytes += ProcessFigures.residentBytes(process);
        }
        return bytes;
    }

    private double serverSeconds() throws IOException {
        long ticks = 0;
        for (long process : servers) {
            ticks += ProcessFigures.ticks(process);
        }
        return ticks / TICKS_PER_SECOND;
    }

    private static double clientSeconds() throws IOException {
        return ProcessFigures.ticks(ProcessHandle.current().pid()) / TICKS_PER_SECOND;
    }

    private void fill(GridClient client) throws InterruptedException, IOException {
        AtomicInteger next = new AtomicInteger();
        long begun = System.nanoTime();
        double before = serverSeconds();
        Crew.run(FILLERS, thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            for (int from = next.getAndAdd(PART); from < plan.entries(); from = next.getAndAdd(PART)) {
                byte[][] values = new byte[Math.min(PART, plan.entries() - from)][];
                for (int i = 0; i < values.length; i++) {
                    values[i] = GridValues.of(from + i, plan.bytes(), random);
                }
                client.fill(from, values);
            }
        });
        figures.put("fill s", (System.nanoTime() - begun) / 1e9);
        figures.put("fill server s/M", (serverSeconds() - before) * MILLION / plan.entries());
    }

    /** Runs an operation for the time of the plan, and takes its figures if there is a histogram. */
    private void measure(GridClient client, GridOp op, int threads, Histogram histogram)
            throws InterruptedException, IOException {
        final int callers = op == GridOp.SCAN ? 1 : threads;
        AtomicInteger calls = new AtomicInteger();
        double server = serverSeconds();
        double own = clientSeconds();
        long begun = System.nanoTime();
        long end = begun + plan.measureNs();
        Crew.run(callers, thread -> {
            Runnable call = call(client, op, new SplittableRandom(begun + thread));
            long before = System.nanoTime();
            int count = 0;
            while (before - end < 0) {
                call.run();
                count++;
                long now = System.nanoTime();
                if (histogram != null) {
                    histogram.recordValue(Math.min(now - before, histogram.getHighestTrackableValue()));
                }
                before = now;
            }
            calls.addAndGet(count);
        });
        double seconds = (System.nanoTime() - begun) / 1e9;
        if (histogram != null) {
            double entries = (double) calls.get() * op.entries(plan.entries());
            String prefix = GridPlan.prefix(op, threads);
            figures.put(prefix + "K/s", entries / seconds / 1e3);
            figures.put(prefix + "p50 us", histogram.getValueAtPercentile(50) / US);
            figures.put(prefix + "p99 us", histogram.getValueAtPercentile(99) / US);
            figures.put(prefix + "server s/M", (serverSeconds() - server) * MILLION / entries);
            figures.put(prefix + "client s/M", (clientSeconds() - own) * MILLION / entries);
        }
    }

    private Runnable call(GridClient client, GridOp op, SplittableRandom random) {
        return switch (op) {
            case GET -> () -> {
                int key = random.nextInt(plan.entries());
                check(GridValues.isOf(key, client.get(key)));
            };
            case PUT -> () -> {
                int key = random.nextInt(plan.entries());
                client.put(key, GridValues.of(key, plan.bytes(), random));
            };
            case GET_ALL -> () -> check(client.getAll(keys(random)) == GridOp.BATCH);
            case PUT_ALL -> () -> {
                int[] keys = keys(random);
                byte[][] values = new byte[keys.length][];
                for (int i = 0; i < keys.length; i++) {
                    values[i] = GridValues.of(keys[i], plan.bytes(), random);
                }
                client.putAll(keys, values);
            };
            case ADD -> () -> client.add(random.nextInt(plan.entries()));
            case QUEUE -> () -> check(client.offerAndPoll(GridValues.of(0, plan.bytes(), random)));
            case SCAN -> () -> check(client.scan() == plan.entries());
        };
    }

    /** Returns different keys. */
    private int[] keys(SplittableRandom random) {
        return IntStream.generate(() -> random.nextInt(plan.entries())).distinct().limit(GridOp.BATCH).toArray();
    }

    private static void check(boolean isGood) {
        if (!isGood) {
            throw new IllegalStateException("an operation has another result");
        }
    }
}
