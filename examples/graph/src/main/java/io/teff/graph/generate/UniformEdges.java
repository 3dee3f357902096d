package io.teff.graph.generate;

import io.teff.graph.edges.EdgeSink;

/** Edges whose two ends are drawn independently, each vertex with equal chance: with loops and parallel edges. */
public final class UniformEdges extends EdgeGenerator {
    private final boolean directed;

    /**
     * Makes a graph.
     *
     * @param vertices at least 1, unless there is no edge
     * @param edges number of edges, 0 to {@link EdgeGenerator#EDGES_MAX}
     * @param directed whether an edge and its reverse are different
     * @param weighted whether edges have weights from 0 to below 1, otherwise 1
     * @param seed of the random numbers; equal seeds give equal edges
     */
    public UniformEdges(long vertices, long edges, boolean directed, boolean weighted, long seed) {
        super(vertices, edges, seed, weighted);
        if (vertices == 0 && edges > 0) {
            throw new IllegalArgumentException(edges + " edges need a vertex");
        }
        this.directed = directed;
    }

    @Override
    public boolean directed() {
        return directed;
    }

    @Override
    void generate(long slot, Draw draw, EdgeSink sink) {
        long source = draw.below(vertexCount());
        long target = draw.below(vertexCount());
        sink.edge(source, target, weighted() ? draw.unit() : 1);
    }
}
