package io.teff.test.bench.cluster;

import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.RoundsCommand;
import io.teff.test.bench.session.SessionProcess;
import io.teff.test.bench.session.SessionProcess.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench cluster} command: runs {@link ClusterTrial}s in rounds. */
@Command(
    name = "cluster",
    description = {
        "Compares operations of a cluster's client with plain requests over the same transport: latency and "
            + "throughput, processor time and allocation.",
        "Each round starts one JVM per number of threads, which has the client and the peers. Results are the medians "
            + "of the rounds; cluster.txt and cluster.json are written to a folder."},
    sortOptions = false)
public final class ClusterReport extends RoundsCommand {
    private static final int BYTES_MAX = 1024;
    private static final int THREADS_MAX = 256;

    @Option(names = "--kinds", paramLabel = "PATTERN", defaultValue = "",
        description = "Ways to reach peers: those in whose name a regular expression is found (default: all).")
    private String kinds = "";

    @Option(names = "--threads", split = ",", paramLabel = "N", defaultValue = "1,16",
        description = "Numbers of threads that call (default: ${DEFAULT-VALUE}).")
    private List<Integer> threads = List.of();

    @Option(names = "--bytes", paramLabel = "N", defaultValue = "64",
        description = "Length of a chunk, 1 to 1,024 (default: ${DEFAULT-VALUE}).")
    private int bytes;

    @Option(names = "--measure-ms", paramLabel = "MS", defaultValue = "2000",
        description = "Time of each measurement, after as long a warm-up (default: ${DEFAULT-VALUE}).")
    private int measureMs;

    /** Made by the library of the command line. */
    public ClusterReport() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        threads.forEach(it -> check(it >= 1 && it <= THREADS_MAX, "--threads=" + it + " is not in 1 to "
            + THREADS_MAX));
        check(bytes >= 1 && bytes <= BYTES_MAX, "--bytes=" + bytes + " is not in 1 to " + BYTES_MAX);
        checkLeast("--measure-ms", measureMs, 1);
        List<ClusterKind> chosen = withoutMissing(found("--kinds", kinds, ClusterKind.values()),
            ClusterKind::isOverUcx);
        begin();
        ClusterFigures figures = new ClusterFigures(threads, bytes, rounds());
        for (int round = 1; round <= rounds(); round++) {
            for (ClusterKind kind : chosen) {
                List<Outcome> outcomes = new ArrayList<>();
                for (int count : threads) {
                    outcomes.add(run(String.format(Locale.ROOT, "round %d of %d: %d threads, %s", round, rounds(),
                        count, kind.id()), () -> SessionProcess.run(new ClusterPlan(kind, count, bytes, measureMs),
                        out())));
                }
                figures.add(kind, Outcome.joined(outcomes));
            }
        }
        Machine machine = Machine.here();
        write("cluster.txt", figures.table(machine), "cluster.json", figures.json(machine));
        return figures.isComplete() ? 0 : 1;
    }
}
