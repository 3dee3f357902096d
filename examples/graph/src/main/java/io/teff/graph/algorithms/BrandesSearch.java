package io.teff.graph.algorithms;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import java.util.Arrays;

/**
 * One root of Brandes' algorithm: counts shortest paths level by level, and passes dependencies back. For one thread;
 * used for one root after the other.
 *
 * <p>Forward, a level is counted from the arcs of the level before it, or from the arcs of all vertices not yet
 * reached, whichever are fewer. Backward, a level is passed back along its own arcs or those of the level before it. In
 * both ways each vertex gets the same summands; sums of counts are exact below 2^53, and the choice depends on the
 * graph alone, so equal roots give equal bits.
 *
 * <p>{@code shares} has (1 + dependency) / paths for vertices of the level that is passed back, and 0 for others, so no
 * arc needs a look at a depth.
 */
final class BrandesSearch {
    private static final int UNSEEN = -1;
    private static final int LOOSE = 2;              // an arc of an unreached vertex is cheaper to skip than to follow

    private final Neighbours forward;
    private final Neighbours backward;
    private final Adjacency graph;
    private final Adjacency reverse;
    private final int[] depths;
    private final int[] order;
    private final double[] paths;
    private final double[] shares;
    private final double[] dependencies;
    private final IntList starts = new IntList();
    private int count;

    BrandesSearch(Adjacency graph) {
        this.graph = graph;
        reverse = graph.reversed();
        forward = graph.neighbours();
        backward = reverse.neighbours();
        int vertexCount = graph.vertexCount();
        depths = new int[vertexCount];
        order = new int[vertexCount];
        paths = new double[vertexCount];
        shares = new double[vertexCount];
        dependencies = new double[vertexCount];
        Arrays.fill(depths, UNSEEN);
    }

    void run(int root) {
        for (int i = 0; i < count; i++) {
            depths[order[i]] = UNSEEN;
            paths[order[i]] = 0;
            dependencies[order[i]] = 0;
        }
        starts.clear();
        depths[root] = 0;
        paths[root] = 1;
        order[0] = root;
        count = 1;
        starts.add(0);
        countPaths();
        passBack();
        dependencies[root] = 0;                      // a path does not lead through its own end
    }

    /** Adds the dependencies of all vertices that the root reaches. */
    void addTo(double[] sums) {
        for (int i = 0; i < count; i++) {
            sums[order[i]] += dependencies[order[i]];
        }
    }

    // ---- forward ----

    private void countPaths() {
        long unseenArcs = reverse.arcCount() - reverse.degree(order[0]);
        for (int level = 0; ; level++) {
            int from = starts.get(level);
            int to = count;
            long levelArcs = arcs(graph, from, to);
            if (levelArcs <= unseenArcs / LOOSE) {
                push(from, to, level + 1);
            } else {
                pull(level);
            }
            if (count == to) {
                return;
            }
            starts.add(to);
            unseenArcs -= arcs(reverse, to, count);
        }
    }

    private long arcs(Adjacency of, int from, int to) {
        long arcs = 0;
        for (int i = from; i < to; i++) {
            arcs += of.degree(order[i]);
        }
        return arcs;
    }

    private void push(int from, int to, int depth) {
        for (int i = from; i < to; i++) {
            int vertex = order[i];
            double own = paths[vertex];
            checkCount(own);
            for (int left = forward.open(vertex); left > 0; left--) {
                int next = forward.next();
                int known = depths[next];
                if (known == UNSEEN) {
                    depths[next] = depth;
                    order[count++] = next;
                    paths[next] = own;
                } else if (known == depth) {
                    paths[next] += own;
                }
            }
        }
    }

    private void pull(int level) {
        for (int vertex = 0; vertex < depths.length; vertex++) {
            if (depths[vertex] == UNSEEN) {
                double sum = 0;
                for (int left = backward.open(vertex); left > 0; left--) {
                    int next = backward.next();
                    if (depths[next] == level) {
                        sum += paths[next];
                    }
                }
                if (sum > 0) {
                    checkCount(sum);
                    paths[vertex] = sum;
                    order[count++] = vertex;
                    depths[vertex] = level + 1;
                }
            }
        }
    }

    private static void checkCount(double paths) {
        if (paths == Double.POSITIVE_INFINITY) {
            throw new ArithmeticException("more shortest paths than a double can count");
        }
    }

    // ---- backward ----

    private void passBack() {
        int end = count;
        for (int level = starts.size() - 1; level > 0; level--) {
            int from = starts.get(level);
            int before = starts.get(level - 1);
            for (int i = from; i < end; i++) {
                int vertex = order[i];
                shares[vertex] = (1 + dependencies[vertex]) / paths[vertex];
            }
            if (arcs(graph, before, from) <= arcs(reverse, from, end)) {
                gather(before, from);
            } else {
                scatter(before, from, end);
            }
            for (int i = from; i < end; i++) {
                shares[order[i]] = 0;
            }
            end = from;
        }
    }

    /** Sums the shares of the level behind over the arcs of a level. */
    private void gather(int from, int to) {
        for (int i = from; i < to; i++) {
            int vertex = order[i];
            double sum = 0;
            for (int left = forward.open(vertex); left > 0; left--) {
                sum += shares[forward.next()];
            }
            dependencies[vertex] = sum * paths[vertex];
        }
    }

    /** Adds the shares of a level along its arcs to the level before it. */
    private void scatter(int before, int from, int end) {
        // Only vertices of the level before collect in shares; deeper levels are done, and get their zeros back.
        for (int i = from; i < end; i++) {
            int vertex = order[i];
            double share = shares[vertex];
            int depth = depths[vertex] - 1;
            for (int left = backward.open(vertex); left > 0; left--) {
                int next = backward.next();
                if (depths[next] == depth) {
                    dependencies[next] += share;
                }
            }
        }
        for (int i = before; i < from; i++) {
            dependencies[order[i]] *= paths[order[i]];
        }
    }
}
