package io.teff.test.bench.index;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.disk.RealFolder;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.ReportHead;
import io.teff.test.bench.report.RoundsCommand;
import io.teff.test.bench.session.SessionProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench index} command: puts with indexes, and queries. */
@Command(
    name = "index",
    description = {
        "Measures indexes: puts into maps with none, one and two indexes, as ratios of neighbouring blocks; a query of "
            + "1,000 entries; a walk, and a walk that reads one field.",
        "Each round starts one JVM per store. Figures are medians of the rounds."},
    sortOptions = false)
public final class IndexReport extends RoundsCommand {
    private static final int ENTRIES_MIN = 10_000;

    @Option(names = "--kinds", paramLabel = "PATTERN", defaultValue = ".",
        description = "Stores: memory, logged; a regular expression (default: all).")
    private String kinds = ".";

    @Option(names = "--entries", paramLabel = "N", defaultValue = "1000000",
        description = "Entries of the map that is queried (default: ${DEFAULT-VALUE}).")
    private int entries;

    @Option(names = "--puts", paramLabel = "N", defaultValue = "500000",
        description = "Puts into each map (default: ${DEFAULT-VALUE}).")
    private int puts;

    /** Made by the library of the command line. */
    public IndexReport() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkLeast("--entries", entries, ENTRIES_MIN);
        checkLeast("--puts", puts, ENTRIES_MIN * 2);
        List<IndexKind> chosen = found("--kinds", kinds, IndexKind.values());
        begin();
        Map<String, List<Map<String, Double>>> all = new LinkedHashMap<>();
        for (int round = 1; round <= rounds(); round++) {
            for (IndexKind kind : chosen) {
                Path folder = Files.createTempDirectory(out(), "index");
                IndexPlan plan = new IndexPlan(kind, entries, puts, folder.resolve("store"));
                all.computeIfAbsent(kind.title(), _ -> new ArrayList<>()).add(run("round " + round + " of " + rounds()
                    + ": " + kind.title(), () -> SessionProcess.run(plan, out())).figures());
                RealFolder.delete(folder);
            }
        }
        ReportHead head = new ReportHead(Machine.here(), new LinkedHashSet<>(chosen));
        write("index.txt", head.text() + String.format(Locale.ROOT, "%n%,d entries, %,d puts%n%n", entries, puts)
            + table(all), "index.json", JSON.std.asString(all));
        return 0;
    }

    /** Returns medians of the rounds, one line for each figure. */
    private static String table(Map<String, List<Map<String, Double>>> all) {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%-16s", ""));
        all.keySet().forEach(title -> text.append(String.format(Locale.ROOT, " %24s", title)));
        for (String name : all.values().iterator().next().getFirst().keySet()) {
            text.append(String.format(Locale.ROOT, "%n%-16s", name));
            all.values().forEach(rounds -> {
                double[] sorted = rounds.stream().mapToDouble(figures -> figures.getOrDefault(name, Double.NaN))
                    .sorted().toArray();
                text.append(String.format(Locale.ROOT, " %24.2f", sorted[sorted.length / 2]));
            });
        }
        return text.append(System.lineSeparator()).toString();
    }
}
