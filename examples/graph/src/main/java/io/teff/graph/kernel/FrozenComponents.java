package io.teff.graph.kernel;

import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.work.Workers;
import org.jspecify.annotations.Nullable;

/** The inner loops of components on the arrays of a frozen graph. */
final class FrozenComponents extends ComponentSteps {
    private final FrozenGraph graph;
    private final @Nullable FrozenGraph back;

    FrozenComponents(FrozenGraph graph, @Nullable FrozenGraph back, Workers workers) {
        super(graph.vertexCount(), back != null, workers);
        this.graph = graph;
        this.back = back;
    }

    @Override
    void first(int from, int to) {
        for (int vertex = from; vertex < to; vertex++) {
            long start = graph.start(vertex);
            join(graph, vertex, start, Math.min(start + FIRST_ARCS, graph.start(vertex + 1)));
        }
    }

    @Override
    void rest(int from, int to, int skipped) {
        for (int vertex = from; vertex < to; vertex++) {
            if (isIn(vertex, skipped)) {
                continue;
            }
            join(graph, vertex, graph.start(vertex) + FIRST_ARCS, graph.start(vertex + 1));
            if (back != null && graph.directed()) {
                join(back, vertex, back.start(vertex), back.start(vertex + 1));
            }
        }
    }

    private void join(FrozenGraph runs, int vertex, long start, long end) {
        for (long place = start; place < end; place++) {
            join(vertex, runs.target(place));
        }
    }
}
