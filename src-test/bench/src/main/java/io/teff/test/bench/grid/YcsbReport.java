package io.teff.test.bench.grid;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.bridge.ycsb.YcsbRun;
import io.teff.test.bench.process.Folders;
import io.teff.test.bench.report.RoundsCommand;
import io.teff.test.bench.session.ProcessPlan;
import io.teff.test.bench.session.SessionProcess;
import io.teff.test.bench.session.SessionProcess.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench ycsb} command: the workloads of YCSB with data integrity, on Teff and other systems. */
@Command(
    name = "ycsb",
    description = {
        "Runs the workloads A to F of YCSB with data integrity on stores, clusters, Hazelcast and Ignite.",
        "Each workload has servers of its own where the system has servers, and one client process. Every field that "
            + "is read is compared with the value that its key and name determine. Workload E, which has scans, runs "
            + "on systems with an order. ycsb.txt, ycsb.json and YCSB's texts are written to a folder."},
    sortOptions = false)
public final class YcsbReport extends RoundsCommand {
    private static final int THREADS_MAX = 256;
    private static final int NODES_MAX = 8;
    private static final int MEMORY_MIB = 1_024;
    private static final int FIELDS = 10;

    @Option(names = "--systems", paramLabel = "PATTERN", defaultValue = "",
        description = "Systems: those in whose name a regular expression is found (default: all of local, durable, "
            + "cluster, hazelcast, ignite).")
    private String systems = "";

    @Option(names = "--workloads", split = ",", paramLabel = "NAME", defaultValue = "a,b,c,d,e,f",
        description = "Workloads (default: ${DEFAULT-VALUE}).")
    private List<String> workloads = List.of();

    @Option(names = "--records", paramLabel = "N", defaultValue = "100000",
        description = "Records, of ten fields of 100 bytes (default: ${DEFAULT-VALUE}).")
    private int records;

    @Option(names = "--operations", paramLabel = "N", defaultValue = "100000",
        description = "Operations of a workload (default: ${DEFAULT-VALUE}).")
    private int operations;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "8",
        description = "Threads that call, 1 to 256 (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "3",
        description = "Nodes with data, 2 to 8 (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "17600",
        description = "First of 300 ports (default: ${DEFAULT-VALUE}).")
    private int port;

    /** Made by the library of the command line. */
    public YcsbReport() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        workloads.forEach(name -> check(YcsbRun.WORKLOADS.contains(name), "--workloads=" + name + " is none of "
            + YcsbRun.WORKLOADS));
        checkLeast("--records", records, 1);
        checkLeast("--operations", operations, 1);
        check(threads >= 1 && threads <= THREADS_MAX, "--threads=" + threads + " is not in 1 to " + THREADS_MAX);
        check(nodes >= 2 && nodes <= NODES_MAX, "--nodes=" + nodes + " is not in 2 to " + NODES_MAX);
        List<YcsbKind> chosen = found("--systems", systems, YcsbKind.values());
        begin();
        StringBuilder table = new StringBuilder(String.format(Locale.ROOT, "YCSB: %,d records of %d fields of 100 B, "
            + "%,d operations, %d threads, %d nodes%n", records, FIELDS, operations, threads, nodes));
        Map<String, Object> all = new LinkedHashMap<>();
        boolean isRight = true;
        for (int round = 1; round <= rounds(); round++) {
            for (YcsbKind kind : chosen) {
                for (String workload : workloads) {
                    if (workload.equals("e") && !kind.hasOrder()) {
                        continue;
                    }
                    String name = "round " + round + " of " + rounds() + ", " + kind.id() + ", workload " + workload;
                    Outcome outcome = run(name, () -> measure(kind, workload));
                    isRight &= outcome.failure() == null && outcome.figures().get("failed") == 0;
                    table.append(line(name, outcome));
                    all.put(name, outcome.failure() == null ? outcome.figures() : outcome.failure());
                }
            }
        }
        write("ycsb.txt", table.toString(), "ycsb.json", JSON.std.asString(all));
        return isRight ? 0 : 1;
    }

    private static String line(String name, Outcome outcome) {
        if (outcome.failure() != null) {
            return name + ": " + outcome.failure() + '\n';
        }
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%s: %,.0f operations, %,.0f verified, "
            + "%,.0f failed", name, outcome.figures().get("done"), outcome.figures().get("verified"),
            outcome.figures().get("failed")));
        outcome.figures().forEach((figure, value) -> {
            if (figure.endsWith(" AverageLatency(us)") && !figure.startsWith("CLEANUP")) {
                line.append(String.format(Locale.ROOT, ", %s %.1f us", figure.substring(0, figure.indexOf(' '))
                    .toLowerCase(Locale.ROOT), value));
            }
        });
        return line.append('\n').toString();
    }

    private Outcome measure(YcsbKind kind, String workload) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(out().toAbsolutePath(), "ycsb-");
        try (GridServers _ = servers(kind, folder.resolve("nodes"))) {
            return SessionProcess.run(plan(kind, workload, folder.resolve("nodes")), out());
        } catch (IOException e) {
            return new Outcome(Map.of(), "has failed: " + e.getMessage());
        } finally {
            Folders.delete(folder);
        }
    }

    private @Nullable GridServers servers(YcsbKind kind, Path folder) throws IOException, InterruptedException {
        GridKind of = kind.servers();
        if (of == null) {
            return null;
        }
        GridPlan plan = new GridPlan(of, nodes, 1, MEMORY_MIB, records, FIELDS, List.of(threads), 1, false, port,
            folder);
        return of.isTeff() ? new TeffServers(plan) : new JvmServers(plan);
    }

    private ProcessPlan plan(YcsbKind kind, String workload, Path folder) {
        return new ProcessPlan() {
            @Override
            public YcsbKind kind() {
                return kind;
            }

            @Override
            public List<String> arguments() {
                return List.of("ycsb-session", "--system", kind.id(), "--workload", workload, "--records", ""
                    + records, "--operations", "" + operations, "--threads", "" + threads, "--nodes", "" + nodes,
                    "--port", "" + port, "--folder", folder.toString());
            }

            @Override
            public String logName() {
                return "ycsb-" + kind.id() + '-' + workload;
            }
        };
    }
}
