package io.teff.graph.cluster;

import io.teff.graph.kernel.ParentTree;
import java.util.Objects;

/**
 * Algorithms on parted graphs. Each has the result of the algorithm of one machine; sums of doubles may differ in their
 * last bits.
 */
public final class PartedAlgorithms {
    /** More supersteps than any graph of 2^31 vertices needs. */
    private static final int SUPERSTEPS_MAX = Integer.MAX_VALUE;
    /** Bytes of messages that a slice of the triangles shall have for a worker. */
    private static final long SLICE_BYTES = 16L << 20;
    /** Bytes of a member of a list, for the number of slices. */
    private static final int MEMBER_BYTES = 3;
    private static final int RECEIVERS_MAX = 8;

    private PartedAlgorithms() {}

    /**
     * Searches breadth-first. The parent of a vertex is its smallest neighbour of the level before.
     *
     * @param runs of the graph
     * @param root where the search begins
     * @return the tree
     */
    public static ParentTree search(PartedRuns runs, int root) {
        Objects.checkIndex(root, runs.graph().vertexCount());
        int[] parents = runs.run(SearchProgram.NAME, SearchProgram.settings(root), SUPERSTEPS_MAX)
            .ints(SearchProgram.PARENT_OFFSET);
        for (int vertex = 0; vertex < parents.length; vertex++) {
            parents[vertex]--;
        }
        return new ParentTree(root, parents);
    }

    /**
     * Finds the connected components of a graph without direction.
     *
     * @param runs of the graph
     * @return smallest vertex of the component of each vertex
     * @throws IllegalArgumentException if the graph is directed
     */
    public static int[] components(PartedRuns runs) {
        checkUndirected(runs);
        return runs.run(ComponentProgram.NAME, new byte[0], SUPERSTEPS_MAX).ints(ComponentProgram.SMALLEST_OFFSET);
    }

    /**
     * Computes PageRank by the definition of LDBC Graphalytics.
     *
     * @param runs of the graph
     * @param rounds number of rounds
     * @param damping probability that a walk follows an arc, 0 to 1
     * @return score of each vertex
     */
    public static double[] ranks(PartedRuns runs, int rounds, double damping) {
        if (rounds < 0 || !(damping >= 0 && damping <= 1)) {
            throw new IllegalArgumentException("rounds=" + rounds + " damping=" + damping);
        }
        return runs.run(RankProgram.NAME, new RankProgram(rounds, damping).settings(), SUPERSTEPS_MAX)
            .doubles(RankProgram.SCORE_OFFSET);
    }

    /**
     * Computes the lengths of the shortest paths from a vertex.
     *
     * @param runs of the graph
     * @param source where all paths begin
     * @return length of the shortest path to each vertex, infinite without a path
     * @throws io.teff.engine.compute.JobException of the reason FAILED if a path meets a weight below 0 or one that is
     *     no finite number
     */
    public static double[] paths(PartedRuns runs, int source) {
        Objects.checkIndex(source, runs.graph().vertexCount());
        return runs.run(PathProgram.NAME, PathProgram.settings(source), SUPERSTEPS_MAX)
            .doubles(PathProgram.LENGTH_OFFSET);
    }

    /**
     * Computes the core numbers of a simple graph without direction.
     *
     * @param runs of the graph
     * @return core number of each vertex
     * @throws IllegalArgumentException if the graph is directed
     */
    public static int[] cores(PartedRuns runs) {
        checkUndirected(runs);
        return runs.run(CoreProgram.NAME, new byte[0], SUPERSTEPS_MAX).ints(CoreProgram.CORE_OFFSET);
    }

    /**
     * Finds communities by label propagation, as LDBC Graphalytics defines it, in a graph without direction.
     *
     * @param runs of the graph
     * @param rounds number of rounds
     * @return label of each vertex
     * @throws IllegalArgumentException if the graph is directed
     */
    public static int[] communities(PartedRuns runs, int rounds) {
        checkUndirected(runs);
        if (rounds < 0) {
            throw new IllegalArgumentException("rounds=" + rounds);
        }
        return runs.run(LabelProgram.NAME, new LabelProgram(rounds).settings(), SUPERSTEPS_MAX)
            .ints(LabelProgram.LABEL_OFFSET);
    }

    /**
     * Counts the triangles of a simple graph without direction.
     *
     * @param runs of the graph
     * @return number of triangles
     * @throws IllegalArgumentException if the graph is directed
     */
    public static long triangles(PartedRuns runs) {
        checkUndirected(runs);
        long workers = runs.workers();
        long bytes = runs.graph().arcCount() / 2 * MEMBER_BYTES * Math.min(RECEIVERS_MAX, workers);
        return runs.triangles(Math.toIntExact(1 + bytes / (SLICE_BYTES * workers)));
    }

    private static void checkUndirected(PartedRuns runs) {
        if (runs.graph().directed()) {
            throw new IllegalArgumentException("graph " + runs.graph().name()
                + " has directions; load the graph without directions");
        }
    }
}
