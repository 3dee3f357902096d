package io.teff.graph.store;

import io.teff.engine.Chunks;
import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import java.util.Objects;

/** The reverse of a directed graph in a store. */
final class ReversedGraph implements Adjacency {
    private final StoreGraph graph;
    private final long first;

    ReversedGraph(StoreGraph graph, long first) {
        this.graph = graph;
        this.first = first;
    }

    @Override
    public int vertexCount() {
        return graph.vertexCount();
    }

    @Override
    public long arcCount() {
        return graph.arcCount();
    }

    @Override
    public boolean directed() {
        return true;
    }

    @Override
    public boolean weighted() {
        return graph.weighted();
    }

    @Override
    public int degree(int vertex) {
        if (graph.form() == RunForm.PACKED) {
            return new StoreNeighbours(graph, first).open(vertex);
        }
        long cid = first + Objects.checkIndex(vertex, vertexCount());
        return (int) (Chunks.check(cid, graph.store().size(cid))
            / (RunBytes.TARGET_BYTES + (weighted() ? RunBytes.WEIGHT_BYTES : 0)));
    }

    @Override
    public Neighbours neighbours() {
        return new StoreNeighbours(graph, first);
    }

    @Override
    public Adjacency reversed() {
        return graph;
    }
}
