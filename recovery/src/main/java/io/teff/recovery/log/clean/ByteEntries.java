package io.teff.recovery.log.clean;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The entries of bytes that make up the newest states of chunks, with the whole chunks below. For each index a list,
 * from the newest entry down to the whole chunk. Takes 20 bytes per entry, and 4 bytes per index in blocks. For one
 * thread.
 */
final class ByteEntries {
    /** No entry. */
    static final int NONE = 0;
    private static final int CAPACITY_MIN = 64;

    private final PlaceNumbers newest = new PlaceNumbers();
    private final Map<Long, Integer> others = new HashMap<>();
    private long[] numbers = new long[CAPACITY_MIN];
    private int[] segments = new int[CAPACITY_MIN];
    private int[] bytes = new int[CAPACITY_MIN];
    private int[] below = new int[CAPACITY_MIN];
    private int end = 1;
    private int free = NONE;
    private boolean isUsed;

    /** Returns whether any entry was ever added. */
    boolean isUsed() {
        return isUsed;
    }

    /** Returns the newest entry of an index, or NONE if its newest state is a whole chunk. */
    int newest(int place, long index) {
        return !isUsed ? NONE : place >= 0 ? newest.get(place) : others.getOrDefault(index, NONE);
    }

    /** Adds an entry on top of an index. */
    void add(int place, long index, long number, int segment, int entryBytes) {
        isUsed = true;
        final int entry = allocate();
        numbers[entry] = number;
        segments[entry] = segment;
        bytes[entry] = entryBytes;
        below[entry] = newest(place, index);
        set(place, index, entry);
    }

    private int allocate() {
        if (free != NONE) {
            final int entry = free;
            free = below[entry];
            return entry;
        }
        if (end == numbers.length) {
            final int capacity = 2 * end;
            numbers = Arrays.copyOf(numbers, capacity);
            segments = Arrays.copyOf(segments, capacity);
            bytes = Arrays.copyOf(bytes, capacity);
            below = Arrays.copyOf(below, capacity);
        }
        return end++;
    }

    private void set(int place, long index, int entry) {
        if (place >= 0) {
            newest.set(place, entry);
        } else {
            others.put(index, entry);
        }
    }

    /** Drops all entries of an index. */
    void drop(int place, long index) {
        int entry = newest(place, index);
        set(place, index, NONE);
        while (entry != NONE) {
            final int next = below[entry];
            below[entry] = free;
            free = entry;
            entry = next;
        }
    }

    /** Returns the entry of a number in the list of an index: bytes, or the whole chunk below; or NONE. */
    int find(int place, long index, long number, boolean isWhole) {
        int entry = newest(place, index);
        while (entry != NONE && numbers[entry] != number) {
            entry = below[entry];
        }
        return entry != NONE && isWhole == (below[entry] == NONE) ? entry : NONE;
    }

    /** Returns the entry below, or NONE behind the whole chunk. */
    int below(int entry) {
        return below[entry];
    }

    int segment(int entry) {
        return segments[entry];
    }

    void setSegment(int entry, int segment) {
        segments[entry] = segment;
    }

    int bytes(int entry) {
        return bytes[entry];
    }
}
