package io.teff.graph.generate;

import io.teff.graph.edges.EdgeSink;

/**
 * Edges whose ends are chosen bit by bit, one of the four quarters of the matrix of adjacency at each level: the
 * Kronecker graph of Graph500, and R-MAT (Chakrabarti, Zhan, Faloutsos: R-MAT: A Recursive Model for Graph Mining).
 *
 * <p>The Kronecker graph of Graph500 has 2^scale vertices, the shares 0.57, 0.19, 0.19 and 0.05, and scrambled numbers
 * of vertices, so that the number of a vertex does not tell its degree. R-MAT has free shares, which vary by a tenth
 * from level to level, and numbers that are not scrambled. Both have loops and parallel edges, as their definitions
 * demand.
 */
public final class RecursiveMatrix extends EdgeGenerator {
    /** Largest scale. */
    public static final int SCALE_MAX = 30;

    private static final double GRAPH500_A = 0.57;
    private static final double GRAPH500_B = 0.19;
    private static final double NOISE = 0.1;
    private static final int ROUNDS = 3;
    private static final int HALF_BITS = 32;
    private static final long HALF_MASK = (1L << HALF_BITS) - 1;

    private final int scale;
    private final Scramble scramble;
    private final long[] sourceLow;
    private final long[] targetLowAbove;
    private final long[] targetLowBelow;

    /** A permutation of the numbers below 2^bits, by a seed: odd factors and shifts can be undone, so none is lost. */
    private static final class Scramble {
        private final long mask;
        private final int shift;
        private final long[] factors = new long[ROUNDS];
        private final long[] masks = new long[ROUNDS];

        Scramble(int bits, Draw draw) {
            mask = (1L << bits) - 1;
            shift = Math.max(1, bits / 2);
            for (int round = 0; round < ROUNDS; round++) {
                factors[round] = draw.at(-1L - 2 * round) | 1;
                masks[round] = draw.at(-2L - 2 * round);
            }
        }

        long apply(long vertex) {
            long value = vertex;
            for (int round = 0; round < ROUNDS; round++) {
                value = (value ^ masks[round]) & mask;
                value = value * factors[round] & mask;
                value ^= value >>> shift;
            }
            return value;
        }
    }

    private RecursiveMatrix(int scale, long edges, double a, double b, double c, double noise, boolean isScrambled,
                            long seed, boolean weighted) {
        super(1L << checkScale(scale), edges, seed, weighted);
        boolean isRight = a > 0 && b >= 0 && c >= 0 && a + b + c <= 1;
        if (!isRight) {
            throw new IllegalArgumentException("the shares a=" + a + " b=" + b + " c=" + c
                + " are not positive with a sum of at most 1");
        }
        this.scale = scale;
        Draw draw = new Draw(seed);
        scramble = new Scramble(isScrambled ? scale : 0, draw);
        sourceLow = new long[scale];
        targetLowAbove = new long[scale];
        targetLowBelow = new long[scale];
        for (int level = 0; level < scale; level++) {
            draw.begin(Long.MIN_VALUE + level);
            double levelA = a * (1 + noise * (2 * draw.unit() - 1));
            double levelB = b * (1 + noise * (2 * draw.unit() - 1));
            double levelC = c * (1 + noise * (2 * draw.unit() - 1));
            double levelD = (1 - a - b - c) * (1 + noise * (2 * draw.unit() - 1));
            sourceLow[level] = share((levelA + levelB) / (levelA + levelB + levelC + levelD));
            targetLowAbove[level] = share(levelA / (levelA + levelB));
            targetLowBelow[level] = share(levelC + levelD == 0 ? 1 : levelC / (levelC + levelD));
        }
    }

    /** A share of 2^32. */
    private static long share(double share) {
        return Math.round(share * (1L << HALF_BITS));
    }

    private static int checkScale(int scale) {
        if (scale < 0 || scale > SCALE_MAX) {
            throw new IllegalArgumentException("scale=" + scale + " is outside of 0.." + SCALE_MAX);
        }
        return scale;
    }

    /**
     * {@return the Kronecker graph of Graph500, without weights}
     *
     * @param scale logarithm of the number of vertices to base 2, 0 to {@value #SCALE_MAX}
     * @param edgeFactor edges per vertex; Graph500 has 16
     * @param seed of the random numbers; equal seeds give equal edges
     */
    public static RecursiveMatrix graph500(int scale, int edgeFactor, long seed) {
        return new RecursiveMatrix(scale, Math.multiplyExact((long) edgeFactor, 1L << checkScale(scale)), GRAPH500_A,
            GRAPH500_B, GRAPH500_B, 0, true, seed, false);
    }

    /**
     * {@return an R-MAT graph, without weights}
     *
     * @param scale logarithm of the number of vertices to base 2, 0 to {@value #SCALE_MAX}
     * @param edges number of edges, 0 to {@link EdgeGenerator#EDGES_MAX}
     * @param a share of the quarter with the lower sources and targets, above 0
     * @param b share of the lower sources and upper targets, at least 0
     * @param c share of the upper sources and lower targets, at least 0; the sum of the three shares is at most 1
     * @param seed of the random numbers; equal seeds give equal edges
     */
    public static RecursiveMatrix rmat(int scale, long edges, double a, double b, double c, long seed) {
        return new RecursiveMatrix(scale, edges, a, b, c, NOISE, false, seed, false);
    }

    /** {@return this graph with weights from 0 to below 1, as the kernel of shortest paths of Graph500 has them} */
    public RecursiveMatrix withWeights() {
        return new RecursiveMatrix(this);
    }

    private RecursiveMatrix(RecursiveMatrix other) {
        super(other, true);
        scale = other.scale;
        scramble = other.scramble;
        sourceLow = other.sourceLow;
        targetLowAbove = other.targetLowAbove;
        targetLowBelow = other.targetLowBelow;
    }

    @Override
    void generate(long slot, Draw draw, EdgeSink sink) {
        long source = 0;
        long target = 0;
        for (int level = 0; level < scale; level++) {
            long bits = draw.next();
            boolean isSourceHigh = bits >>> HALF_BITS >= sourceLow[level];
            long low = isSourceHigh ? targetLowBelow[level] : targetLowAbove[level];
            boolean isTargetHigh = (bits & HALF_MASK) >= low;
            source = source << 1 | (isSourceHigh ? 1 : 0);
            target = target << 1 | (isTargetHigh ? 1 : 0);
        }
        if (scramble.mask != 0) {
            source = scramble.apply(source);
            target = scramble.apply(target);
        }
        sink.edge(source, target, weighted() ? draw.unit() : 1);
    }
}
