package io.teff.test.bench.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the distributions of keys. */
final class SpreadTest {
    private static final int COUNT = 1000;
    private static final int DRAWS = 200_000;

    /** Returns the frequency of each key, the most frequent ones first. */
    private static int[] frequencies(Spread spread) {
        int[] frequencies = new int[COUNT];
        LongSupplier keys = spread.keys(COUNT);
        for (int i = 0; i < DRAWS; i++) {
            frequencies[(int) keys.getAsLong()]++;
        }
        Arrays.sort(frequencies);
        int[] descending = new int[COUNT];
        Arrays.setAll(descending, i -> frequencies[COUNT - 1 - i]);
        return descending;
    }

    @ParameterizedTest
    @EnumSource
    void keys_allSpreads_chooseEveryKey(Spread spread) {
        int[] frequencies = frequencies(spread);
        assertTrue(frequencies[COUNT - 1] > 0, () -> Arrays.toString(frequencies));
    }

    @Test
    void keys_sequentialAndRandom_areEven() {
        assertEquals(DRAWS / COUNT, frequencies(Spread.SEQUENTIAL)[0]);
        int[] random = frequencies(Spread.RANDOM);
        assertTrue(random[0] < 1.5 * DRAWS / COUNT, () -> Arrays.toString(random));
    }

    @Test
    void keys_hotCold_aTenthHasNineTenths() {
        int[] frequencies = frequencies(Spread.HOT_COLD);
        double share = Arrays.stream(frequencies).limit(COUNT / 10).sum() / (double) DRAWS;
        assertEquals(0.9, share, 0.01);
    }

    @Test
    void keys_zipf_theFirstIsTwiceAsFrequentAsTheSecond() {
        int[] frequencies = frequencies(Spread.ZIPF);
        assertEquals(2, frequencies[0] / (double) frequencies[1], 0.1);
        double sum = 0;
        for (int rank = 1; rank <= COUNT; rank++) {
            sum += Math.pow(rank, -0.99);
        }
        assertEquals(1 / sum, frequencies[0] / (double) DRAWS, 0.01);
    }

    @Test
    void scattered_oneRound_isEveryKeyOnce() {
        BitSet keys = new BitSet();
        LongSupplier scattered = Spread.scattered(COUNT);
        for (int i = 0; i < COUNT; i++) {
            keys.set((int) scattered.getAsLong());
        }
        assertEquals(COUNT, keys.cardinality());
    }
}
