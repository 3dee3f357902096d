package io.teff.graph.generate;

/**
 * Random numbers that depend on a seed, the number of an edge and the number of the draw, and on nothing drawn before.
 * The mixing function is that of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators). For
 * one thread.
 */
final class Draw {
    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;
    private static final double UNIT = 0x1p-53;
    private static final int UNIT_SHIFT = Long.SIZE - 53;

    private final long seed;
    private long state;

    Draw(long seed) {
        this.seed = mix(seed + STEP);
    }

    /** Begins the numbers of an edge. */
    void begin(long edge) {
        state = mix(seed ^ mix(edge * STEP + STEP));
    }

    /** A number of 64 random bits. */
    long next() {
        state += STEP;
        return mix(state);
    }

    /** A number below a bound of at least 1; the bias is below bound / 2^64. */
    long below(long bound) {
        return Math.unsignedMultiplyHigh(next(), bound);
    }

    /** A number from 0 to below 1. */
    double unit() {
        return (next() >>> UNIT_SHIFT) * UNIT;
    }

    /** The number that belongs to a seed and an index, without a state. */
    long at(long index) {
        return mix(seed ^ mix(index * STEP + STEP));
    }

    static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 31;
    }
}
