package io.teff.graph.kernel;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import io.teff.graph.work.Workers;
import org.jspecify.annotations.Nullable;

/** The inner loops of components by cursors. */
final class CursorComponents extends ComponentSteps {
    private final Adjacency graph;
    private final @Nullable Adjacency back;

    CursorComponents(Adjacency graph, @Nullable Adjacency back, Workers workers) {
        super(graph.vertexCount(), back != null, workers);
        this.graph = graph;
        this.back = back;
    }

    @Override
    void first(int from, int to) {
        Neighbours cursor = graph.neighbours();
        for (int vertex = from; vertex < to; vertex++) {
            join(cursor, vertex, Math.min(cursor.open(vertex), FIRST_ARCS));
        }
    }

    @Override
    void rest(int from, int to, int skipped) {
        Neighbours cursor = graph.neighbours();
        Neighbours backward = back != null && graph.directed() ? back.neighbours() : null;
        for (int vertex = from; vertex < to; vertex++) {
            if (isIn(vertex, skipped)) {
                continue;
            }
            join(cursor, vertex, cursor.open(vertex));
            if (backward != null) {
                join(backward, vertex, backward.open(vertex));
            }
        }
    }

    private void join(Neighbours cursor, int vertex, int count) {
        for (int left = count; left > 0; left--) {
            join(vertex, cursor.next());
        }
    }
}
