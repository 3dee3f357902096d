package io.teff.graph.names;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import org.jspecify.annotations.Nullable;

/**
 * A graph with the arcs that have one of some labels; all vertices stay. Degrees are counted once, so the graph must
 * not change.
 */
public final class LabelledView implements Adjacency {
    private final Adjacency graph;
    private final long labels;
    private final int[] degrees;
    private final long arcCount;
    private final LabelledView reversed;

    private LabelledView(Adjacency graph, long labels, @Nullable LabelledView forward) {
        this.graph = graph;
        this.labels = labels;
        this.degrees = new int[graph.vertexCount()];
        long arcs = 0;
        Neighbours cursor = graph.neighbours();
        for (int vertex = 0; vertex < degrees.length; vertex++) {
            for (int left = cursor.open(vertex); left > 0; left--) {
                cursor.next();
                degrees[vertex] += has(cursor.weight(), labels) ? 1 : 0;
            }
            arcs += degrees[vertex];
        }
        arcCount = arcs;
        reversed = forward != null ? forward
            : graph.directed() ? new LabelledView(graph.reversed(), labels, this) : this;
    }

    /**
     * Makes a view.
     *
     * @param graph with sets of labels as weights, and with its reverse if it is directed
     * @param labels a set of labels ({@link EdgeLabels#set})
     * @return a view of the graph, whose degrees are counted
     * @throws IllegalStateException if a directed graph was built without its reverse
     */
    public static LabelledView of(Adjacency graph, long labels) {
        return new LabelledView(graph, labels, null);
    }

    private static boolean has(double weight, long labels) {
        return ((long) weight & labels) != 0;
    }

    @Override
    public int vertexCount() {
        return graph.vertexCount();
    }

    @Override
    public long arcCount() {
        return arcCount;
    }

    @Override
    public boolean directed() {
        return graph.directed();
    }

    @Override
    public boolean weighted() {
        return graph.weighted();
    }

    @Override
    public int degree(int vertex) {
        return degrees[vertex];
    }

    @Override
    public Neighbours neighbours() {
        return new Cursor();
    }

    @Override
    public Adjacency reversed() {
        return reversed;
    }

    /** Gives the arcs with the labels, one after the other. */
    private final class Cursor implements Neighbours {
        private final Neighbours all = graph.neighbours();

        @Override
        public int open(int vertex) {
            all.open(vertex);
            return degrees[vertex];
        }

        /** The caller asks as often as there are arcs with the labels, so the run does not end before. */
        @Override
        public int next() {
            int neighbour = all.next();
            while (!has(all.weight(), labels)) {
                neighbour = all.next();
            }
            return neighbour;
        }

        @Override
        public double weight() {
            return all.weight();
        }
    }
}
