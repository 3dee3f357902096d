package io.teff.test.bench.graph;

import io.teff.graph.edges.EdgeSink;
import io.teff.graph.edges.EdgeSource;
import io.teff.graph.frozen.FrozenGraph;

/** The edges of a graph without direction, each once. */
record FileEdges(FrozenGraph graph) implements EdgeSource {
    private static final int PART_VERTICES = 1 << 12;

    @Override
    public long vertexCount() {
        return graph.vertexCount();
    }

    @Override
    public long edgeCount() {
        return graph.arcCount() / 2;
    }

    @Override
    public boolean directed() {
        return false;
    }

    @Override
    public boolean weighted() {
        return false;
    }

    @Override
    public int parts() {
        return Math.max(Math.ceilDiv(graph.vertexCount(), PART_VERTICES), 1);
    }

    @Override
    public void read(int part, EdgeSink sink) {
        int end = Math.min(graph.vertexCount(), (part + 1) * PART_VERTICES);
        for (int vertex = part * PART_VERTICES; vertex < end; vertex++) {
            for (long place = graph.start(vertex); place < graph.start(vertex + 1); place++) {
                if (graph.target(place) >= vertex) {
                    sink.edge(vertex, graph.target(place), 1);
                }
            }
        }
    }
}
