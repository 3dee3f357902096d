package io.teff.graph.formats;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Figures of all parts of a file, whose sum the file claims. Whichever reader completes the last part sees the sum; a
 * part that is read again gives the same figure.
 */
final class PartCounts {
    private static final long NONE = Long.MIN_VALUE;

    private final AtomicLongArray counts;

    PartCounts(int parts) {
        counts = new AtomicLongArray(parts);
        for (int i = 0; i < parts; i++) {
            counts.set(i, NONE);
        }
    }

    /** Notes the figure of a part; returns whether all parts have figures. */
    boolean note(int part, long count) {
        counts.set(part, count);
        for (int i = 0; i < counts.length(); i++) {
            if (counts.get(i) == NONE) {
                return false;
            }
        }
        return true;
    }

    /** The sum of all figures, which wraps around. */
    long sum() {
        long sum = 0;
        for (int i = 0; i < counts.length(); i++) {
            sum += counts.get(i);
        }
        return sum;
    }
}
