package io.teff.test.bench.cache;

import io.teff.test.bench.report.CommandSupport;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.ReportHead;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code bench cache} command: a cache of Teff beside Caffeine and beside a map without expiry. */
@Command(
    name = "cache",
    description = {
        "Compares the hit rates of a cache with a limit with those of Caffeine on loads of several shapes.",
        "Then compares memory per entry, gets and puts of a cache with a map without expiry, and gets and puts with "
            + "Caffeine's. Memory includes the tables of the eviction on the heap."},
    sortOptions = false)
public final class CacheReport implements Callable<Integer> {
    private static final int KEYS_PER_ENTRY = 60;
    private static final List<String> KINDS = List.of("map", "expiry", "limit", "expiry and limit");
    private static final List<String> OPERATIONS = List.of("get of a map", "put of a map", "get with expiry",
        "put with expiry", "get with a limit", "put with a limit", "get of Caffeine", "put of Caffeine");

    @Option(names = "--entries", paramLabel = "N", defaultValue = "10000",
        description = "Limit of the caches; a load has 60 times as many keys (default: ${DEFAULT-VALUE}).")
    private int entries;

    @Option(names = "--seeds", paramLabel = "N", defaultValue = "1",
        description = "Loads of each shape (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(names = "--memory-entries", paramLabel = "N", defaultValue = "1000000",
        description = "Entries for memory and speed; 0 leaves both out (default: ${DEFAULT-VALUE}).")
    private int memoryEntries;

    @Option(names = "--measure-ms", paramLabel = "MS", defaultValue = "1000",
        description = "Time of each measurement of speed, after as long a warm-up; 0 leaves it out (default: "
            + "${DEFAULT-VALUE}).")
    private int measureMs;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // read by the library
    private boolean helpRequested;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final StringBuilder text = new StringBuilder();
    private final Map<String, Object> all = new LinkedHashMap<>();

    /** Made by the library of the command line. */
    public CacheReport() {}

    @Override
    public Integer call() throws IOException {
        CommandSupport.check(spec, entries >= 100 && seeds >= 1, "--entries=" + entries + " must be at least 100, and "
            + "--seeds=" + seeds + " at least 1");
        CommandSupport.check(spec, memoryEntries >= 0 && measureMs >= 0, "--memory-entries=" + memoryEntries
            + " and --measure-ms=" + measureMs + " must not be negative");
        ReportHead head = new ReportHead(Machine.here());
        add("%s%nhits per hundred keys, limit of %d entries%n%n%-16s %10s %10s %10s%n", head.text(), entries, "",
            "Teff", "Caffeine", "difference");
        for (LoadKind kind : LoadKind.values()) {
            for (int seed = 1; seed <= seeds; seed++) {
                hits(kind, seed);
            }
        }
        if (memoryEntries > 0) {
            add("%nbytes per entry, %d entries of a number and 32 bytes%n%n", memoryEntries);
            figures("memory", KINDS, CacheTrial.memory(memoryEntries), 1);
            if (measureMs > 0) {
                add("%nnanoseconds, one thread, random keys%n%n");
                figures("speed", OPERATIONS, CacheTrial.speed(memoryEntries, measureMs), 2);
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? head.json(all) + System.lineSeparator() : text.toString());
        out.flush();
        return 0;
    }

    private void add(String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments));
    }

    private void hits(LoadKind kind, int seed) {
        String name = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        CommandSupport.progress(spec, "%s, load %d of %d%n", name, seed, seeds);
        long[] keys = kind.keys(entries, entries * KEYS_PER_ENTRY, seed);
        double teff = CacheTrial.teffHits(keys, entries);
        double caffeine = CacheTrial.caffeineHits(keys, entries);
        add("%-16s %10.1f %10.1f %+10.1f%n", name, teff, caffeine, teff - caffeine);
        all.put("hits " + name + " " + seed, List.of(teff, caffeine));
    }

    /** Adds figures with their ratio to the figure of the map; {@code group} figures belong to one kind. */
    private void figures(String title, List<String> names, double[] figures, int group) {
        List<Double> list = new ArrayList<>();
        for (int i = 0; i < figures.length; i++) {
            add("%-20s %10.1f %9.2fx%n", names.get(i), figures[i], figures[i] / figures[i % group]);
            list.add(figures[i]);
        }
        all.put(title, list);
    }
}
