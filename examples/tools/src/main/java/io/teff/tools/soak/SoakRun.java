package io.teff.tools.soak;

import io.teff.engine.Locks;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.report.StoreStats;
import io.teff.tools.load.LoadFailure;
import io.teff.tools.load.ProcessUse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A run: fills a store and repeats the same cycle until the time has expired.
 * <pre>
 *  phase       workers, in parallel                 conductor, in the meantime      probe
 *  load        as many mixed steps as chunks        defragments, trims, opens and   measures
 *                                                   closes other stores
 *  shrink      remove 50 to 90 % of the chunks      defragments, audits
 *  low point   verify every remaining chunk         trims; compares counts
 *  refill      create new chunks, of other lengths  defragments, other stores       measures
 *  high point  verify every chunk                   counts, shared values, locks,
 *                                                   audit, sometimes a snapshot;
 *                                                   gives memory back, takes the sample
 * </pre> At a low or high point no operation runs, so the store must count exactly the chunks and bytes of the workers.
 * Samples are taken at high points only, all in the same state, and judged at the end ({@link Criterion}). A wrong
 * result ends the run at once.
 */
final class SoakRun {
    /** Minimum number of cycles, which gives enough samples on a slow machine. */
    static final int CYCLES_MIN = 24;
    /** Number of cycles per snapshot that is restored and compared. */
    static final int CYCLES_PER_SNAPSHOT = 4;
    /** Minimum share of the chunks that the shrink phase removes, in percent. */
    static final int DELETED_MIN = 50;
    /** Maximum share of the chunks that the shrink phase removes, in percent. */
    static final int DELETED_MAX = 90;

    private static final double PERCENTILE = 99.9;
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    private final SoakPlan plan;
    private final SoakObserver observer;
    private final Store store;
    private final boolean reserved;
    private final Crew crew;
    private final SoakWorker[] workers;
    private final SharedChunks shared;
    private final LatencyProbe probe;
    private final StoreCareTasks care;
    private final SplittableRandom random;
    private final Samples samples = new Samples();
    private final long begunNs = System.nanoTime();
    private long accounts;

