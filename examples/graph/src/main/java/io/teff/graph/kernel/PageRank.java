package io.teff.graph.kernel;

import io.teff.graph.Adjacency;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import java.util.PriorityQueue;

/**
 * PageRank, in two definitions.
 *
 * <pre>
 *  GAP    score(v) = (1 - d) / n + d * sum of score(u) / degree(u)             until the scores change by less than
 *                                  over all arcs u to v                        a tolerance in sum
 *  LDBC   the same, and d / n * sum of score(w) over all w without arcs        a fixed number of times
 * </pre>
 *
 * <p>Both begin with 1 / n for each vertex; all scores of a round come from those of the round before. The scores do
 * not depend on the number of workers. GAP's definition adds contributions of 4 bytes each, as GAP does, the other 8.
 * A directed graph needs its reverse.
 *
 * <p>The runs of a graph that is not frozen are read once and kept for the rounds, off the heap, in 4 bytes for each
 * arc and at most 1 GiB. The runs beyond are read again in each round.
 */
public final class PageRank {
    /** The usual damping. */
    public static final double DAMPING = 0.85;

    private final double[] scores;
    private final int rounds;
    private final double change;

    PageRank(double[] scores, int rounds, double change) {
        this.scores = scores;
        this.rounds = rounds;
        this.change = change;
    }

    /**
     * Computes scores by the definition of GAP, with damping {@value #DAMPING}.
     *
     * @param graph the graph
     * @param roundsMax most rounds
     * @param tolerance sum of the changes of all scores in a round, below which no further round follows
     * @param workers threads that compute
     * @param watch sees each round, and may cancel
     * @return the scores
     * @throws IllegalStateException if the graph is directed and has no reverse
     * @throws java.util.concurrent.CancellationException if the watch has cancelled the work
     */
    public static PageRank gap(Adjacency graph, int roundsMax, double tolerance, Workers workers, WorkWatch watch) {
        try (RankSteps steps = steps(graph, workers, NarrowFrozenRank::new, NarrowCursorRank::new)) {
            return of(steps, steps.run(roundsMax, tolerance, DAMPING, false, watch));
        }
    }

    /**
     * Computes scores by the definition of LDBC Graphalytics.
     *
     * @param graph the graph
     * @param rounds number of rounds
     * @param damping probability that a walk follows an arc, 0 to 1
     * @param workers threads that compute
     * @param watch sees each round, and may cancel
     * @return the scores, whose sum is 1
     * @throws IllegalStateException if the graph is directed and has no reverse
     * @throws java.util.concurrent.CancellationException if the watch has cancelled the work
     */
    public static PageRank ldbc(Adjacency graph, int rounds, double damping, Workers workers, WorkWatch watch) {
        if (!(damping >= 0 && damping <= 1)) {
            throw new IllegalArgumentException("damping=" + damping);
        }
        try (RankSteps steps = steps(graph, workers, WideFrozenRank::new, WideCursorRank::new)) {
            return of(steps, steps.run(rounds, -1, damping, true, watch));
        }
    }

    private static PageRank of(RankSteps steps, RankSteps.Rounds rounds) {
        return new PageRank(steps.scores, rounds.count(), rounds.change());
    }

    private static RankSteps steps(Adjacency graph, Workers workers, Maker<FrozenGraph> frozen,
                                   Maker<Adjacency> other) {
        Adjacency back = graph.reversed();
        return graph instanceof FrozenGraph one && back instanceof FrozenGraph two ? frozen.make(one, two, workers)
            : other.make(graph, back, workers);
    }

    /** Makes the inner loops for a kind of graph. */
    private interface Maker<G> {
        RankSteps make(G graph, G back, Workers workers);
    }

    /**
     * Returns the score of a vertex.
     *
     * @param vertex the vertex
     * @return the score
     */
    public double score(int vertex) {
        return scores[vertex];
    }

    /** {@return number of vertices of the graph} */
    public int vertexCount() {
        return scores.length;
    }

    /** {@return number of rounds} */
    public int rounds() {
        return rounds;
    }

    /** {@return sum of the changes of all scores in the last round} */
    public double change() {
        return change;
    }

    /**
     * Returns the vertices with the highest scores.
     *
     * @param count number of vertices
     * @return at most {@code count} vertices, highest first; of equal scores, the smaller vertex first
     */
    public int[] top(int count) {
        PriorityQueue<Integer> best = new PriorityQueue<>((one, two) -> {
            int byScore = Double.compare(scores[one], scores[two]);
            return byScore != 0 ? byScore : Integer.compare(two, one);
        });
        for (int vertex = 0; vertex < scores.length && count > 0; vertex++) {
            if (best.size() < count) {
                best.add(vertex);
            } else if (scores[vertex] > scores[best.element()]) {
                best.remove();
                best.add(vertex);
            }
        }
        int[] top = new int[best.size()];
        for (int i = top.length - 1; i >= 0; i--) {
            top[i] = best.remove();
        }
        return top;
    }
}
