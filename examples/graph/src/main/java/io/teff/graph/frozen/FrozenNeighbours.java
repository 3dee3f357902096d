package io.teff.graph.frozen;

import io.teff.graph.Neighbours;
import java.util.Objects;

/** A cursor over the runs of a {@link FrozenGraph}. */
final class FrozenNeighbours implements Neighbours {
    private final FrozenGraph graph;
    private long place;

    FrozenNeighbours(FrozenGraph graph) {
        this.graph = graph;
    }

    @Override
    public int open(int vertex) {
        Objects.checkIndex(vertex, graph.vertexCount());
        place = graph.start(vertex);
        return (int) (graph.start(vertex + 1) - place);
    }

    @Override
    public int next() {
        return graph.target(place++);
    }

    @Override
    public double weight() {
        return graph.weight(place - 1);
    }
}
