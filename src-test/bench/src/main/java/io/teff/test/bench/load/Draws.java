package io.teff.test.bench.load;

/** Random numbers for loops that must add little to what they measure; pure functions of a seed that a loop carries. */
public final class Draws {
    private static final long MULTIPLIER = 6_364_136_223_846_793_005L;
    private static final long INCREMENT = 1_442_695_040_888_963_407L;

    private Draws() {}

    /**
     * The next state of a linear congruential generator: the cheapest whose upper half is random enough.
     *
     * @param seed the state
     * @return the next one
     */
    public static long next(long seed) {
        return seed * MULTIPLIER + INCREMENT;
    }

    /**
     * A number that follows from a state.
     *
     * @param seed the state
     * @param count up to 2^32
     * @return from 0 to less than the count
     */
    public static long below(long seed, long count) {
        return (seed >>> 32) * count >>> 32;
    }
}
