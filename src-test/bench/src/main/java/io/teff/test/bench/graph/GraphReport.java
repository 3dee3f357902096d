package io.teff.test.bench.graph;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.graph.formats.GapGraph;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import io.teff.test.bench.report.CommandSupport;
import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.ReportHead;
import io.teff.test.bench.report.RoundsCommand;
import io.teff.test.bench.session.SessionProcess.Outcome;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code bench graph} command: searches, components and ranks of several libraries on one graph. */
@Command(
    name = "graph",
    description = {
        "Compares graphs of Teff with GAP, WebGraph and JGraphT on the same file: breadth-first search, components, "
            + "PageRank, bytes per edge, load.",
        "Each round starts one JVM per library. Rates of searches are harmonic means over all roots; each tree is "
            + "checked by the rules of Graph500.",
        "With --cluster, the graph is in parts on four peers in processes. Each algorithm runs over arrays, as a "
            + "program of vertices on one machine, and as the same program in the cluster, in each round. The table "
            + "has messages and bytes of messages for each edge; graph-cluster.txt and graph-cluster.json are "
            + "written."},
    sortOptions = false)
public final class GraphReport extends RoundsCommand {
    private static final long GIBIBYTE = 1L << 30;
    private static final int SCALE_MAX = 26;

    @Option(names = "--kinds", paramLabel = "PATTERN", defaultValue = ".",
        description = "Libraries: frozen, store, packed, webgraph, jgrapht; a regular expression (default: all).")
    private String kinds = ".";

    @Option(names = "--file", paramLabel = "FILE.sg",
        description = "Graph without direction in the format of GAP (default: a Kronecker graph is made).")
    private @Nullable Path file;

    @Option(names = "--scale", paramLabel = "N", defaultValue = "18",
        description = "Scale of the Kronecker graph: 2^N vertices, 16 times as many edges (default: ${DEFAULT-VALUE}).")
    private int scale;

    @Option(names = "--roots", paramLabel = "N", defaultValue = "64",
        description = "Searches (default: ${DEFAULT-VALUE}).")
    private int roots;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "1",
        description = "Threads of the libraries that can use several (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--memory", paramLabel = "GIB", defaultValue = "4",
        description = "Memory of each process; with --cluster, of all peers together for chunks, and as much for their "
            + "heaps (default: ${DEFAULT-VALUE}).")
    private int memory;

    @Option(names = "--gap", paramLabel = "COMMAND",
        description = "Command of GAP's search, as in \"PATH/bfs -f {file} -n 64\"; {file} becomes the graph.")
    private @Nullable String gap;

    @Option(names = "--cluster", description = "Measure graphs in parts on a cluster of processes instead.")
    private boolean isCluster;

    @Option(names = "--algorithms", paramLabel = "PATTERN", defaultValue = ".",
        description = "Algorithms of the cluster: bfs, components, pagerank, paths, communities, cores, triangles; a "
            + "regular expression (default: all).")
    private String algorithms = ".";

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "17600",
        description = "First port of the cluster (default: ${DEFAULT-VALUE}).")
    private int port;

    /** Made by the library of the command line. */
    public GraphReport() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        check(scale >= 1 && scale <= SCALE_MAX, "--scale=" + scale + " is not in 1 to " + SCALE_MAX);
        checkLeast("--roots", roots, 1);
        checkLeast("--threads", threads, 1);
        checkLeast("--memory", memory, 1);
        if (isCluster) {
            return measureCluster();
        }
        List<GraphKind> chosen = found("--kinds", kinds, GraphKind.values());
        begin();
        Path graph = file != null ? file : make();
        long edges = GapGraph.read(graph).arcCount() / 2;
        Map<String, List<Map<String, Double>>> all = new LinkedHashMap<>();
        for (int round = 1; round <= rounds(); round++) {
            if (gap != null) {
                CommandSupport.progress(spec(), "round %d of %d: GAP%n", round, rounds());
                all.computeIfAbsent("GAP", key -> new ArrayList<>()).add(new GapProgram(gap).run(graph, edges,
                    threads));
            }
            for (GraphKind kind : chosen) {
                GraphPlan plan = new GraphPlan(kind, graph, file == null ? scale : 0, roots, threads,
                    memory * GIBIBYTE);
                Outcome outcome = run("round " + round + " of " + rounds() + ": " + kind.title(),
                    () -> SessionProcess.run(plan, out()));
                all.computeIfAbsent(kind.title(), key -> new ArrayList<>()).add(outcome.figures());
            }
        }
        ReportHead head = new ReportHead(Machine.here(), new LinkedHashSet<>(chosen));
        write("graph.txt", head.text() + String.format(Locale.ROOT, "%n%d edges, %d roots, threads: %d%n%n", edges,
            roots, threads) + table(all), "graph.json", JSON.std.asString(all));
        return 0;
    }

    private int measureCluster() throws IOException, InterruptedException {
        check(file == null && gap == null, "--cluster makes a Kronecker graph of --scale");
        List<PartsAlgorithm> chosen = found("--algorithms", algorithms, PartsAlgorithm.values());
        begin();
        PartsRun run = new PartsRun(scale, memory * GIBIBYTE, port, what -> CommandSupport.progress(spec(), "%s%n",
            what));
        PartsFigures figures = run.measure(chosen, rounds(), out());
        Machine machine = Machine.here();
        write("graph-cluster.txt", figures.table(machine), "graph-cluster.json", figures.json(machine));
        return figures.isRight() ? 0 : 1;
    }

    private Path make() throws IOException {
        Path made = out().resolve("kronecker-" + scale + ".sg");
        if (!Files.exists(made)) {
            CommandSupport.progress(spec(), "making %s%n", made);
            try (Workers workers = new Workers(threads)) {
                FrozenGraph graph = FrozenGraph.load(new Kronecker(scale), LoadOptions.DEFAULT, workers,
                    WorkWatch.NONE);
                GapGraph.write(graph, made);
            }
        }
        return made;
    }

    /** Returns medians of the rounds, one line for each library. */
    private static String table(Map<String, List<Map<String, Double>>> all) {
        Set<String> names = new LinkedHashSet<>();
        all.values().forEach(rounds -> rounds.forEach(figures -> names.addAll(figures.keySet())));
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%-26s", ""));
        names.forEach(name -> text.append(String.format(Locale.ROOT, " %15s", name)));
        all.forEach((title, rounds) -> {
            text.append(String.format(Locale.ROOT, "%n%-26s", title));
            for (String name : names) {
                double[] sorted = rounds.stream().filter(it -> it.containsKey(name)).mapToDouble(it -> it.get(name))
                    .sorted().toArray();
                text.append(sorted.length == 0 ? String.format(Locale.ROOT, " %15s", "")
                    : String.format(Locale.ROOT, " %15.2f", sorted[sorted.length / 2]));
            }
        });
        return text.append(System.lineSeparator()).toString();
    }
}
