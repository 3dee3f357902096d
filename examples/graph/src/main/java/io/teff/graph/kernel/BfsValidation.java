package io.teff.graph.kernel;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import io.teff.graph.work.Workers;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * Checks the result of a breadth-first search by the five rules of Graph500, from the graph alone.
 *
 * <ol>
 * <li>The parents form a tree: no circles, and the root is its own parent.
 * <li>A vertex is one level below its parent.
 * <li>The levels of both ends of an edge differ by at most one. (The head of an arc is at most one level below its
 * tail.)
 * <li>The tree has all vertices that an edge connects with a vertex of the tree.
 * <li>A vertex and its parent have an edge.
 * </ol>
 */
public final class BfsValidation {
    /** Most violations of a result. */
    public static final int VIOLATIONS_MAX = 10;

    private static final int GRAIN = 1 << 10;

    private final Adjacency graph;
    private final Workers workers;

    /**
     * A result.
     *
     * @param violations sentences that begin with the number of a rule; empty if the tree is right
     * @param reachedCount vertices of the tree
     * @param arcCount arcs of the vertices of the tree: twice the edges of the component, without direction
     */
    public record Result(List<String> violations, long reachedCount, long arcCount) {
        /** {@return whether the tree keeps all rules} */
        public boolean isValid() {
            return violations.isEmpty();
        }

        /**
         * Throws if the tree breaks a rule.
         *
         * @return this
         * @throws IllegalStateException with the violations
         */
        public Result orThrow() {
            if (!isValid()) {
                throw new IllegalStateException(String.join("; ", violations));
            }
            return this;
        }
    }

    /**
     * Prepares checks.
     *
     * @param graph graph that was searched
     * @param workers threads that check
     */
    public BfsValidation(Adjacency graph, Workers workers) {
        this.graph = graph;
        this.workers = workers;
    }

    /**
     * Checks a tree.
     *
     * @param tree result of a search
     * @return the result
     */
    public Result check(ParentTree tree) {
        ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();
        int[] parents = tree.parents();
        if (parents.length != graph.vertexCount()) {
            violations.add("1: a tree of " + parents.length + " vertices for a graph of " + graph.vertexCount());
            return new Result(List.copyOf(violations), 0, 0);
        }
        if (parents[tree.root()] != tree.root()) {
            violations.add("1: the root " + tree.root() + " has the parent " + parents[tree.root()]);
        }
        int[] levels = tree.levels();
        byte[] hasEdge = new byte[parents.length];
        LongAdder reached = new LongAdder();
        LongAdder arcs = new LongAdder();
        workers.ranges(parents.length, GRAIN, (from, to, worker) -> {
            Neighbours cursor = graph.neighbours();
            for (int vertex = from; vertex < to; vertex++) {
                if (parents[vertex] < 0) {
                    continue;
                }
                reached.increment();
                parent(vertex, parents, levels, tree.root(), violations);
                arcs.add(edges(cursor, vertex, parents, levels, hasEdge, violations));
            }
        });
        for (int vertex = 0; vertex < parents.length; vertex++) {
            if (parents[vertex] >= 0 && hasEdge[vertex] == 0 && vertex != tree.root()) {
                add(violations, "5: vertex " + vertex + " has no edge to its parent " + parents[vertex]);
            }
        }
        return new Result(List.copyOf(violations), reached.sum(), arcs.sum());
    }

    private static void parent(int vertex, int[] parents, int[] levels, int root,
                               ConcurrentLinkedQueue<String> violations) {
        int parent = parents[vertex];
        if (parent >= parents.length || levels[vertex] < 0) {
            add(violations, "1: vertex " + vertex + " does not lead to the root by its parent " + parent);
        } else if (vertex != root && levels[vertex] != levels[parent] + 1) {
            add(violations, "2: vertex " + vertex + " is at level " + levels[vertex] + ", its parent " + parent
                + " at " + levels[parent]);
        }
    }

    private long edges(Neighbours cursor, int vertex, int[] parents, int[] levels, byte[] hasEdge,
                       ConcurrentLinkedQueue<String> violations) {
        int length = cursor.open(vertex);
        for (int left = length; left > 0; left--) {
            int neighbour = cursor.next();
            if (parents[neighbour] == vertex) {
                hasEdge[neighbour] = 1;
            }
            if (parents[neighbour] < 0) {
                add(violations, "4: vertex " + neighbour + " is not in the tree, its neighbour " + vertex + " is");
            } else if (levels[neighbour] > levels[vertex] + 1
                || !graph.directed() && levels[neighbour] < levels[vertex] - 1) {
                add(violations, "3: vertex " + vertex + " is at level " + levels[vertex] + ", its neighbour "
                    + neighbour + " at " + levels[neighbour]);
            }
        }
        return length;
    }

    private static void add(ConcurrentLinkedQueue<String> violations, String text) {
        if (violations.size() < VIOLATIONS_MAX) {
            violations.add(text);
        }
    }
}
