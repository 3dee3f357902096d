package io.teff.engine.care;

import java.util.HashMap;
import java.util.Map;

/**
 * A set of even addresses. Each range of 32 KiB has up to four bitmaps, one for each remainder of the address by 8, so
 * that aligned chunks need only the first. For one thread.
 */
final class AddressMarks {
    private static final int RANGE_SHIFT = 15;
    private static final int STEP_SHIFT = 3;
    private static final int WORDS = 1 << RANGE_SHIFT - STEP_SHIFT - 6;
    private static final int REMAINDERS = 1 << STEP_SHIFT - 1;

    private final Map<Long, long[][]> ranges = new HashMap<>();
    private long lastRange = -1;
    private long[][] last = {};
    private long count;

    /** Adds an address; returns false if the set contains it already. */
    boolean add(long address) {
        assert (address & 1) == 0 : address;
        long range = address >>> RANGE_SHIFT;
        if (range != lastRange) {
            last = ranges.computeIfAbsent(range, ignored -> new long[REMAINDERS][]);
            lastRange = range;
        }
        int remainder = (int) address >>> 1 & REMAINDERS - 1;
        if (last[remainder] == null) {
            last[remainder] = new long[WORDS];
        }
        int bit = (int) address >>> STEP_SHIFT & (WORDS << 6) - 1;
        if ((last[remainder][bit >> 6] & 1L << bit) != 0) {
            return false;
        }
        last[remainder][bit >> 6] |= 1L << bit;
        count++;
        return true;
    }

    long count() {
        return count;
    }
}
