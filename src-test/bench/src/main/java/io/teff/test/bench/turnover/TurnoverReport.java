package io.teff.test.bench.turnover;

import io.teff.test.bench.report.CommandSupport;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.ReportHead;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code bench turnover} command: runs the phases of {@link Turnover} in a JVM of their own. */
@Command(
    name = "turnover",
    description = {
        "Runs the life of a store: growth, turnovers of chunks with other lengths, mass removal, defragmentation.",
        "Shows whether memory follows the amount of data, and how long operations wait meanwhile."},
    sortOptions = false)
public final class TurnoverReport implements Callable<Integer> {
    private static final String MAIN = "io.teff.test.bench.BenchCommand";
    private static final int CHUNKS_MIN = 1000;
    /** For the list of CIDs and the harness. */
    private static final long HEAP_BYTES_FIXED = 256L << 20;
    private static final long HEAP_BYTES_PER_CHUNK = 16;

    @Option(names = "--chunks", paramLabel = "N", defaultValue = "10000000",
        description = "Number of chunks of 16 to 128 bytes (default: ${DEFAULT-VALUE}).")
    private int chunks;

    @Option(names = "--turns", paramLabel = "N", defaultValue = "10",
        description = "Number of turnovers: each replaces every chunk (default: ${DEFAULT-VALUE}).")
    private int turns;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "1000000",
        description = "Operations per second while latencies are measured (default: ${DEFAULT-VALUE}).")
    private long rate;

    @Option(names = "--gets-ms", paramLabel = "MS", defaultValue = "3000",
        description = "Time of each measurement of gets while no defragmentation runs (default: ${DEFAULT-VALUE}).")
    private int getsMs;

    @Option(names = "--settle-ms", paramLabel = "MS", defaultValue = "10000",
        description = "Longest wait for memory to be returned after the mass removal (default: ${DEFAULT-VALUE}).")
    private int settleMs;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(names = "--here", hidden = true, description = "Measure in this JVM.")
    private boolean here;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // the library reads it
    private boolean helpRequested;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Made by the library of the command line. */
    public TurnoverReport() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        CommandSupport.check(spec, chunks >= CHUNKS_MIN && turns >= 1 && rate >= 1, "--chunks=" + chunks
            + " must be at least " + CHUNKS_MIN + ", --turns=" + turns + " and --rate=" + rate + " at least 1");
        CommandSupport.check(spec, getsMs >= 1 && settleMs >= 1, "--gets-ms=" + getsMs + " and --settle-ms=" + settleMs
            + " must be at least 1");
        return here ? measure() : new ProcessBuilder(command()).inheritIO().start().waitFor();
    }

    /** The same command in a JVM whose heap is touched from the start, so that only the store grows. */
    private List<String> command() {
        long heapBytes = HEAP_BYTES_FIXED + HEAP_BYTES_PER_CHUNK * chunks;
        List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "--enable-native-access=ALL-UNNAMED",
            "-Xms" + heapBytes, "-Xmx" + heapBytes, "-XX:+AlwaysPreTouch", "-cp", System.getProperty("java.class.path"),
            MAIN, "turnover", "--here", "--chunks", "" + chunks, "--turns", "" + turns, "--rate", "" + rate,
            "--gets-ms", "" + getsMs, "--settle-ms", "" + settleMs));
        if (json) {
            command.add("--json");
        }
        return command;
    }

    private int measure() throws IOException, InterruptedException {
        Map<String, Object> figures = new Turnover(chunks, turns, rate, TimeUnit.MILLISECONDS.toNanos(getsMs),
            TimeUnit.MILLISECONDS.toNanos(settleMs), line ->
            CommandSupport.progress(spec, "%s%n", line)).run();
        PrintWriter out = spec.commandLine().getOut();
        ReportHead head = new ReportHead(Machine.here());
        if (json) {
            out.println(head.json(figures));
        } else {
            out.println(head.text());
            figures.forEach((name, figure) -> out.printf("%-40s %s%n", name, show(figure)));
        }
        out.flush();
        return 0;
    }

    private static String show(Object figure) {
        return switch (figure) {
            case Double number -> String.format(Locale.ROOT, "%.3f", number);
            case List<?> list -> list.stream().map(TurnoverReport::show).reduce((a, b) -> a + " " + b).orElse("");
            default -> figure.toString();
        };
    }
}
