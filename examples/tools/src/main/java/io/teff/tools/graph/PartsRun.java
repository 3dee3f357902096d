package io.teff.tools.graph;

import io.teff.graph.cluster.PartedAlgorithms;
import io.teff.graph.cluster.PartedRuns;
import io.teff.graph.kernel.PageRank;
import io.teff.graph.kernel.ParentTree;
import io.teff.tools.console.Figures;
import java.util.Arrays;

/** Runs an algorithm of the command {@code graph parts}, and tells its result in a few words. */
final class PartsRun {
    private final PartedRuns runs;
    private final int rounds;

    PartsRun(PartedRuns runs, int rounds) {
        this.runs = runs;
        this.rounds = rounds;
    }

    String run(PartsCommand.Action action, String argument) {
        return switch (action) {
            case BFS -> search(vertex(argument));
            case PATHS -> paths(vertex(argument));
            case COMPONENTS -> groups("components", PartedAlgorithms.components(runs));
            case COMMUNITIES -> groups("communities", PartedAlgorithms.communities(runs, rounds));
            case PAGERANK -> ranks();
            case CORES -> "the innermost core is the " + Arrays.stream(PartedAlgorithms.cores(runs)).max().orElse(0)
                + "-core";
            case TRIANGLES -> Figures.count(PartedAlgorithms.triangles(runs)) + " triangles";
            case LOAD, INFO, DROP -> throw new AssertionError(action);
        };
    }

    private int vertex(String text) {
        try {
            int vertex = Integer.parseInt(text);
            if (vertex >= 0 && vertex < runs.graph().vertexCount()) {
                return vertex;
            }
        } catch (NumberFormatException _) {
            throw new GraphFailure("vertices of graphs in parts are numbers, not " + text);
        }
        throw new GraphFailure("there is no vertex " + text + "; the vertices are 0 to "
            + (runs.graph().vertexCount() - 1));
    }

    private String search(int root) {
        ParentTree tree = PartedAlgorithms.search(runs, root);
        return Figures.count(tree.reachedCount()) + " vertices in " + (tree.depth() + 1) + " levels";
    }

    private String paths(int source) {
        double[] lengths = PartedAlgorithms.paths(runs, source);
        long reached = Arrays.stream(lengths).filter(length -> length < Double.POSITIVE_INFINITY).count();
        double longest = Arrays.stream(lengths).filter(length -> length < Double.POSITIVE_INFINITY).max().orElse(0);
        return Figures.count(reached) + " vertices, the farthest at " + longest;
    }

    private static String groups(String what, int[] labels) {
        int[] sorted = labels.clone();
        Arrays.sort(sorted);
        int count = 0;
        int largest = 0;
        int start = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == sorted.length - 1 || sorted[i + 1] != sorted[i]) {
                count++;
                largest = Math.max(largest, i + 1 - start);
                start = i + 1;
            }
        }
        return Figures.count(count) + " " + what + ", the largest with " + Figures.count(largest) + " vertices";
    }

    private String ranks() {
        double[] scores = PartedAlgorithms.ranks(runs, rounds, PageRank.DAMPING);
        int best = 0;
        for (int vertex = 0; vertex < scores.length; vertex++) {
            best = scores[vertex] > scores[best] ? vertex : best;
        }
        return scores.length == 0 ? "no vertices" : "vertex " + best + " has the highest score, " + scores[best];
    }
}
