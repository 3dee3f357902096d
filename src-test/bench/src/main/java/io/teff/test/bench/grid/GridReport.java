package io.teff.test.bench.grid;

import io.teff.test.bench.process.Folders;
import io.teff.test.bench.process.ProcessFigures;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.RoundsCommand;
import io.teff.test.bench.session.SessionProcess;
import io.teff.test.bench.session.SessionProcess.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench grid} command: runs Teff's cluster, Hazelcast and Ignite one after the other, in rounds. */
@Command(
    name = "grid",
    description = {
        "Compares a Teff cluster with Hazelcast and Ignite: rates, latencies and processor time of operations on "
            + "random keys, memory per entry, and the time after the kill of a node.",
        "Each system has the same number of nodes with data, each in a process on this machine, and one client "
            + "process. The systems run one after the other. Teff has three superpeers and keeps backups in logs on "
            + "disk; the others keep backups in memory. Results are the medians of the rounds; grid.txt and grid.json "
            + "are written to a folder."},
    sortOptions = false)
public final class GridReport extends RoundsCommand {
    private static final int ENTRIES_MIN = 1_000;
    private static final int BYTES_MAX = 1_024;
    private static final int THREADS_MAX = 256;
    private static final int NODES_MIN = 2;
    private static final int NODES_MAX = 8;
    private static final int BACKUPS_MAX = 4;
    private static final int MEMORY_MIN = 64;
    private static final int IDLE_S = 10;
    private static final int BUSY_S = 2;

    @Option(names = "--systems", paramLabel = "PATTERN", defaultValue = "",
        description = "Systems: those in whose name a regular expression is found (default: all of teff, teff-map, "
            + "hazelcast, ignite, ignite-thin).")
    private String systems = "";

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "4",
        description = "Nodes with data, 2 to 8 (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(names = "--backups", paramLabel = "N", defaultValue = "1",
        description = "Copies of each entry beside the copy of its owner, 1 to 4 and fewer than nodes (default: "
            + "${DEFAULT-VALUE}).")
    private int backups;

    @Option(names = "--entries", paramLabel = "N", defaultValue = "1000000",
        description = "Number of entries (default: ${DEFAULT-VALUE}).")
    private int entries;

    @Option(names = "--bytes", paramLabel = "N", defaultValue = "64",
        description = "Length of a value, 16 to 1,024 (default: ${DEFAULT-VALUE}).")
    private int bytes;

    @Option(names = "--threads", split = ",", paramLabel = "N", defaultValue = "1,16",
        description = "Numbers of threads that call (default: ${DEFAULT-VALUE}).")
    private List<Integer> threads = List.of();

    @Option(names = "--measure-ms", paramLabel = "MS", defaultValue = "4000",
        description = "Time of each measurement, after as long a warm-up (default: ${DEFAULT-VALUE}).")
    private int measureMs;

    @Option(names = "--memory-mib", paramLabel = "N", defaultValue = "1024",
        description = "Most memory for entries of each node in MiB, on top of 192 MiB of heap (default: "
            + "${DEFAULT-VALUE}).")
    private int memoryMiB;

    @Option(names = "--no-kill", description = "Kill no node at the end.")
    private boolean isWithoutKill;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "17600",
        description = "First of 300 ports (default: ${DEFAULT-VALUE}).")
    private int port;

    /** Made by the library of the command line. */
    public GridReport() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        check(nodes >= NODES_MIN && nodes <= NODES_MAX, "--nodes=" + nodes + " is not in 2 to 8");
        check(backups >= 1 && backups <= BACKUPS_MAX && backups < nodes, "--backups=" + backups
            + " is not in 1 to 4, or there are not more nodes");
        checkLeast("--entries", entries, ENTRIES_MIN);
        check(bytes >= GridValues.BYTES_MIN && bytes <= BYTES_MAX, "--bytes=" + bytes + " is not in 16 to 1,024");
        threads.forEach(it -> check(it >= 1 && it <= THREADS_MAX, "--threads=" + it + " is not in 1 to "
            + THREADS_MAX));
        checkLeast("--measure-ms", measureMs, 1);
        checkLeast("--memory-mib", memoryMiB, MEMORY_MIN);
        List<GridKind> chosen = found("--systems", systems, GridKind.values());
        begin();
        GridFigures figures = new GridFigures(threads, rounds(), String.format(Locale.ROOT,
            "%d nodes, %d backups, %,d entries of %d B, memory of a node for entries %d MiB; heap of a node %d MiB, of "
                + "Hazelcast %d MiB", nodes, backups, entries, bytes, memoryMiB, GridPlan.HEAP_MIB,
            GridPlan.HEAP_MIB + memoryMiB));
        for (int round = 1; round <= rounds(); round++) {
            for (GridKind kind : chosen) {
                figures.add(kind, run(String.format(Locale.ROOT, "round %d of %d: %s", round, rounds(), kind.title()),
                    () -> measure(kind)));
            }
        }
        Machine machine = Machine.here();
        write("grid.txt", figures.table(machine), "grid.json", figures.json(machine));
        return figures.isComplete() ? 0 : 1;
    }

    private Outcome measure(GridKind kind) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(out().toAbsolutePath(), "grid-");
        GridPlan plan = new GridPlan(kind, nodes, backups, memoryMiB, entries, bytes, threads, measureMs,
            !isWithoutKill, port, folder.resolve(kind.id()));
        Map<String, Double> figures = new LinkedHashMap<>();
        Outcome outcome;
        figures.put(GridFigures.BUSY, ProcessFigures.busyPercent(BUSY_S));
        long begun = System.nanoTime();
        try (GridServers servers = kind.isTeff() ? new TeffServers(plan) : new JvmServers(plan)) {
            figures.put("start s", (System.nanoTime() - begun) / 1e9);
            figures.put("idle %", ProcessFigures.idlePercent(servers.processes(), IDLE_S).values().stream()
                .mapToDouble(it -> it).sum());
            outcome = SessionProcess.run(plan.session(List.copyOf(servers.processes().values()),
                isWithoutKill ? 0 : servers.victim()), out());
        } catch (IOException e) {
            return new Outcome(Map.of(), "has failed: " + e.getMessage());
        }
        Folders.delete(folder);
        figures.putAll(outcome.figures());
        return new Outcome(figures, outcome.failure());
    }
}
