package io.teff.test.bench.cache;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Shapes of loads of caches: the keys that are asked for, one after the other. */
public enum LoadKind {
    /** Ten times as many keys as entries, by Zipf's law. */
    ZIPF {
        @Override
        void fill(long[] keys, int entries, Zipf zipf, SplittableRandom random) {
            for (int i = 0; i < keys.length; i++) {
                keys[i] = zipf.next();
            }
        }
    },
    /** The same, and after five times as many keys as entries a scan of twice as many new keys. */
    SCAN {
        @Override
        void fill(long[] keys, int entries, Zipf zipf, SplittableRandom random) {
            for (int i = 0; i < keys.length; i++) {
                keys[i] = i % (7 * entries) < 5 * entries ? zipf.next() : OTHERS + i;
            }
        }
    },
    /** Twice as many keys as entries, again and again. */
    LOOP {
        @Override
        void fill(long[] keys, int entries, Zipf zipf, SplittableRandom random) {
            for (int i = 0; i < keys.length; i++) {
                keys[i] = i % (2 * entries);
            }
        }
    },
    /** Half of the keys by Zipf's law, the other half of that loop. */
    ZIPF_AND_LOOP {
        @Override
        void fill(long[] keys, int entries, Zipf zipf, SplittableRandom random) {
            int looped = 0;
            for (int i = 0; i < keys.length; i++) {
                keys[i] = random.nextBoolean() ? zipf.next() : OTHERS + looped++ % (2 * entries);
            }
        }
    },
    /** By Zipf's law; the most frequent keys drift: after as many keys as entries, a tenth of the entries is new. */
    DRIFT {
        @Override
        void fill(long[] keys, int entries, Zipf zipf, SplittableRandom random) {
            for (int i = 0; i < keys.length; i++) {
                keys[i] = zipf.next() + i / Math.max(1, entries / 10) * (long) Math.max(1, entries / 100);
            }
        }
    },
    /** By Zipf's law; after ten times as many keys as entries all keys are other keys. */
    JUMP {
        @Override
        void fill(long[] keys, int entries, Zipf zipf, SplittableRandom random) {
            for (int i = 0; i < keys.length; i++) {
                keys[i] = zipf.next() + i / (10L * entries) * OTHERS;
            }
        }
    },
    /** Two of five keys are new, the others were asked for lately. */
    RECENT {
        @Override
        void fill(long[] keys, int entries, Zipf zipf, SplittableRandom random) {
            long fresh = 0;
            for (int i = 0; i < keys.length; i++) {
                int back = 1 + (int) (-Math.log(1 - random.nextDouble()) * entries);
                keys[i] = back > i || random.nextInt(5) < 2 ? fresh++ : keys[i - back];
            }
        }
    };

    private static final long OTHERS = 1L << 40;

    abstract void fill(long[] keys, int entries, Zipf zipf, SplittableRandom random);

    /**
     * Draws a load.
     *
     * @param entries entries that the cache may have
     * @param count number of keys
     * @param seed of the random numbers
     * @return the keys
     */
    public long[] keys(int entries, int count, long seed) {
        long[] keys = new long[count];
        SplittableRandom random = new SplittableRandom(seed);
        fill(keys, entries, new Zipf(10 * entries, random.split()), random);
        return keys;
    }

    /** Numbers by Zipf's law with exponent 0.9: number k has a probability of k^-0.9, up to a factor. */
    static final class Zipf {
        private static final double EXPONENT = 0.9;

        private final double[] sums;
        private final SplittableRandom random;

        Zipf(int count, SplittableRandom random) {
            sums = new double[count];
            this.random = random;
            double sum = 0;
            for (int i = 0; i < count; i++) {
                sum += Math.pow(i + 1, -EXPONENT);
                sums[i] = sum;
            }
        }

        long next() {
            long found = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
            return found < 0 ? -found - 1 : found;
        }
    }
}
