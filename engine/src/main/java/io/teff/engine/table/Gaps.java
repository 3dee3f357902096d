package io.teff.engine.table;

import java.util.Arrays;

/**
 * Ranges of indexes below the first fresh one that are not issued: skipped by a given CID, taken back, or of a table
 * page that was given back. The last one that came is used first.
 *
 * <p>Plain longs, as churn in a small store makes and takes a gap every 4,096 creates. Guarded by the allocator.
 */
final class Gaps {
    private static final int CAPACITY_MIN = 16;

    /** First index and end of each, one behind the other. */
    private long[] ranges = new long[2 * CAPACITY_MIN];
    private int count;

    int count() {
        return count;
    }

    long first(int position) {
        return ranges[2 * position];
    }

    long end(int position) {
        return ranges[2 * position + 1];
    }

    /** Adds a range unless it is empty. */
    void add(long first, long end) {
        if (first < end) {
            if (2 * count == ranges.length) {
                ranges = Arrays.copyOf(ranges, 4 * count);
            }
            ranges[2 * count] = first;
            ranges[2 * count + 1] = end;
            count++;
        }
    }

    /** Where the range of an index is, or -1. */
    int find(long index) {
        for (int i = 0; i < count; i++) {
            if (first(i) <= index && index < end(i)) {
                return i;
            }
        }
        return -1;
    }

    /** Takes an index out of its range. */
    void take(int position, long index) {
        long first = first(position);
        long end = end(position);
        remove(position);
        add(first, index);
        add(index + 1, end);
    }

    /** Takes a range away; another one takes its position. */
    void remove(int position) {
        count--;
        ranges[2 * position] = ranges[2 * count];
        ranges[2 * position + 1] = ranges[2 * count + 1];
    }

    /** Takes the front of the range that came last. */
    void takeUntil(long newFirst) {
        if (newFirst == end(count - 1)) {
            count--;
        } else {
            ranges[2 * count - 2] = newFirst;
        }
    }
}
