package io.teff.cluster.net.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: arrays are returned unchanged, each to one taker, and a pool keeps no more than its limit. */
final class ArrayPoolTest {
    private static final int KEPT_BYTES = 1 << 20;
    private static final int COUNT_MAX = 1_000;
    private static final int ALL_BYTES = 64 << 20;

    private final ArrayPool pool = new ArrayPool();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 1_025, 2_048, 2_049, 16_384, 65_535, 65_536, 131_071, 131_072, 131_073, 1_000_000,
        1_048_577})
    void arraysAreKept_butNotAllOfThem(int bytes) {
        final int count = Math.min(ALL_BYTES / Math.max(bytes, 1), COUNT_MAX);
        final List<byte[]> taken = new ArrayList<>();
        final Map<byte[], Boolean> first = new IdentityHashMap<>();
        for (int i = 0; i < count; i++) {
            final byte[] array = pool.take(bytes);
            assertTrue(array.length >= bytes && array.length <= Math.max(2 * bytes, 1), () -> "length " + array.length);
            taken.add(array);
            first.put(array, true);
        }
        assertEquals(count, first.size(), "two have the same");
        taken.forEach(pool::giveBack);
        final Map<byte[], Boolean> second = new IdentityHashMap<>();
        int again = 0;
        for (int i = 0; i < count; i++) {
            final byte[] array = pool.take(bytes);
            second.put(array, true);
            again += first.containsKey(array) ? 1 : 0;
        }
        assertEquals(count, second.size(), "two have the same");
        assertTrue((long) again * bytes <= Math.max(KEPT_BYTES, 2 * bytes), "kept are " + again);
        assertEquals(bytes <= 1 << 20, again > 0);
    }
}
