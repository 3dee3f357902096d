package io.teff.test.kit;

import java.util.SplittableRandom;

/** Seeds of random tests: a new one each run, or the one that {@code -Dseed} gives. */
public final class Seed {
    private Seed() {}

    /** Returns the first seed of a test: {@code -Dseed} or a new one. */
    public static long first() {
        return Long.getLong("seed", System.nanoTime() & 0xFFFF_FFFFL);
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
