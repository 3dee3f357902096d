package io.teff.graph.kernel;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import io.teff.graph.work.Workers;

/**
 * PageRank of a graph that is read by cursors. The first pass keeps the runs, so the rounds read arrays; runs beyond
 * the limit of {@link KeptRuns} are read by a cursor in each round.
 */
abstract class CursorRank extends RankSteps {
    private static final int FIRST_RUN_LENGTH = 1024;

    private final Adjacency graph;
    private final Adjacency back;
    private final KeptRuns kept;

    CursorRank(Adjacency graph, Adjacency back, Workers workers, long keptBytesMax) {
        super(graph.vertexCount(), workers);
        this.graph = graph;
        this.back = back;
        this.kept = new KeptRuns(back, BLOCK_SHIFT, keptBytesMax);
    }

    /** Adds what the vertices of a part of a block have given; returns the sum of the changes of the scores. */
    abstract double gatherKept(KeptRuns.Block runs, int from, int to, double base, double damping);

    /** Returns the sum of what some vertices have given. */
    abstract double sum(int[] run, int length);

    @Override
    final void degrees(int from, int to) {
        if (graph.equals(back)) {
            kept.read(from, to, degrees);
            return;
        }
        Neighbours cursor = graph.neighbours();
        for (int vertex = from; vertex < to; vertex++) {
            degrees[vertex] = cursor.open(vertex);
        }
        kept.read(from, to, null);
    }

    @Override
    final double gather(int from, int to, double base, double damping) {
        KeptRuns.Block runs = kept.block(from);
        return runs == null ? gatherRead(from, to, base, damping) : gatherKept(runs, from, to, base, damping);
    }

    private double gatherRead(int from, int to, double base, double damping) {
        final Neighbours cursor = back.neighbours();
        int[] run = new int[FIRST_RUN_LENGTH];
        double change = 0;
        for (int vertex = from; vertex < to; vertex++) {
            final int length = cursor.open(vertex);
            if (run.length < length) {
                run = new int[length];
            }
            cursor.next(run, 0, length);
            double score = base + damping * sum(run, length);
            change += Math.abs(score - scores[vertex]);
            scores[vertex] = score;
        }
        return change;
    }

    @Override
    public final void close() {
        kept.close();
    }
}
