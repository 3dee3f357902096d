package io.teff.test.bench.collect;

import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.RoundsCommand;
import io.teff.test.bench.session.SessionProcess;
import io.teff.test.bench.store.Named;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench collections} command: runs {@link Trial}s in rounds in which each structure runs once. */
@Command(
    name = "collections",
    description = {
        "Compares Teff's collections with others on the same data: maps, sorted maps, sets, lists, queues, and how "
            + "long inserts wait while a map grows.",
        "Each round starts one JVM per structure, with the flags that it needs and the same memory in all. Results are "
            + "the medians of the rounds; collections.txt and collections.json are written to a folder."},
    sortOptions = false)
public final class CollectionReport extends RoundsCommand {
    private static final int ENTRIES_MIN = 1000;
    private static final long MEMORY_BYTES_FIXED = 1L << 30;

    @Option(names = "--entries", paramLabel = "N", defaultValue = "1000000",
        description = "Number of entries (default: ${DEFAULT-VALUE}).")
    private int entries;

    @Option(names = "--only", paramLabel = "PATTERN", defaultValue = "",
        description = "Structures to compare: those in whose name a regular expression is found, as in map or "
            + "'^sorted|^growth' (default: all): ${COMPLETION-CANDIDATES}.", completionCandidates = Ids.class)
    private String only = "";

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

    /** Made by the library of the command line. */
    public CollectionReport() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkLeast("--entries", entries, ENTRIES_MIN);
        checkLeast("--measure-ms", measureMs, 1);
        checkLeast("--warm-up-ms", warmUpMs, 1);
        checkLeast("--rate", rate, 1);
        checkLeast("--memory-per-entry", memoryPerEntry, 1);
        List<CollectionKind> kinds = found("--only", only, CollectionKind.values());
        begin();
        CollectionFigures figures = new CollectionFigures(entries, rounds(), rate);
        for (int round = 1; round <= rounds(); round++) {
            for (CollectionKind kind : kinds) {
                measure(figures, kind, round);
            }
        }
        Machine machine = Machine.here();
        write("collections.txt", figures.table(machine), "collections.json", figures.json(machine));
        return figures.isComplete() ? 0 : 1;
    }

    private void measure(CollectionFigures figures, CollectionKind kind, int round)
        throws IOException, InterruptedException {
        CollectionPlan plan = new CollectionPlan(kind, entries, MEMORY_BYTES_FIXED + (long) memoryPerEntry * entries,
            warmUpMs, measureMs, rate);
        figures.add(kind, run(String.format(Locale.ROOT, "round %d of %d, %,d entries: %s", round, rounds(), entries,
            kind.id()), () -> SessionProcess.run(plan, out())));
    }

    private static final class Ids extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Ids() {
            super(Named.ids(CollectionKind.values()));
        }
    }
}
