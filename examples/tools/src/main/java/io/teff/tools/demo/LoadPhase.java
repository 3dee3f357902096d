package io.teff.tools.demo;

import io.teff.engine.Store;
import io.teff.engine.error.StoreException;
import io.teff.engine.report.StoreStats;
import io.teff.tools.load.LoadFailure;
import io.teff.tools.load.ProcessUse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * The second part of the demo: workers load a store, read every chunk again, and the store's counts are compared with
 * those of the workers.
 */
final class LoadPhase {
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double MILLION = 1e6;
    private static final int CLOCK_TRIES = 10_000;

    private final Store store;
    private final LoadPlan plan;
    private final LoadWorker[] workers;

    LoadPhase(Store store, LoadPlan plan) {
        this.store = store;
        this.plan = plan;
        this.workers = new LoadWorker[plan.threads()];
        AtomicBoolean stopped = new AtomicBoolean();
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new LoadWorker(store, plan, i, workers, stopped);
        }
    }

    /**
     * Runs load, sweep and comparison, and an audit if {@code withAudit}.
     *
     * @throws LoadFailure if the store returned a wrong result
     */
    DemoReport.Load run(boolean withAudit) throws InterruptedException {
        double seconds = timeAll(LoadWorker::load);
        double sweepSeconds = timeAll(LoadWorker::sweep);
        StoreStats stats = store.stats();
        compare(stats);
        Double auditSeconds = withAudit ? audit() : null;
        List<DemoReport.Operation> operations = List.of(
            operation("create", seconds, worker -> worker.creates),
            operation("get", seconds, worker -> worker.gets),
            operation("put", seconds, worker -> worker.puts),
            operation("remove", seconds, worker -> worker.removes));
        long count = operations.stream().mapToLong(DemoReport.Operation::count).sum();
        return new DemoReport.Load(plan, seconds, count, count / seconds / MILLION, operations,
            OperationMeter.SAMPLE_EVERY, clockNs(),
            new DemoReport.Sweep(plan.count(), sweepSeconds, plan.count() / sweepSeconds / MILLION), auditSeconds,
            footprint(stats));
    }

    /** Returns the number of chunks created so far. Thread-safe. */
    long created() {
        return Arrays.stream(workers).mapToLong(LoadWorker::created).sum();
    }

    /** Returns the number of chunks that the sweep has read so far. Thread-safe. */
    long swept() {
        return Arrays.stream(workers).mapToLong(LoadWorker::swept).sum();
    }

    private double audit() {
        long begun = System.nanoTime();
        store.audit();
        return (System.nanoTime() - begun) / SECOND_NS;
    }

    private double timeAll(Consumer<LoadWorker> work) throws InterruptedException {
        long begun = System.nanoTime();
        try (ExecutorService pool = Executors.newFixedThreadPool(workers.length)) {
            List<Future<?>> results = new ArrayList<>();
            for (LoadWorker worker : workers) {
                results.add(pool.submit(() -> work.accept(worker)));
            }
            for (Future<?> result : results) {
                result.get();
            }
        } catch (ExecutionException e) {
            throw switch (e.getCause()) {
                case LoadFailure failure -> failure;
                case StoreException failure -> failure;
                case null, default -> new IllegalStateException("a worker failed", e.getCause());
            };
        }
        return (System.nanoTime() - begun) / SECOND_NS;
    }

    /** Compares the chunks and bytes that the store counts with those that the workers left in it. */
    private void compare(StoreStats stats) {
        long payloadBytes = Arrays.stream(workers).mapToLong(LoadWorker::payloadBytes).sum();
        if (stats.chunks() != plan.count() || stats.payloadBytes() != payloadBytes) {
            throw new LoadFailure("the store counts " + stats.chunks() + " chunks of " + stats.payloadBytes()
                + " bytes, but the workers left " + plan.count() + " of " + payloadBytes);
        }
    }

    private DemoReport.Operation operation(String name, double seconds, Function<LoadWorker, OperationMeter> meter) {
        OperationMeter all = new OperationMeter();
        for (LoadWorker worker : workers) {
            all.add(meter.apply(worker));
        }
        Histogram latencies = all.latencies();
        return new DemoReport.Operation(name, all.count(), all.count() / seconds / MILLION,
            latencies.getTotalCount(), latencies.getValueAtPercentile(50), latencies.getValueAtPercentile(90),
            latencies.getValueAtPercentile(99), latencies.getValueAtPercentile(99.9), latencies.getMaxValue());
    }

    private static DemoReport.Footprint footprint(StoreStats stats) {
        return new DemoReport.Footprint(stats.chunks(), stats.payloadBytes(), stats.wasteBytes(),
            stats.freeSlotBytes(), stats.tableBytes(), stats.freeUnitBytes(), stats.usedBytes(),
            stats.committedBytes(), stats.limitBytes(), ProcessUse.residentBytes());
    }

    /** Returns the median time between two consecutive reads of the clock, in nanoseconds. */
    private static long clockNs() {
        long[] tries = new long[CLOCK_TRIES];
        for (int i = 0; i < tries.length; i++) {
            long begun = System.nanoTime();
            tries[i] = System.nanoTime() - begun;
        }
        Arrays.sort(tries);
        return tries[tries.length / 2];
    }
}