    private SoakRun(SoakPlan plan, StoreConfig config, Path folder, SoakObserver observer) {
        this.plan = plan;
        this.observer = observer;
        this.store = Store.open(config);
        this.reserved = store.stats().reserved();
        this.crew = new Crew(plan.threads() + LatencyProbe.LOOPS, Timeouts.phaseNs(plan.chunks()));
        this.workers = new SoakWorker[plan.threads()];
        this.shared = new SharedChunks(store, plan.threads());
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new SoakWorker(store, plan, i, shared, workers);
        }
        this.probe = new LatencyProbe(store, plan, workers);
        this.care = new StoreCareTasks(store, folder);
        this.random = new SplittableRandom(plan.seed());
    }

    /**
     * Executes a run.
     *
     * @param plan parameters of the run
     * @param config configuration of the store
     * @param folder existing folder for snapshots
     * @param reproduce the command that repeats the run
     * @param observer receives each cycle
     * @return the results, of a failed run too
     */
    static SoakReport run(SoakPlan plan, StoreConfig config, Path folder, String reproduce, SoakObserver observer)
            throws InterruptedException {
        SoakRun run = new SoakRun(plan, config, folder, observer);
        try {
            String failure = run.cyclesUntilFailure();
            return run.report(failure, reproduce);
        } finally {
            run.close();
        }
    }

    private void close() {
        probe.end();
        crew.close();
        if (!crew.hangs()) {
            store.close();
        }
    }

    private @Nullable String cyclesUntilFailure() throws InterruptedException {
        try {
            fill();
            observer.begins(store);
            while (System.nanoTime() - begunNs < plan.minutes() * MINUTE_NS || samples.added() < CYCLES_MIN) {
                cycle(samples.added() + 1);
            }
            return null;
        } catch (InterruptedException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            return Crew.failure(e).getMessage();
        }
    }

    // ---- a cycle ----

    private void fill() throws InterruptedException {
        probe.create();
        shared.renew(random);
        phase(SoakWorker::refill, () -> {});
    }

    private void cycle(long cycle) throws InterruptedException {
        int percent = random.nextInt(DELETED_MIN, DELETED_MAX + 1);
        measured(() -> phase(SoakWorker::load, this::careUnderLoad));
        phase(worker -> worker.shrink(percent), () -> {
            care.defragment();
            care.audit();
        });
        compareCounts();
        verifyAll(store);
        care.trim();
        long lowBytes = store.stats().committedBytes();
        measured(() -> phase(SoakWorker::refill, () -> {
            care.sideStore();
            care.defragment();
        }));
        highPoint(cycle);
        observer.cycled(takeSample(cycle, percent, lowBytes));
    }

    private void careUnderLoad() {
        care.defragment();
        care.sideStore();
        care.defragment();
        care.trim();
    }

    private void highPoint(long cycle) throws InterruptedException {
        compareCounts();
        checkLocksReleased();
        verifyAll(store);
        care.audit();
        if (cycle % CYCLES_PER_SNAPSHOT == 1) {
            care.snapshot(restored -> {
                try {
                    verifyAll(restored);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new LoadFailure("interrupted");
                }
            });
        }
        shared.renew(random);
        care.defragment();
        care.trim();
    }

    private Sample takeSample(long cycle, int percent, long lowBytes) {
        System.gc();                                            // so that the heap has reachable objects only
        StoreStats stats = store.stats();
        LatencyProbe.Window window = probe.window(PERCENTILE);
        Sample sample = new Sample(cycle, seconds(), percent, stats.chunks(), stats.payloadBytes(), stats.tableBytes(),
            stats.wasteBytes(), stats.freeSlotBytes(), stats.usedBytes(), stats.committedBytes(), lowBytes,
            ProcessUse.residentBytes(), ProcessUse.heapBytes(), ProcessUse.threads(), ProcessUse.descriptors(),
            window.getNs(), window.putNs(), window.idleNs());
        samples.add(sample);
        return sample;
    }

    // ---- phases ----

    /** One or more phases. */
    private interface Phases {
        void run() throws InterruptedException;
    }

    /** Runs phases while the latency probe measures. */
    private void measured(Phases phases) throws InterruptedException {
        List<Future<?>> loops = crew.startAll(probe.begin());
        try {
            phases.run();
        } finally {
            probe.end();
        }
        crew.await(loops);
    }

    /** Runs one operation on all workers and another one on this thread; returns when all have ended. */
    private void phase(Consumer<SoakWorker> work, Runnable meanwhile) throws InterruptedException {
        List<Runnable> pieces = new ArrayList<>();
        for (SoakWorker worker : workers) {
            pieces.add(() -> work.accept(worker));
        }
        List<Future<?>> started = crew.startAll(pieces);
        meanwhile.run();
        crew.await(started);
    }

    // ---- checks at low and high points ----

    private void verifyAll(Store source) throws InterruptedException {
        phase(worker -> worker.verify(source), () -> {
            probe.verify(source);
            shared.verify(source);
        });
    }

    /** Compares the chunks and bytes that the store counts with those of workers, probe and shared chunks. */
    private void compareCounts() {
        StoreStats stats = store.stats();
        long chunks = SharedChunks.COUNT + probe.chunks()
            + Arrays.stream(workers).mapToLong(SoakWorker::chunks).sum();
        long payloadBytes = shared.payloadBytes() + probe.payloadBytes()
            + Arrays.stream(workers).mapToLong(SoakWorker::payloadBytes).sum();
        if (stats.chunks() != chunks || stats.payloadBytes() != payloadBytes) {
            throw new LoadFailure("the store counts " + stats.chunks() + " chunks of " + stats.payloadBytes()
                + " bytes, but the run has " + chunks + " of " + payloadBytes);
        }
        accounts++;
    }

    /** Checks that the threads of the run hold no lock and no pin. */
    private void checkLocksReleased() {
        for (Locks.LockInfo info : store.locks().list()) {
            if (info.pins() > 0 || Crew.isMember(info.writer()) || info.readers().stream().anyMatch(Crew::isMember)) {
                throw new LoadFailure("a lock or pin is left over: " + info);
            }
        }
    }

    // ---- report ----

    private double seconds() {
        return (System.nanoTime() - begunNs) / SECOND_NS;
    }

    private SoakReport report(@Nullable String failure, String reproduce) {
        List<SoakReport.Judged> judged = failure == null ? judge() : List.of();
        String found = failure;
        for (SoakReport.Judged one : judged) {
            if (found == null && one.state().equals(Drift.State.FAILED.name())) {
                found = one.name() + " grows: " + one.text();
            }
        }
        SoakReport.Machine machine = new SoakReport.Machine(Runtime.version().toString(),
            Runtime.getRuntime().availableProcessors(), reserved ? "reserved address space" : "arena blocks");
        return new SoakReport(found == null, found, reproduce, machine, plan, work(),
            List.of(latency("get", probe.gets()), latency("put", probe.puts()), latency("nothing", probe.idles())),
            judged, samples.list(), seconds());
    }

    private List<SoakReport.Judged> judge() {
        List<Sample> taken = samples.list();
        List<SoakReport.Judged> judged = new ArrayList<>();
        for (Criterion criterion : Criterion.values()) {
            Drift.Verdict verdict = criterion.judge(taken);
            judged.add(new SoakReport.Judged(criterion.label(), verdict.state().name(), nullable(verdict.first()),
                nullable(verdict.last()), nullable(verdict.allowed()), nullable(verdict.noise()),
                nullable(verdict.perCycle()), criterion.text(verdict)));
        }
        return judged;
    }

    private static @Nullable Double nullable(double value) {
        return Double.isNaN(value) ? null : value;
    }

    private SoakReport.Work work() {
        return new SoakReport.Work(samples.added(), Arrays.stream(workers).mapToLong(SoakWorker::steps).sum(),
            Arrays.stream(workers).mapToLong(SoakWorker::verified).sum(), accounts, care.snapshots(),
            care.defragmentations(), care.movedChunks(), care.audits(), care.sideStores());
    }

    private static SoakReport.Latency latency(String name, Histogram histogram) {
        return new SoakReport.Latency(name, histogram.getTotalCount(), histogram.getValueAtPercentile(50),
            histogram.getValueAtPercentile(99), histogram.getValueAtPercentile(99.9), histogram.getMaxValue());
    }
}
