package io.teff.engine;

import java.util.HashMap;
import java.util.Map;

/** A set of addresses that are at least eight bytes apart: bitmaps of 32 KiB ranges. For one thread. */
final class AddressMarks {
    private static final int RANGE_SHIFT = 15;
    private static final int STEP_SHIFT = 3;
    private static final int WORDS = 1 << RANGE_SHIFT - STEP_SHIFT - 6;

    private final Map<Long, long[]> ranges = new HashMap<>();
    private long lastRange = -1;
    private long[] last = {};
    private long count;

    /** Adds an address; false if it was there. */
    boolean add(long address) {
        long range = address >>> RANGE_SHIFT;
        if (range != lastRange) {
            last = ranges.computeIfAbsent(range, ignored -> new long[WORDS]);
            lastRange = range;
        }
        int bit = (int) address >>> STEP_SHIFT & (WORDS << 6) - 1;
        if ((last[bit >> 6] & 1L << bit) != 0) {
            return false;
        }
        last[bit >> 6] |= 1L << bit;
        count++;
        return true;
    }

    long count() {
        return count;
    }
}
