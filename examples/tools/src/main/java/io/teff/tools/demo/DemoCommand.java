package io.teff.tools.demo;

import io.teff.engine.Store;
import io.teff.engine.config.Limits;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.examples.graph.ClassFiles;
import io.teff.tools.console.Figures;
import io.teff.tools.console.JsonDocument;
import io.teff.tools.console.ProgressLine;
import io.teff.tools.console.QuietOption;
import io.teff.tools.console.ByteSizeConverter;
import io.teff.tools.console.UsageOption;
import io.teff.tools.load.ChunkContent;
import io.teff.tools.load.LoadFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code demo} command: checks its options, runs each part with a store of its own, and writes the report. */
@Command(
    name = "demo",
    description = {
        "Shows the store at work on this machine, in about a minute.",
        "First, the classes of this JVM are stored as a graph, which answers queries. Then millions of small chunks "
            + "are created, read, changed and removed, and every byte read is verified.",
        "With --durable, another process stores the graph in a durable store and is killed while it updates it; then "
            + "every acknowledged update must be present."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:every check passed", "1:a check failed, or the memory limit was reached",
        "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff demo --count=1000000 --threads=4 --durable=/tmp/demo",
    sortOptions = false)
public final class DemoCommand implements Callable<Integer> {
    static final int EXIT_GOOD = 0;
    static final int EXIT_FAILED = 1;
    private static final int THREADS_MAX = 256;
    private static final int CHUNK_BYTES_MAX = 1 << 20;
    private static final int TABLE_BYTES_PER_CHUNK = Long.BYTES;
    /** The share of the Java heap that the CIDs and versions of the load may fill. */
    private static final double HEAP_SHARE = 0.7;
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    @Option(names = "--count", paramLabel = "N", defaultValue = "10000000",
        description = "Number of chunks at the end of the load, at least 1 (default: ${DEFAULT-VALUE}).")
    private long count;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "2",
        description = "Number of threads that read classes and load chunks, 1 to 256 (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--min-size", paramLabel = "BYTES", defaultValue = "16", converter = ByteSizeConverter.class,
        description = "Length of the shortest chunk in bytes, at least 16 (default: ${DEFAULT-VALUE}).")
    private long minSize;

    @Option(names = "--max-size", paramLabel = "BYTES", defaultValue = "128", converter = ByteSizeConverter.class,
        description = "Length of the longest chunk in bytes, --min-size to 1m (default: ${DEFAULT-VALUE}).")
    private long maxSize;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Seed of all random choices, a 64-bit integer (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--memory", paramLabel = "SIZE", converter = ByteSizeConverter.class,
        description = "Memory limit of a store in bytes, for example 512m or 4g (default: three quarters of the "
            + "machine's memory).")
    private @Nullable Long memory;

    @Option(names = "--class", paramLabel = "NAME", defaultValue = "java.lang.String",
        description = "Binary name of the class whose referrers are listed (default: ${DEFAULT-VALUE}).")
    private String referred = "";

    @Option(names = "--from", paramLabel = "NAME", defaultValue = "java.lang.String",
        description = "Binary name of the class where the shortest path begins (default: ${DEFAULT-VALUE}).")
    private String from = "";

    @Option(names = "--to", paramLabel = "NAME", defaultValue = "java.security.KeyPair",
        description = "Binary name of the class where the shortest path ends (default: ${DEFAULT-VALUE}).")
    private String to = "";

    @Option(names = "--no-graph", description = "Skip the class graph.")
    private boolean withoutGraph;

    @Option(names = "--no-load", description = "Skip the load.")
    private boolean withoutLoad;

    @Option(names = "--durable", paramLabel = "DIR",
        description = "Kill a process that updates a durable store in this folder three times, and verify the store "
            + "after each kill. The folder must be empty or not exist (default: this part is skipped).")
    private @Nullable Path durable;

    @Option(names = "--audit",
        description = "After the load, recompute all invariants of the store; takes seconds, and Java heap.")
    private boolean withAudit;

    @Option(names = "--json", description = "Write the report as a JSON document (default: as text).")
    private boolean json;

    @Mixin
    private QuietOption quiet = new QuietOption();

    @Mixin
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private UsageOption usage = new UsageOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkOptions();
        StoreConfig config = config();
        LoadPlan plan = new LoadPlan(count, threads, (int) minSize, (int) maxSize, seed);
        if (!withoutLoad) {
            checkFits(plan, config);
        }
        DemoReport report = run(config, plan);
        if (json) {
            spec.commandLine().getOut().println(JsonDocument.write(report));
            spec.commandLine().getOut().flush();
        } else {
            TextReport.write(report, spec.commandLine().getOut());
        }
        if (!report.ok()) {
            spec.commandLine().getErr().println("./teff demo: " + report.failure());
            spec.commandLine().getErr().flush();
        }
        return report.ok() ? EXIT_GOOD : EXIT_FAILED;
    }

    // ---- run ----

    private DemoReport run(StoreConfig config, LoadPlan plan) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        ClassFiles files = withoutGraph && durable == null ? null : listClasses();
        DemoReport.Graph graph = null;
        DemoReport.Load load = null;
        DemoReport.Durable survived = null;
        String failure = null;
        DemoReport.Machine machine;
        try (PauseWatch watch = PauseWatch.start()) {
            try (Store store = Store.open(config)) {
                machine = machine(store);
            }
            try {
                graph = files == null || withoutGraph ? null : runGraph(config, files, begun);
                load = withoutLoad ? null : runLoad(config, plan);
                survived = files == null || durable == null ? null : runDurable(config, files, durable);
            } catch (LoadFailure | StoreException e) {
                failure = e.getMessage();
            }
            double seconds = (System.nanoTime() - begun) / SECOND_NS;
            return new DemoReport(failure == null, failure, machine, graph, load, survived, watch.stop(),
                seconds);
        }
    }

    private DemoReport.Graph runGraph(StoreConfig config, ClassFiles files, long begun) throws IOException {
        try (Store store = Store.open(config)) {
            GraphPhase phase = new GraphPhase(store, files, threads, begun);
            return runGraph(phase);
        }
    }

    private DemoReport.Graph runGraph(GraphPhase phase) throws IOException {
        try (ProgressLine _ = ProgressLine.start(spec.commandLine().getErr(), style(), phase::progress)) {
            return phase.run(referred, from, to);
        }
    }

    private DemoReport.Load runLoad(StoreConfig config, LoadPlan plan) throws InterruptedException {
        try (Store store = Store.open(config)) {
            LoadPhase phase = new LoadPhase(store, plan);
            return runLoad(phase, new LoadProgress(store, phase, plan.count()));
        }
    }

    private DemoReport.Load runLoad(LoadPhase phase, LoadProgress progress) throws InterruptedException {
        try (ProgressLine _ = ProgressLine.start(spec.commandLine().getErr(), style(), progress)) {
            return phase.run(withAudit);
        }
    }

    private DemoReport.Durable runDurable(StoreConfig config, ClassFiles files, Path folder)
        throws IOException, InterruptedException {
        try (Store scratch = Store.open(config)) {
            DurablePhase phase = new DurablePhase(folder, threads, files);
            return runDurable(phase, scratch);
        }
    }

    private DemoReport.Durable runDurable(DurablePhase phase, Store scratch) throws IOException, InterruptedException {
        try (ProgressLine _ = ProgressLine.start(spec.commandLine().getErr(), style(), phase::progress)) {
            return phase.run(scratch);
        }
    }

    private ProgressLine.Style style() {
        return quiet.isSet() ? ProgressLine.Style.NONE : ProgressLine.suitable();
    }

    private static DemoReport.Machine machine(Store store) {
        return new DemoReport.Machine(Runtime.version().toString(), Runtime.getRuntime().availableProcessors(),
            store.stats().reserved() ? "reserved address space" : "arena blocks");
    }

    private ClassFiles listClasses() throws IOException {
        ClassFiles files = ClassFiles.ofRuntimeImage();
        for (String name : new String[] {referred, from, to}) {
            check(files.contains(name), "this JVM has no class " + name
                + "; names are binary names such as java.util.List or java.util.Map$Entry");
        }
        return files;
    }

    // ---- options ----

    private StoreConfig config() {
        StoreConfig.Builder builder = StoreConfig.builder().name("demo").nid(1);
        return memory == null ? builder.build() : builder.memoryLimitBytes(memory).build();
    }

    private void checkOptions() {
        check(count >= 1, "--count=" + count + " is less than 1");
        check(threads >= 1 && threads <= THREADS_MAX, "--threads=" + threads + " is outside of 1.." + THREADS_MAX);
        check(minSize >= ChunkContent.BYTES_MIN, "--min-size=" + minSize + " is less than " + ChunkContent.BYTES_MIN
            + ", the bytes of number, version and checksum");
        check(maxSize <= CHUNK_BYTES_MAX, "--max-size=" + maxSize + " is more than " + CHUNK_BYTES_MAX);
        check(minSize <= maxSize, "--min-size=" + minSize + " is more than --max-size=" + maxSize);
        check(memory == null || memory >= Limits.MEMORY_BYTES_MIN && memory <= Limits.MEMORY_BYTES_MAX,
            "--memory=" + memory + " is outside of " + (Limits.MEMORY_BYTES_MIN >> 20) + "m.."
                + (Limits.MEMORY_BYTES_MAX >> 20) + "m");
        check(!withoutGraph || !withoutLoad || durable != null,
            "--no-graph and --no-load without --durable leave no part to run");
        check(durable == null || DurablePhase.isFree(durable), "--durable=" + durable + " is not empty");
    }

    /** Refuses a load that certainly exceeds memory. A load that may just fit is tried, and fails if it does not. */
    private void checkFits(LoadPlan plan, StoreConfig config) {
        double needed = plan.payloadBytes() + (double) plan.count() * TABLE_BYTES_PER_CHUNK;
        check(needed <= config.memoryLimitBytes(), "--count=" + count + " chunks need more than "
            + Figures.bytes(needed) + ", but the memory limit is " + Figures.bytes(config.memoryLimitBytes()));
        double heapNeeded = (double) plan.count() * LoadPlan.HEAP_BYTES_PER_CHUNK;
        double heap = Runtime.getRuntime().maxMemory();
        check(heapNeeded <= heap * HEAP_SHARE, "--count=" + count + " chunks need " + Figures.bytes(heapNeeded)
            + " of Java heap for their CIDs, but its maximum is " + Figures.bytes(heap)
            + "; set -Xmx, which ./teff takes from TEFF_JAVA_OPTS");
        check(plan.count() / plan.threads() < Integer.MAX_VALUE - Long.BYTES,
            "--count=" + count + " is too large for " + threads + " threads");
    }

    private void check(boolean good, String message) {
        if (!good) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
