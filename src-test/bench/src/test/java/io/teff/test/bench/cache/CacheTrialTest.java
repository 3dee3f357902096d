package io.teff.test.bench.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The loads of caches, and hit rates beside Caffeine's with a small limit. */
final class CacheTrialTest {
    private static final int ENTRIES = 1_000;
    private static final double POINTS_MAX = 3;                 // 2 with a larger limit

    @ParameterizedTest
    @EnumSource
    void hitRate_isNotFarBelowCaffeines(LoadKind kind) {
        long[] keys = kind.keys(ENTRIES, 60 * ENTRIES, 1);
        double teff = CacheTrial.teffHits(keys, ENTRIES);
        double caffeine = CacheTrial.caffeineHits(keys, ENTRIES);
        assertTrue(teff >= caffeine - POINTS_MAX, kind + ": " + teff + " of " + caffeine);
    }

    @ParameterizedTest
    @EnumSource
    void load_isThatOfItsSeed(LoadKind kind) {
        assertTrue(Arrays.equals(kind.keys(100, 1_000, 7), kind.keys(100, 1_000, 7)));
    }

    @Test
    void memory_ofAnEntryThatExpires_isWithinTheBar() {
        double[] bytes = CacheTrial.memory(20_000);
        assertEquals(4, bytes.length);
        assertTrue(bytes[1] <= 1.15 * bytes[0], () -> Arrays.toString(bytes));
    }
}
