package io.teff.graph.kernel;

import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import java.util.Arrays;

/**
 * The rounds of PageRank. Subclasses have the inner loops.
 *
 * <p>A round has two parts: each vertex gives its score, divided by its arcs, to an array; each vertex adds what its
 * neighbours gave. Sums over all vertices are made of sums of blocks, in the order of the blocks, so that the number of
 * workers does not change a bit.
 */
abstract class RankSteps implements AutoCloseable {
    /** A block has two to this power of vertices. */
    static final int BLOCK_SHIFT = 12;
    private static final int BLOCK = 1 << BLOCK_SHIFT;

    final double[] scores;
    private final Workers workers;
    /** Number of arcs of each vertex. */
    final int[] degrees;

    RankSteps(int vertexCount, Workers workers) {
        this.scores = new double[vertexCount];
        this.degrees = new int[vertexCount];
        this.workers = workers;
    }

    /** Finds the number of arcs of each vertex of a block. */
    abstract void degrees(int from, int to);

    /** Gives the contributions of a range; returns the sum of the scores without arcs. */
    abstract double give(int from, int to);

    /** Computes the scores of a range; returns the sum of their changes. */
    abstract double gather(int from, int to, double base, double damping);

    /** Frees what the rounds have needed; the scores stay. */
    @Override
    public void close() {}

    /** The scores are in {@link #scores} afterwards. */
    Rounds run(int roundsMax, double tolerance, double damping, boolean isSpread, WorkWatch watch) {
        int count = scores.length;
        Arrays.fill(scores, 1.0 / count);
        double[] sums = new double[Math.ceilDiv(count, BLOCK)];
        watch.check("degrees", 0, count);
        blocks(sums, (from, to) -> {
            degrees(from, to);
            return 0;
        });
        double change = 0;
        int round = 0;
        while (round < roundsMax) {
            watch.check("rounds", round, roundsMax);
            round++;
            blocks(sums, this::give);
            double lost = isSpread ? Arrays.stream(sums).sum() : 0;
            double base = (1 - damping) / count + damping * lost / count;
            blocks(sums, (from, to) -> gather(from, to, base, damping));
            change = Arrays.stream(sums).sum();
            if (change < tolerance) {
                break;
            }
        }
        return new Rounds(round, change);
    }

    /** The number of rounds, and the sum of the changes of all scores in the last of the rounds. */
    record Rounds(int count, double change) {}

    /** Work on a block. */
    private interface Block {
        double run(int from, int to);
    }

    private void blocks(double[] sums, Block block) {
        workers.ranges(scores.length, BLOCK, (from, to, worker) -> {
            for (int at = from; at < to; at += BLOCK) {
                sums[at >>> BLOCK_SHIFT] = block.run(at, Math.min(at + BLOCK, to));
            }
        });
    }
}
