package io.teff.test.bench.durable;

import io.teff.test.bench.disk.RealFolder;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.RoundsCommand;
import io.teff.test.bench.session.SessionProcess.Outcome;
import io.teff.test.bench.store.Named;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench durable} command: runs the {@link DurableShape}s in rounds in which each store runs once. */
@Command(
    name = "durable",
    description = {
        "Compares Teff's durable store with other stores that keep data on a disk: synced and logged writes, disk "
            + "space, memory, restarts. Also compares Teff's log with the rates of the disk itself.",
        "Each round starts one JVM per store and shape, several for a restart. Results are the medians of the rounds; "
            + "durable.txt and durable.json are written to a folder."},
    sortOptions = false)
public final class DurableReport extends RoundsCommand {
    private static final int ENTRIES_MIN = 1000;
    private static final long DISK_BYTES_FIXED = 2L << 30;
    private static final long DISK_BYTES_PER_ENTRY = 1024;

    @Option(names = "--folder", paramLabel = "DIR", defaultValue = "target",
        description = "Folder on a disk. The stores use a new folder in it, which is deleted at the end "
            + "(default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("");

    @Option(names = "--entries", paramLabel = "N", defaultValue = "10000000",
        description = "Number of entries of 64 bytes (default: ${DEFAULT-VALUE}).")
    private int entries;

    @Option(names = "--stores", paramLabel = "PATTERN", defaultValue = "",
        description = "Stores to compare: those in whose name a regular expression is found, as in 'teff|rocksdb' "
            + "(default: all): ${COMPLETION-CANDIDATES}.", completionCandidates = Kinds.class)
    private String stores = "";

    @Option(names = "--shapes", paramLabel = "PATTERN", defaultValue = "",
        description = "Shapes to measure, in the same way (default: all): ${COMPLETION-CANDIDATES}.",
        completionCandidates = Shapes.class)
    private String shapes = "";

    @Option(names = "--measure-ms", paramLabel = "MS", defaultValue = "3000",
        description = "Time of each measurement, except for fills (default: ${DEFAULT-VALUE}).")
    private int measureMs;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "60",
        description = "Time limit of a fill whose rate is measured, and of updates during cleaning "
            + "(default: ${DEFAULT-VALUE}).")
    private int secondsMax;

    /** Made by the library of the command line. */
    public DurableReport() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkLeast("--entries", entries, ENTRIES_MIN);
        checkLeast("--measure-ms", measureMs, 1);
        checkLeast("--seconds", secondsMax, 1);
        List<DurableKind> kinds = found("--stores", stores, DurableKind.values());
        List<DurableShape> chosen = found("--shapes", shapes, DurableShape.values());
        long bytes = DISK_BYTES_FIXED + DISK_BYTES_PER_ENTRY * entries
            + chosen.stream().mapToLong(DurableShape::diskBytes).sum();
        try (RealFolder own = RealFolder.make(spec(), folder, bytes)) {
            begin();
            return report(own, kinds, chosen);
        }
    }

    private int report(RealFolder own, List<DurableKind> kinds, List<DurableShape> chosen)
        throws IOException, InterruptedException {
        DurableFigures figures = new DurableFigures(own.type(), entries, rounds());
        Sessions sessions = new Sessions(own.path(), out().toAbsolutePath(), entries, measureMs, secondsMax);
        for (int round = 1; round <= rounds(); round++) {
            round(figures, sessions, round, kinds, chosen);
        }
        Machine machine = Machine.here();
        write("durable.txt", figures.table(machine), "durable.json", figures.json(machine));
        return figures.isComplete() ? 0 : 1;
    }

    /** Runs shape by shape, so that compared measurements follow one another immediately. */
    private void round(DurableFigures figures, Sessions sessions, int round, List<DurableKind> kinds,
        List<DurableShape> chosen) throws IOException, InterruptedException {
        Map<DurableKind, List<Outcome>> outcomes = new LinkedHashMap<>();
        for (DurableShape shape : chosen) {
            for (DurableKind kind : kinds) {
                if (shape.isFor(kind)) {
                    Outcome outcome = run(String.format(Locale.ROOT, "round %d of %d, %,d entries: %s %s", round,
                        rounds(), entries, kind.id(), shape.id()), () -> sessions.run(kind, shape));
                    outcomes.computeIfAbsent(kind, ignored -> new ArrayList<>()).add(outcome);
                }
            }
        }
        outcomes.forEach((kind, all) -> figures.add(kind, Outcome.joined(all)));
    }

    private static final class Kinds extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Kinds() {
            super(Named.ids(DurableKind.values()));
        }
    }

    private static final class Shapes extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Shapes() {
            super(Named.ids(DurableShape.values()));
        }
    }
}
