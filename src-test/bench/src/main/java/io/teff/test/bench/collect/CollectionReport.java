package io.teff.test.bench.collect;

import io.teff.test.bench.report.CommandSupport;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.session.SessionProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code bench collections} command: runs {@link Trial}s in rounds in which each structure has its turn. */
@Command(
    name = "collections",
    description = {
        "Compares Teff's collections with others on the same data: maps, sorted maps, sets, lists, queues, and how "
            + "long inserts wait while a map grows.",
        "Each round starts one JVM per structure, with the flags that it needs and the same memory in all. Results are "
            + "the medians of the rounds; collections.txt and collections.json are written to a folder."},
    sortOptions = false)
public final class CollectionReport implements Callable<Integer> {
    private static final int ENTRIES_MIN = 1000;
    private static final long MEMORY_BYTES_FIXED = 1L << 30;

    @Option(names = "--entries", paramLabel = "N", defaultValue = "1000000",
        description = "Number of entries (default: ${DEFAULT-VALUE}).")
    private int entries;

    @Option(names = "--only", paramLabel = "PATTERN", defaultValue = "",
        description = "Structures to compare: those in whose name a regular expression is found, as in map or "
            + "'^sorted|^growth' (default: all): ${COMPLETION-CANDIDATES}.", completionCandidates = Ids.class)
    private String only = "";

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3",
        description = "Rounds (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--measure-ms", paramLabel = "MS", defaultValue = "1000",
        description = "Time of each measurement; filling, removing and growing take as long as they do "
            + "(default: ${DEFAULT-VALUE}).")
    private int measureMs;

    @Option(names = "--warm-up-ms", paramLabel = "MS", defaultValue = "1000",
        description = "Time to warm each of them up (default: ${DEFAULT-VALUE}).")
    private int warmUpMs;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "500000",
        description = "Inserts per second where the waits of growth are measured (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--memory-per-entry", paramLabel = "BYTES", defaultValue = "256",
        description = "Memory of each process per entry, on top of 1 GiB (default: ${DEFAULT-VALUE}).")
    private int memoryPerEntry;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "target/bench",
        description = "Folder for the results (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("");

    @Option(names = "--json", description = "Print the JSON instead of the table.")
    private boolean json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // the library reads it
    private boolean helpRequested;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Made by the library of the command line. */
    public CollectionReport() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        check(entries >= ENTRIES_MIN, "--entries=" + entries + " is less than " + ENTRIES_MIN);
        check(rounds >= 1, "--rounds=" + rounds + " is less than 1");
        check(measureMs >= 1, "--measure-ms=" + measureMs + " is less than 1");
        check(warmUpMs >= 1, "--warm-up-ms=" + warmUpMs + " is less than 1");
        check(rate >= 1, "--rate=" + rate + " is less than 1");
        check(memoryPerEntry >= 1, "--memory-per-entry=" + memoryPerEntry + " is less than 1");
        List<CollectionKind> kinds = kinds();
        CommandSupport.makeFolder(spec, out);
        CollectionFigures figures = new CollectionFigures(entries, rounds, rate);
        for (int round = 1; round <= rounds; round++) {
            for (CollectionKind kind : kinds) {
                measure(figures, kind, round);
            }
        }
        Machine machine = Machine.here();
        String document = figures.json(machine);
        String table = figures.table(machine);
        Files.writeString(out.resolve("collections.json"), document);
        Files.writeString(out.resolve("collections.txt"), table);
        PrintWriter printer = spec.commandLine().getOut();
        printer.println(json ? document : table);
        printer.flush();
        return figures.isComplete() ? 0 : 1;
    }

    private void measure(CollectionFigures figures, CollectionKind kind, int round)
        throws IOException, InterruptedException {
        CollectionPlan plan = new CollectionPlan(kind, entries, MEMORY_BYTES_FIXED + (long) memoryPerEntry * entries,
            warmUpMs, measureMs, rate);
        CommandSupport.progress(spec, "round %d of %d, %,d entries: %s ... ", round, rounds, entries, kind.id());
        long start = System.nanoTime();
        SessionProcess.Outcome outcome = SessionProcess.run(plan, out);
        figures.add(kind, outcome);
        CommandSupport.progress(spec, "%s, %.0f s%n", outcome.failure() == null ? "done" : outcome.failure(),
            (System.nanoTime() - start) / 1e9);
    }

    private List<CollectionKind> kinds() {
        try {
            Pattern pattern = Pattern.compile(only);
            List<CollectionKind> kinds = Arrays.stream(CollectionKind.values())
                .filter(kind -> pattern.matcher(kind.id()).find()).toList();
            check(!kinds.isEmpty(), "--only=" + only + " is found in no structure's name; there are " + Ids.all());
            return kinds;
        } catch (PatternSyntaxException e) {
            throw new ParameterException(spec.commandLine(), "--only=" + only + " is no regular expression: "
                + e.getDescription(), e);
        }
    }

    private void check(boolean good, String message) {
        CommandSupport.check(spec, good, message);
    }

    private static final class Ids implements Iterable<String> {
        static List<String> all() {
            return Arrays.stream(CollectionKind.values()).map(CollectionKind::id).toList();
        }

        @Override
        public Iterator<String> iterator() {
            return all().iterator();
        }
    }
}
