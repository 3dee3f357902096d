package io.teff.graph.formats;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;

/** The edges of a graph, in the order of their vertices; an undirected edge once, with its smaller vertex first. */
public final class AdjacencyEdges implements EdgeSource {
    private static final int PART_VERTICES = 1 << 14;

    private final Adjacency graph;

    /**
     * Gives the edges of a graph that does not change meanwhile.
     *
     * @param graph read again at each {@link #read}
     */
    public AdjacencyEdges(Adjacency graph) {
        this.graph = graph;
    }

    @Override
    public long vertexCount() {
        return graph.vertexCount();
    }

    /** Not known of an undirected graph, whose loops are in one run only. */
    @Override
    public long edgeCount() {
        return graph.directed() ? graph.arcCount() : -1;
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
    public int parts() {
        return Math.max(1, Math.ceilDiv(graph.vertexCount(), PART_VERTICES));
    }

    @Override
    public void read(int part, EdgeSink sink) {
        int end = (int) Math.min(graph.vertexCount(), (part + 1L) * PART_VERTICES);
        Neighbours cursor = graph.neighbours();
        for (int vertex = part * PART_VERTICES; vertex < end; vertex++) {
            for (int left = cursor.open(vertex); left > 0; left--) {
                int neighbour = cursor.next();
                if (graph.directed() || neighbour >= vertex) {
                    sink.edge(vertex, neighbour, cursor.weight());
                }
            }
        }
    }
}
