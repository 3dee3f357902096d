package io.teff.graph.kernel;

import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.work.Workers;

/** The inner loops of PageRank on the arrays of a frozen graph, with contributions of 4 bytes. */
final class NarrowFrozenRank extends RankSteps {
    private final FrozenGraph graph;
    private final FrozenGraph back;
    private final float[] given;

    NarrowFrozenRank(FrozenGraph graph, FrozenGraph back, Workers workers) {
        super(graph.vertexCount(), workers);
        this.graph = graph;
        this.back = back;
        this.given = new float[graph.vertexCount()];
    }

    @Override
    void degrees(int from, int to) {
        for (int vertex = from; vertex < to; vertex++) {
            degrees[vertex] = graph.degree(vertex);
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
        final FrozenGraph runs = back;
        final float[] gifts = given;
        double change = 0;
        long place = runs.start(from);
        for (int vertex = from; vertex < to; vertex++) {
            final long end = runs.start(vertex + 1);
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
}
