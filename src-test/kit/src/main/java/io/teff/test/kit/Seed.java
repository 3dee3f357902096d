package io.teff.test.kit;

import java.util.SplittableRandom;

/**
 * Seeds of random tests. In the short form each run has the same ones, so that what is red is what was changed; the
 * long form has new ones. {@code -Dseed} gives one.
 */
public final class Seed {
    private static final long OF_SHORT_FORM = 1;

    private Seed() {}

    /** Returns the first seed of a test: {@code -Dseed}, or that of the {@linkplain Form form}. */
    public static long first() {
        return Long.getLong("seed", Form.isLong() ? System.nanoTime() & 0xFFFF_FFFFL : OF_SHORT_FORM);
    }

    /** Returns a source of numbers for one seed. */
    public static SplittableRandom random(long seed) {
        return new SplittableRandom(seed);
    }

    /** Returns the line that repeats a failure. */
    public static String reproduce(Class<?> test, long seed) {
        return reproduce(test, seed, "");
    }

    /** Returns the line that repeats a failure, with further flags. */
    public static String reproduce(Class<?> test, long seed, String flags) {
        return "reproduce: -Dtest=" + test.getSimpleName() + " -Dseed=" + seed + (flags.isEmpty() ? "" : " " + flags);
    }
}
