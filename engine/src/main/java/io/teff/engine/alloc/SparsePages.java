package io.teff.engine.alloc;

import io.teff.engine.memory.RegionLayout;
import java.util.Arrays;

/** The listed pages of a class, with the number of slots in use at the time of the visit. For one thread. */
final class SparsePages {
    private static final int INITIAL_COUNT = 64;
    private static final int UNIT_BITS = 40;
    private static final long UNIT_MASK = (1L << UNIT_BITS) - 1;

    private final int capacity;
    /**
     * Slots in use in the high bits, the page's unit in the low bits, so that sorting puts the sparsest pages first.
     */
    private long[] pages = new long[INITIAL_COUNT];
    private int count;
    private long used;

    SparsePages(int capacity) {
        this.capacity = capacity;
    }

    void add(long page, int slotsUsed) {
        if (count == pages.length) {
            pages = Arrays.copyOf(pages, count * 2);
        }
        pages[count++] = (long) slotsUsed << UNIT_BITS | page >>> RegionLayout.UNIT_SHIFT;
        used += slotsUsed;
    }

    /**
     * Chooses the sparsest pages, as long as the other pages have enough free slots for their content; returns their
     * number.
     */
    int chooseVictims(double fillMax) {
        Arrays.sort(pages, 0, count);
        long room = (long) count * capacity - used;
        long moved = 0;
        for (int i = 0; i < count; i++) {
            int slotsUsed = (int) (pages[i] >>> UNIT_BITS);
            moved += slotsUsed;
            room -= capacity - slotsUsed;
            if (moved > room || slotsUsed > fillMax * capacity) {
                return i;
            }
        }
        return count;
    }

    /** Returns the address of a page; after the choice, the sparsest pages are first. */
    long page(int index) {
        return (pages[index] & UNIT_MASK) << RegionLayout.UNIT_SHIFT;
    }
}
