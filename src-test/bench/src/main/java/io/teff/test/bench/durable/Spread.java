package io.teff.test.bench.durable;

import io.teff.test.bench.load.Draws;
import io.teff.test.bench.store.Named;
import java.util.Arrays;
import java.util.function.LongSupplier;

/** Distributions of keys. Frequent keys are scattered among the others. */
enum Spread implements Named {
    /** In ascending order, repeatedly. */
    SEQUENTIAL,
    /** Uniform. */
    RANDOM,
    /** The n-th most frequent key is 1/n^0.99 as frequent as the first. */
    ZIPF,
    /** A tenth of the keys gets nine tenths of the accesses. */
    HOT_COLD;

    private static final double ZIPF_EXPONENT = 0.99;
    /** Zipf's draws are precomputed and reused: they cost more than the measured operation. */
    private static final int ZIPF_DRAWS = 1 << 20;
    private static final int TENTHS = 10;
    private static final long SEED = 11;
    /** A prime above all counts. */
    private static final long STRIDE = 2_147_483_629;

    /** Keys from 0 to less than a count, for one thread. */
    LongSupplier keys(int count) {
        return switch (this) {
            case SEQUENTIAL -> new LongSupplier() {
                private long next;

                @Override
                public long getAsLong() {
                    long key = next;
                    next = key + 1 == count ? 0 : key + 1;
                    return key;
                }
            };
            case RANDOM -> draws(seed -> Draws.below(seed, count));
            case ZIPF -> zipf(count);
            case HOT_COLD -> draws(seed -> scatter(isHot(seed) ? Draws.below(seed * TENTHS, count / TENTHS)
                : count / TENTHS + Draws.below(seed * TENTHS, count - count / TENTHS), count));
        };
    }

    private static boolean isHot(long seed) {
        return Draws.below(seed, TENTHS) > 0;
    }

    /** Every key once, in an order that defeats prefetchers. */
    static LongSupplier scattered(int count) {
        LongSupplier all = SEQUENTIAL.keys(count);
        return () -> scatter(all.getAsLong(), count);
    }

    private static long scatter(long rank, int count) {
        return rank * STRIDE % count;
    }

    /** Maps the state of a generator to a key. */
    @FunctionalInterface
    private interface Choice {
        long choose(long seed);
    }

    private static LongSupplier draws(Choice choice) {
        return new LongSupplier() {
            private long seed = SEED;

            @Override
            public long getAsLong() {
                seed = Draws.next(seed);
                return choice.choose(seed);
            }
        };
    }

    /** By the cumulative distribution: the draw is searched among the sums over all more frequent keys. */
    private static LongSupplier zipf(int count) {
        double[] sums = new double[count];
        double sum = 0;
        for (int rank = 0; rank < count; rank++) {
            sum += Math.pow(rank + 1.0, -ZIPF_EXPONENT);
            sums[rank] = sum;
        }
        int[] keys = new int[ZIPF_DRAWS];
        LongSupplier draws = draws(seed -> seed >>> 11);
        for (int i = 0; i < keys.length; i++) {
            int place = Arrays.binarySearch(sums, draws.getAsLong() * 0x1p-53 * sum);
            keys[i] = (int) scatter(Math.min(place < 0 ? -place - 1 : place, count - 1), count);
        }
        LongSupplier places = SEQUENTIAL.keys(ZIPF_DRAWS);
        return () -> keys[(int) places.getAsLong()];
    }
}
