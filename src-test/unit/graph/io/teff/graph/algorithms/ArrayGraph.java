package io.teff.graph.algorithms;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A graph in arrays of the heap, as simple as can be, for tests of algorithms. Keeps loops and repeated edges. */
public final class ArrayGraph implements Adjacency {
    private final boolean directed;
    private final boolean weighted;
    private final long[] starts;
    private final int[] targets;
    private final double[] weights;
    private ArrayGraph reverse;

    /** An edge from one vertex to another. */
    public record Edge(int source, int target, double weight) {}

    private ArrayGraph(boolean directed, boolean weighted, long[] starts, int[] targets, double[] weights) {
        this.directed = directed;
        this.weighted = weighted;
        this.starts = starts;
        this.targets = targets;
        this.weights = weights;
    }

    /** A graph of edges; an undirected loop is in the run of its vertex once. */
    public static ArrayGraph of(int vertexCount, boolean directed, boolean weighted, List<Edge> edges) {
        List<Edge> arcs = new ArrayList<>(edges);
        List<Edge> backward = edges.stream().filter(it -> directed || it.source != it.target)
            .map(it -> new Edge(it.target, it.source, it.weight)).toList();
        if (!directed) {
            arcs.addAll(backward);
        }
        ArrayGraph graph = rows(vertexCount, directed, weighted, arcs);
        graph.reverse = directed ? rows(vertexCount, true, weighted, backward) : graph;
        graph.reverse.reverse = graph;
        return graph;
    }

    private static ArrayGraph rows(int vertexCount, boolean directed, boolean weighted, List<Edge> arcs) {
        List<Edge> sorted = arcs.stream().sorted(Comparator.comparingInt(Edge::source)
            .thenComparingInt(Edge::target)).toList();
        long[] starts = new long[vertexCount + 1];
        sorted.forEach(it -> starts[it.source + 1]++);
        for (int i = 0; i < vertexCount; i++) {
            starts[i + 1] += starts[i];
        }
        return new ArrayGraph(directed, weighted, starts, sorted.stream().mapToInt(Edge::target).toArray(),
            sorted.stream().mapToDouble(it -> weighted ? it.weight : 1).toArray());
    }

    /** A graph of sorted rows, for large graphs. */
    public static ArrayGraph undirected(long[] starts, int[] targets, double[] weights) {
        ArrayGraph graph = new ArrayGraph(false, true, starts, targets, weights);
        graph.reverse = graph;
        return graph;
    }

    @Override
    public int vertexCount() {
        return starts.length - 1;
    }

    @Override
    public long arcCount() {
        return targets.length;
    }

    @Override
    public boolean directed() {
        return directed;
    }

    @Override
    public boolean weighted() {
        return weighted;
    }

    @Override
    public int degree(int vertex) {
        return (int) (starts[vertex + 1] - starts[vertex]);
    }

    @Override
    public Neighbours neighbours() {
        return new Cursor();
    }

    @Override
    public Adjacency reversed() {
        return reverse;
    }

    private final class Cursor implements Neighbours {
        private int next;

        @Override
        public int open(int vertex) {
            next = (int) starts[vertex];
            return degree(vertex);
        }

        @Override
        public int next() {
            return targets[next++];
        }

        @Override
        public double weight() {
            return weights[next - 1];
        }
    }
}
