package io.teff.graph.kernel;

import io.teff.graph.Adjacency;
import io.teff.graph.work.Workers;

/** The inner loops of PageRank by cursors, with contributions of 8 bytes. */
final class WideCursorRank extends CursorRank {
    private final double[] given;

    WideCursorRank(Adjacency graph, Adjacency back, Workers workers) {
        this(graph, back, workers, KeptRuns.BYTES_MAX);
    }

    WideCursorRank(Adjacency graph, Adjacency back, Workers workers, long keptBytesMax) {
        super(graph, back, workers, keptBytesMax);
        this.given = new double[graph.vertexCount()];
    }

    @Override
    double give(int from, int to) {
        double lost = 0;
        for (int vertex = from; vertex < to; vertex++) {
            if (degrees[vertex] == 0) {
                lost += scores[vertex];
            } else {
                given[vertex] = scores[vertex] / degrees[vertex];
            }
        }
        return lost;
    }

    @Override
    double gatherKept(KeptRuns.Block runs, int from, int to, double base, double damping) {
        final double[] gifts = given;
        final int[] ends = runs.ends();
        double change = 0;
        int place = 0;
        for (int vertex = from; vertex < to; vertex++) {
            final int end = ends[vertex - from];
            double sum = 0;
            for (; place < end; place++) {
                sum += gifts[runs.target(place)];
            }
            double score = base + damping * sum;
            change += Math.abs(score - scores[vertex]);
            scores[vertex] = score;
        }
        return change;
    }

    @Override
    double sum(int[] run, int length) {
        final double[] gifts = given;
        double sum = 0;
        for (int i = 0; i < length; i++) {
            sum += gifts[run[i]];
        }
        return sum;
    }
}
