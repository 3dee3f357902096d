package io.teff.test.bench.graph;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.graph.formats.GapGraph;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.kernel.BfsValidation;
import io.teff.graph.kernel.ParentTree;
import io.teff.graph.work.Workers;
import io.teff.test.bench.store.Named;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the graph of one library in this JVM, and writes the figures as JSON. */
@Command(name = "graph-session", hidden = true, description = "Measures one library; started by the comparison.")
public final class GraphSession implements Callable<Integer> {
    private static final int SEED = 27;
    private static final int REPEATS = 5;

    @Option(names = "--kind", required = true)
    private String kind = "";
    @Option(names = "--file", required = true)
    private Path file = Path.of("");
    @Option(names = "--scale", required = true)
    private int scale;
    @Option(names = "--roots", required = true)
    private int roots;
    @Option(names = "--threads", required = true)
    private int threads;
    @Option(names = "--memory", required = true)
    private long memoryBytes;
    @Option(names = "--out", required = true)
    private Path out = Path.of("");

    /** Made by the library of the command line. */
    public GraphSession() {}

    @Override
    public Integer call() throws IOException {
        GraphPlan plan = new GraphPlan(Named.of(GraphKind.values(), kind).orElseThrow(), file, scale, roots, threads,
            memoryBytes);
        FrozenGraph graph = GapGraph.read(file);
        Map<String, Double> figures = new LinkedHashMap<>();
        try (GraphTrial trial = plan.kind().trial(plan); Workers workers = new Workers(threads)) {
            trial.load(graph, figures);
            searches(trial, graph, workers, figures);
            time("components ms", figures, () -> trial.components() >= 0);
            time("10 rounds ms", figures, trial::rank);
        }
        Files.writeString(out, JSON.std.asString(figures));
        return 0;
    }

    /** Searches from all roots to warm up, and from all roots again to measure. */
    private void searches(GraphTrial trial, FrozenGraph graph, Workers workers, Map<String, Double> figures)
        throws IOException {
        int[] chosen = new SplittableRandom(SEED).ints(0, graph.vertexCount()).filter(it -> graph.degree(it) > 0)
            .limit(roots).toArray();
        BfsValidation validation = new BfsValidation(graph, workers);
        double perEdge = 0;
        double perEdgeOfCpu = 0;
        int valid = 0;
        for (int round = 0; round < 2; round++) {
            perEdge = 0;
            perEdgeOfCpu = 0;
            for (int root : chosen) {
                long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                long begin = System.nanoTime();
                ParentTree tree = trial.search(root);
                double ns = System.nanoTime() - begin;
                double cpuNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu;
                if (tree == null) {
                    return;
                }
                BfsValidation.Result result = validation.check(tree).orThrow();
                valid += round;
                perEdge += ns / (result.arcCount() / 2.0) / chosen.length;
                perEdgeOfCpu += cpuNs / (result.arcCount() / 2.0) / chosen.length;
            }
        }
        figures.put("search MTEPS", 1e3 / perEdge);
        figures.put("by CPU time", 1e3 / perEdgeOfCpu);
        figures.put("valid trees", (double) valid);
    }

    /** Work that may be missing in a library. */
    private interface Work {
        boolean run();
    }

    /** Measures the fastest of some runs; libraries that take seconds run once. */
    private static void time(String name, Map<String, Double> figures, Work work) {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < REPEATS && best > 0; i++) {
            long begin = System.nanoTime();
            if (!work.run()) {
                return;
            }
            double ms = (System.nanoTime() - begin) / 1e6;
            best = Math.min(best, ms);
            if (ms > 5e3) {
                break;
            }
        }
        figures.put(name, best);
    }
}
