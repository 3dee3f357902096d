package io.teff.tools.soak;

import io.teff.engine.Store;
import io.teff.engine.config.Limits;
import io.teff.engine.config.StoreConfig;
import io.teff.tools.console.Figures;
import io.teff.tools.console.JsonDocument;
import io.teff.tools.console.QuietOption;
import io.teff.tools.console.ByteSizeConverter;
import io.teff.tools.console.UsageOption;
import io.teff.tools.load.ChunkContent;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code soak} command: checks its options, runs the cycles, and writes the report. */
@Command(
    name = "soak",
    description = {
        "Repeats a cycle of mixed load, mass removal and refill on a store, for minutes or days.",
        "Verifies every byte and every count, and fails if memory, threads, file descriptors or latency grow from "
            + "cycle to cycle.",
        "A run has at least 24 cycles, even if they take longer than --minutes."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:passed", "1:a result was wrong, a figure grew, or the memory limit was reached",
        "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff soak --minutes=60 --chunks=1000000 --json",
    sortOptions = false)
public final class SoakCommand implements Callable<Integer> {
    static final int EXIT_GOOD = 0;
    static final int EXIT_FAILED = 1;

    private static final double MINUTES_MAX = 60 * 24 * 365;
    private static final int CHUNKS_MIN = 100;
    private static final int THREADS_MAX = 64;
    private static final int CHUNK_BYTES_MAX = 16 << 10;
    private static final int RATE_MAX = 20_000;
    private static final int TABLE_BYTES_PER_CHUNK = Long.BYTES;
    /** The share of the Java heap that the CIDs and forms of a run may fill. */
    private static final double HEAP_SHARE = 0.5;

    @Option(names = "--minutes", paramLabel = "N", defaultValue = "2",
        description = "Minimum duration in minutes, above 0 to 525600, for example 0.5 (default: ${DEFAULT-VALUE}).")
    private double minutes;

    @Option(names = "--chunks", paramLabel = "N", defaultValue = "300000",
        description = "Number of chunks at the end of each cycle, at least 100 (default: ${DEFAULT-VALUE}, with "
            + "which a cycle takes about a second).")
    private int chunks;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "2",
        description = "Number of worker threads, 1 to 64 (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--min-size", paramLabel = "BYTES", defaultValue = "16", converter = ByteSizeConverter.class,
        description = "Length of the shortest chunk in bytes, at least 16 (default: ${DEFAULT-VALUE}).")
    private long minSize;

    @Option(names = "--max-size", paramLabel = "BYTES", defaultValue = "128", converter = ByteSizeConverter.class,
        description = "Length of the longest chunk in bytes, --min-size to 16k (default: ${DEFAULT-VALUE}).")
    private long maxSize;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "1000",
        description = "Gets per second, and puts per second, whose latency is measured, 1 to 20000 (default: "
            + "${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Seed of all random choices, a 64-bit integer (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--memory", paramLabel = "SIZE", converter = ByteSizeConverter.class,
        description = "Memory limit of a store in bytes, for example 512m or 4g (default: three quarters of the "
            + "machine's memory). A restored snapshot is a second store with the same limit.")
    private @Nullable Long memory;

    @Option(names = "--directory", paramLabel = "DIR",
        description = "Folder for temporary snapshots, which must exist (default: the system's folder for temporary "
            + "files).")
    private @Nullable Path directory;

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
        SoakPlan plan = new SoakPlan(minutes, chunks, threads, (int) minSize, (int) maxSize, rate, seed);
        checkFits(plan, config);
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        SoakObserver observer = quiet.isSet() ? new SoakObserver() {} : new SoakText(err);
        SoakReport report = SoakRun.run(plan, config, folder(), reproduce(config), observer);
        if (json) {
            out.println(JsonDocument.write(report));
            out.flush();
        } else {
            new SoakText(out).write(report);
        }
        if (!report.ok()) {
            err.println("./teff soak: " + report.failure());
            err.println("reproduce: " + report.reproduce());
            err.flush();
        }
        return report.ok() ? EXIT_GOOD : EXIT_FAILED;
    }

    // ---- options ----

    private StoreConfig config() {
        StoreConfig.Builder builder = StoreConfig.builder().name("soak").nid(1);
        return memory == null ? builder.build() : builder.memoryLimitBytes(memory).build();
    }

    private Path folder() {
        return directory != null ? directory : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** Returns a command that repeats the run, with the value of every relevant option. */
    private String reproduce(StoreConfig config) {
        return "./teff " + (isReserved(config) ? "" : "--plain ") + "soak --seed=" + seed + " --minutes="
            + Figures.text("%s", minutes) + " --chunks=" + chunks + " --threads=" + threads + " --min-size=" + minSize
            + " --max-size=" + maxSize + " --rate=" + rate + (memory == null ? "" : " --memory=" + memory);
    }

    private static boolean isReserved(StoreConfig config) {
        try (Store store = Store.open(config)) {
            return store.stats().reserved();
        }
    }

    private void checkOptions() {
        check(minutes > 0 && minutes <= MINUTES_MAX, "--minutes=" + minutes + " is not above 0, or above "
            + Figures.count((long) MINUTES_MAX));
        check(chunks >= CHUNKS_MIN, "--chunks=" + chunks + " is less than " + CHUNKS_MIN);
        check(threads >= 1 && threads <= THREADS_MAX, "--threads=" + threads + " is outside of 1.." + THREADS_MAX);
        check(minSize >= ChunkContent.BYTES_MIN, "--min-size=" + minSize + " is less than " + ChunkContent.BYTES_MIN
            + ", the bytes of number, version and checksum");
        check(maxSize <= CHUNK_BYTES_MAX, "--max-size=" + maxSize + " is more than " + CHUNK_BYTES_MAX);
        check(minSize <= maxSize, "--min-size=" + minSize + " is more than --max-size=" + maxSize);
        check(rate >= 1 && rate <= RATE_MAX, "--rate=" + rate + " is outside of 1.." + RATE_MAX);
        check(memory == null || memory >= Limits.MEMORY_BYTES_MIN && memory <= Limits.MEMORY_BYTES_MAX,
            "--memory=" + memory + " is outside of " + (Limits.MEMORY_BYTES_MIN >> 20) + "m.."
                + (Limits.MEMORY_BYTES_MAX >> 20) + "m");
        check(Files.isDirectory(folder()) && Files.isWritable(folder()),
            "--directory=" + folder() + " is not a writable folder");
    }

    /** Refuses a run that certainly exceeds memory. A run that may just fit is tried, and fails if it does not. */
    private void checkFits(SoakPlan plan, StoreConfig config) {
        double needed = plan.payloadBytes() + (double) plan.chunks() * TABLE_BYTES_PER_CHUNK;
        check(needed <= config.memoryLimitBytes(), "--chunks=" + chunks + " need more than " + Figures.bytes(needed)
            + ", but the memory limit is " + Figures.bytes(config.memoryLimitBytes()));
        double heapNeeded = (double) plan.chunks() * SoakPlan.HEAP_BYTES_PER_CHUNK;
        double heap = Runtime.getRuntime().maxMemory();
        check(heapNeeded <= heap * HEAP_SHARE, "--chunks=" + chunks + " need " + Figures.bytes(heapNeeded)
            + " of Java heap for their CIDs, but its maximum is " + Figures.bytes(heap)
            + "; set -Xmx, which ./teff takes from TEFF_JAVA_OPTS");
    }

    private void check(boolean good, String message) {
        if (!good) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
