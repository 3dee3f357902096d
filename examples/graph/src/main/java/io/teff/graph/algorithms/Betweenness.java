package io.teff.graph.algorithms;

import io.teff.graph.Adjacency;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Betweenness of vertices: the sum over pairs of other vertices of the part of their shortest paths that lead through
 * the vertex. Weights do not count, loops do not count, and repeated arcs are several paths. Pairs are ordered in a
 * directed graph, and are not in an undirected graph.
 *
 * <p>Each root costs a search over the graph forward, and one backward, O(m). All roots give the exact result; a sample
 * of k roots gives an estimate whose error falls with the root of k. Threads take roots at the same time. The parts of
 * roots are added in the order of the roots, so the result does not depend on the threads, bit by bit. Memory 32 bytes
 * for each vertex and thread, and 8 for each vertex.
 *
 * <p>U. Brandes, "A faster algorithm for betweenness centrality", Journal of Mathematical Sociology 2001; U. Brandes
 * and C. Pich, "Centrality estimation in large networks", 2007.
 */
public final class Betweenness {
    private Betweenness() {}

    /**
     * Exact betweenness of all vertices: O(n m).
     *
     * @param graph undirected, or directed with its reverse
     * @param team the threads
     * @return one for each vertex
     */
    public static double[] exact(Adjacency graph, Team team) {
        return scaled(graph, ofRoots(graph, team, first(graph.vertexCount(), graph.vertexCount(), 0)), 1);
    }

    /**
     * Estimates the betweenness of all vertices from some roots.
     *
     * @param graph undirected, or directed with its reverse
     * @param team the threads
     * @param rootCount number of different roots, at least 1; exact from the number of vertices on
     * @param seed chooses the roots
     * @return one for each vertex, for all pairs
     */
    public static double[] sampled(Adjacency graph, Team team, int rootCount, long seed) {
        if (rootCount < 1) {
            throw new IllegalArgumentException("rootCount=" + rootCount + ", not at least 1");
        }
        int vertexCount = graph.vertexCount();
        int count = Math.min(rootCount, vertexCount);
        double[] sums = ofRoots(graph, team, first(vertexCount, count, seed));
        return scaled(graph, sums, count == 0 ? 1 : (double) vertexCount / count);
    }

    /**
     * The parts of some roots: the sum over the roots and all targets, each pair in this direction.
     *
     * @param graph undirected, or directed with its reverse
     * @param team the threads
     * @param roots numbers of vertices
     * @return one for each vertex
     * @throws ArithmeticException if there are more shortest paths than a double can count
     */
    public static double[] ofRoots(Adjacency graph, Team team, int[] roots) {
        for (int root : roots) {
            Objects.checkIndex(root, graph.vertexCount());
        }
        double[] sums = new double[graph.vertexCount()];
        BrandesSearch[] searches = team.each(BrandesSearch[]::new, worker -> new BrandesSearch(graph));
        for (int first = 0; first < roots.length; first += searches.length) {
            int begin = first;
            int count = Math.min(searches.length, roots.length - first);
            team.report("betweenness", first, roots.length);
            team.forEach(count, 1, (from, to, worker) -> {
                for (int i = from; i < to; i++) {
                    searches[i].run(roots[begin + i]);
                }
            });
            for (int i = 0; i < count; i++) {
                searches[i].addTo(sums);
            }
        }
        return sums;
    }

    private static double[] scaled(Adjacency graph, double[] sums, double factor) {
        double all = graph.directed() ? factor : factor / 2;
        for (int i = 0; i < sums.length; i++) {
            sums[i] *= all;
        }
        return sums;
    }

    /** Some different numbers below a bound in random order; all of them in order if count is the bound. */
    private static int[] first(int bound, int count, long seed) {
        int[] numbers = new int[bound];
        for (int i = 0; i < bound; i++) {
            numbers[i] = i;
        }
        if (count == bound) {
            return numbers;
        }
        SplittableRandom random = new SplittableRandom(seed);
        int[] chosen = new int[count];
        for (int i = 0; i < count; i++) {
            int other = random.nextInt(i, bound);
            chosen[i] = numbers[other];
            numbers[other] = numbers[i];
        }
        return chosen;
    }
}
