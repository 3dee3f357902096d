package io.teff.recovery.log.clean;

import org.jspecify.annotations.Nullable;

/**
 * A number per place of a zone, at first 0. Takes 4 bytes per place, in blocks of 4 KiB, allocated on first use and
 * never copied, so growing needs no extra memory. Not thread-safe.
 */
final class PlaceNumbers {
    private final int[] @Nullable [] parts = new int[Newest.PARTS][];

    /** Returns the number of a place. */
    int get(int place) {
        final int[] part = parts[place / Newest.PART_INDEXES];
        return part == null ? 0 : part[place % Newest.PART_INDEXES];
    }

    /** Sets the number of a place. Returns the one before. */
    int set(int place, int number) {
        int[] part = parts[place / Newest.PART_INDEXES];
        if (part == null) {
            part = new int[Newest.PART_INDEXES];
            parts[place / Newest.PART_INDEXES] = part;
        }
        final int before = part[place % Newest.PART_INDEXES];
        part[place % Newest.PART_INDEXES] = number;
        return before;
    }
}
