package io.teff.test.bench.session;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.store.KeyedStore;
import io.teff.test.bench.store.StoreKind;
import io.teff.test.bench.store.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures one store in this JVM, which was started for it alone with the flags that it needs, and writes the figures
 * as JSON. All measurements of a filled store use the same one: filling takes longest.
 */
@Command(name = "session", hidden = true, description = "Measures one store; started by the comparison.")
public final class Session implements Callable<Integer> {
    private static final int MEASUREMENTS = 3;
    private static final int WARM_ENTRIES = 20_000;
    /** Visits all keys in an order that defeats prefetchers; a prime above every number of entries. */
    private static final long STRIDE = 2_147_483_659L;

    @Option(names = "--store", required = true)
    private StoreKind kind = StoreKind.TEFF;
    @Option(names = "--entries", required = true)
    private int entries;
    @Option(names = "--values", required = true)
    private String lengths = "";
    @Option(names = "--threads", required = true)
    private int threadsMax;
    @Option(names = "--memory", required = true)
    private long memoryBytes;
    @Option(names = "--measure-ms", required = true)
    private int measureMs;
    @Option(names = "--rate", required = true)
    private int rate;
    @Option(names = "--latency-ms", required = true)
    private int latencyMs;
    @Option(names = "--out", required = true)
    private Path out = Path.of("");

    private final Map<String, Object> figures = new LinkedHashMap<>();

    @Override
    public Integer call() throws IOException, InterruptedException, RunnerException {
        SessionPlan plan = new SessionPlan(kind, entries, Values.parse(lengths), threadsMax, memoryBytes, measureMs,
            rate, latencyMs);
        warmUp(plan);
        ProcessMemory before = ProcessMemory.now();
        try (KeyedStore store = kind.open(entries, plan.values(), plan.storeBytes());
             GcPauses pauses = new GcPauses()) {
            long start = System.nanoTime();
            long first = fill(store, plan.values(), 0, entries);
            figures.put("create/1", rate(entries, start));
            figures.put("bytes", (double) ProcessMemory.now().since(before) / entries);
            StoreOps.FILLED.set(new StoreOps.Filled(store, first, entries, plan.values()));
            for (int threads = 1; threads <= plan.threadsMax(); threads++) {
                measureOps(plan, threads);
            }
            measureIteration(store);
            if (latencyMs > 0 && !kind.isForOneLength()) {
                new LatencyLoad(store, first, plan).run(figures);
            }
            figures.put("gc pause max ms", pauses.maxMs());
            figures.put("gc pause sum ms", pauses.sumMs());
            measureRemove(store, first);
            StoreOps.FILLED.set(null);
        }
        if (plan.threadsMax() > 1) {
            figures.put("create/2", createByTwo(plan));
        }
        Files.writeString(out, JSON.std.asString(figures));
        return 0;
    }

    private static double rate(long count, long startNs) {
        return count * 1000.0 / (System.nanoTime() - startNs);
    }

    // ---- filling ----

    /**
     * Fills a small store and discards it, so that classes are loaded and compiled when memory is measured. Not a large
     * one: memory retained by the allocator of the process would be missing from the growth.
     */
    private static void warmUp(SessionPlan plan) {
        int count = Math.min(plan.entries(), WARM_ENTRIES);
        try (KeyedStore store = plan.kind().open(count, plan.values(), plan.storeBytes())) {
            fill(store, plan.values(), 0, count);
        }
    }

    /** Creates the entries of a range of keys; returns the name of the first one. */
    private static long fill(KeyedStore store, Values values, long from, long to) {
        byte[][] arrays = values.arrays();
        long first = store.create(from, values.of(from, arrays));
        for (long key = from + 1; key < to; key++) {
            long name = store.create(key, values.of(key, arrays));
            if (from == 0 && name != first + key) {
                throw new IllegalStateException("key=" + key + " got a name that does not follow");
            }
        }
        return first;
    }

    private double createByTwo(SessionPlan plan) throws InterruptedException {
        try (KeyedStore store = kind.open(entries, plan.values(), plan.storeBytes())) {
            long half = entries / 2;
            Thread other = new Thread(() -> fill(store, plan.values(), half, 2 * half), "creator");
            long start = System.nanoTime();
            other.start();
            fillUnordered(store, plan.values(), half);
            other.join();
            return rate(2 * half, start);
        }
    }

    private static void fillUnordered(KeyedStore store, Values values, long to) {
        byte[][] arrays = values.arrays();
        for (long key = 0; key < to; key++) {
            store.create(key, values.of(key, arrays));
        }
    }

    // ---- measuring ----

    private void measureOps(SessionPlan plan, int threads) throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
            .include(StoreOps.class.getName()).forks(0).threads(threads)
            .warmupIterations(1).warmupTime(TimeValue.milliseconds(plan.measureMs()))
            .measurementIterations(MEASUREMENTS)
            .measurementTime(TimeValue.milliseconds(Math.max(plan.measureMs() / MEASUREMENTS, 1)))
            .timeUnit(TimeUnit.MICROSECONDS).shouldFailOnError(true).verbosity(VerboseMode.SILENT).build()).run();
        for (RunResult result : results) {
            String method = result.getPrimaryResult().getLabel();
            figures.put(method + "/" + threads, result.getPrimaryResult().getStatistics().getPercentile(50));
        }
    }

    private void measureIteration(KeyedStore store) {
        double best = 0;
        for (int i = 0; i < MEASUREMENTS; i++) {
            long start = System.nanoTime();
            long sum = store.sum();
            best = Math.max(best, rate(entries, start));
            if (sum == KeyedStore.UNSUPPORTED) {
                return;
            }
            if (sum != (entries - 1L) * entries / 2) {
                throw new IllegalStateException("the sum of all keys is " + sum);
            }
        }
        figures.put("iterate/1", best);
    }

    private void measureRemove(KeyedStore store, long first) {
        long start = System.nanoTime();
        long key = 0;
        for (int i = 0; i < entries; i++) {
            if (!store.remove(first + key)) {
                throw new IllegalStateException("key=" + key + " was not there");
            }
            key = (key + STRIDE) % entries;
        }
        figures.put("remove/1", rate(entries, start));
    }
}
