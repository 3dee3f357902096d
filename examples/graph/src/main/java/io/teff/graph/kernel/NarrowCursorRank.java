package io.teff.graph.kernel;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import io.teff.graph.work.Workers;

/** The inner loops of PageRank by cursors, with contributions of 4 bytes. */
final class NarrowCursorRank extends RankSteps {
    private static final int FIRST_RUN_LENGTH = 1024;

    private final Adjacency graph;
    private final Adjacency back;
    private final float[] given;

    NarrowCursorRank(Adjacency graph, Adjacency back, Workers workers) {
        super(graph.vertexCount(), workers);
        this.graph = graph;
        this.back = back;
        this.given = new float[graph.vertexCount()];
    }

    @Override
    void degrees(int from, int to) {
        Neighbours cursor = graph.neighbours();
        for (int vertex = from; vertex < to; vertex++) {
            degrees[vertex] = cursor.open(vertex);
        }
    }

    @Override
    double give(int from, int to) {
        double lost = 0;
        for (int vertex = from; vertex < to; vertex++) {
            if (degrees[vertex] == 0) {
                lost += scores[vertex];
            } else {
                given[vertex] = (float) (scores[vertex] / degrees[vertex]);
            }
        }
        return lost;
    }

    @Override
    double gather(int from, int to, double base, double damping) {
        final Neighbours cursor = back.neighbours();
        final float[] gifts = given;
        int[] run = new int[FIRST_RUN_LENGTH];
        double change = 0;
        for (int vertex = from; vertex < to; vertex++) {
            final int length = cursor.open(vertex);
            if (run.length < length) {
                run = new int[length];
            }
            cursor.next(run, length);
            double sum = 0;
            for (int i = 0; i < length; i++) {
                sum += gifts[run[i]];
            }
            double score = base + damping * sum;
            change += Math.abs(score - scores[vertex]);
            scores[vertex] = score;
        }
        return change;
    }
}
