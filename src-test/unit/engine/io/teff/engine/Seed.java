package io.teff.engine;

import java.util.SplittableRandom;

/** Seeds of random tests: new ones each run, or the one that {@code -Dseed} gives. */
public final class Seed {
    private Seed() {}

    /** The first seed of a test; {@code -Dseed} or a new one. */
    public static long first() {
        return Long.getLong("seed", System.nanoTime() & 0xFFFF_FFFFL);
    }

    /** A source of numbers for one seed. */
    public static SplittableRandom random(long seed) {
        return new SplittableRandom(seed);
    }

    /** The line that tells how to run a failure again. */
    public static String reproduce(Class<?> test, long seed) {
        return reproduce(test, seed, "");
    }

    /** The same, with further flags. */
    public static String reproduce(Class<?> test, long seed, String flags) {
        return "reproduce: -Dtest=" + test.getSimpleName() + " -Dseed=" + seed + (flags.isEmpty() ? "" : " " + flags);
    }
}
