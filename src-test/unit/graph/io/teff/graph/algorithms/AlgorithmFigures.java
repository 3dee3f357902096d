package io.teff.graph.algorithms;

import io.teff.graph.Adjacency;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.work.Workers;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/**
 * Measures the algorithms on a graph like those of Graph500, in millions of undirected edges per second, as the tables
 * of GAP's benchmark do. Arguments: scale, number of threads, rounds. Run by hand; figures of one run are comparable.
 */
final class AlgorithmFigures {
    private static final int DEGREE = 16;
    private static final double MILLION = 1e6;

    private AlgorithmFigures() {}

    public static void main(String[] arguments) {
        int scale = Integer.parseInt(arguments[0]);
        int threads = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        String only = arguments.length > 3 ? arguments[3] : "";
        ArrayGraph arrays = RandomGraphs.kronecker(1, scale, DEGREE);
        Adjacency graph = frozen(arrays, Boolean.getBoolean("frozen"));
        double edges = graph.arcCount() / 2.0;
        int[] roots = new SplittableRandom(7).ints(1000, 0, graph.vertexCount())
            .filter(vertex -> graph.degree(vertex) > 0).limit(100).toArray();
        System.out.printf(Locale.ROOT, "scale %d, %.0f edges, %d threads%n", scale, edges, threads);
        try (Workers workers = new Workers(threads)) {
            Team team = new Team(workers);
            measure(only, "sssp", edges, rounds, i -> ShortestPaths.lengths(graph, team, roots[i]));
            for (double delta = 1; delta <= 64; delta *= 2) {
                double width = delta;
                measure(only, "sssp-delta-" + delta, edges, rounds,
                    i -> ShortestPaths.lengths(graph, team, roots[i], width));
            }
            measure(only, "betweenness", edges, rounds, i -> Betweenness.ofRoots(graph, team,
                Arrays.copyOfRange(roots, i * threads, (i + 1) * threads)));
            measure(only, "triangles", edges, rounds, i -> Triangles.count(graph, team));
            measure(only, "clustering", edges, rounds, i -> Clustering.coefficients(graph, team));
            measure(only, "cores", edges, rounds, i -> Cores.numbers(graph, team));
            measure(only, "communities", edges, rounds, i -> Communities.labels(graph, team, 1));
            measure(only, "components", edges, rounds, i -> StrongComponents.of(graph, team));
            ArrayGraph grid = RandomGraphs.grid(1, 1 << scale / 2);
            measure(only, "sssp-grid", grid.arcCount() / 2.0, rounds, i -> ShortestPaths.lengths(grid, team, i));
        }
    }

    private static Adjacency frozen(ArrayGraph arrays, boolean isFrozen) {
        try (Workers workers = new Workers(1)) {
            return isFrozen ? FrozenGraph.of(arrays, workers) : arrays;
        }
    }

    private static void measure(String only, String name, double edges, int rounds, IntConsumer round) {
        if (!name.startsWith(only)) {
            return;
        }
        double[] seconds = new double[rounds];
        for (int i = -1; i < rounds; i++) {
            long start = System.nanoTime();
            round.accept(Math.max(0, i));
            if (i >= 0) {
                seconds[i] = (System.nanoTime() - start) / 1e9;
            }
        }
        Arrays.sort(seconds);
        double median = seconds[rounds / 2];
        System.out.printf(Locale.ROOT, "%-16s median %8.4f s, best %8.4f s, %8.2f MTEPS (best %.2f)%n", name, median,
            seconds[0], edges / median / MILLION, edges / seconds[0] / MILLION);
    }
}
