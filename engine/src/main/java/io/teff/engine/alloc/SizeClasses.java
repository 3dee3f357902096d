package io.teff.engine.alloc;

import io.teff.engine.memory.RegionLayout;

/**
 * The sizes of slots, and the page size for each size of slot. Pure functions.
 * <pre>
 *  slot bytes    2   4   6 ... 126 128 | 132 136 ... 256 | 264 ... 512 | ... | 8448 ... 16384
 *  step          2                     |  4              |  8          |     |  256
 *  class         0   1   2 ...      63 |  64 ...      95 |  96 ...     |     |  ... 287
 * </pre>
 * Steps of 2 keep the average waste of tiny chunks at half a byte; above, 32 steps per doubling keep it below 3 %. A
 * size that is a multiple of 8 (4, 2) has a slot size that is a multiple, too, so payloads are naturally aligned.
 */
public final class SizeClasses {
    private static final int SMALL_STEP_SHIFT = 1;
    private static final int SMALLEST_SLOT_BYTES = 1 << SMALL_STEP_SHIFT;
    private static final int SMALL_SLOT_BYTES_MAX = 128;
    private static final int SMALL_SHIFT = 7;
    private static final int SMALL_COUNT = SMALL_SLOT_BYTES_MAX >> SMALL_STEP_SHIFT;
    private static final int STEPS_SHIFT = 5;
    private static final int DOUBLINGS = 7;

    /** The largest slot; larger allocations are runs of units. */
    public static final int SLOT_BYTES_MAX = SMALL_SLOT_BYTES_MAX << DOUBLINGS;
    /** Number of size classes. */
    public static final int COUNT = SMALL_COUNT + (DOUBLINGS << STEPS_SHIFT);

    private static final int SLOTS_IN_PAGE_MAX = 4096;
    private static final int SLOT_BYTES_IN_SMALL_PAGE = 512;
    private static final int SLOT_BYTES_IN_MEDIUM_PAGE = 2048;
    private static final int SMALL_PAGE_UNITS = 8;
    private static final int MEDIUM_PAGE_UNITS = 16;
    private static final int BIG_PAGE_UNITS = 64;

    static {
        assert 1 << SMALL_SHIFT == SMALL_SLOT_BYTES_MAX : "the second part must start where the first ends";
        assert slotBytes(COUNT - 1) == SLOT_BYTES_MAX : "classes must reach the largest slot";
    }

    private SizeClasses() {}

    /**
     * Returns the class of the smallest slot for a number of bytes.
     *
     * @param bytes 1 to {@link #SLOT_BYTES_MAX}
     * @return index of the class
     */
    public static int classOf(int bytes) {
        assert bytes > 0 && bytes <= SLOT_BYTES_MAX : bytes;
        if (bytes <= SMALL_SLOT_BYTES_MAX) {
            return bytes - 1 >> SMALL_STEP_SHIFT;
        }
        int last = bytes - 1;
        int doubling = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(last) - SMALL_SHIFT;
        int step = last - (SMALL_SLOT_BYTES_MAX << doubling) >> SMALL_SHIFT - STEPS_SHIFT + doubling;
        return SMALL_COUNT + (doubling << STEPS_SHIFT) + step;
    }

    /**
     * Returns the size of a class's slots.
     *
     * @param sizeClass index of a class
     * @return bytes of one slot
     */
    public static int slotBytes(int sizeClass) {
        if (sizeClass < SMALL_COUNT) {
            return SMALLEST_SLOT_BYTES + (sizeClass << SMALL_STEP_SHIFT);
        }
        int doubling = sizeClass - SMALL_COUNT >> STEPS_SHIFT;
        int step = (sizeClass - SMALL_COUNT & (1 << STEPS_SHIFT) - 1) + 1;
        return (SMALL_SLOT_BYTES_MAX << doubling) + (step << SMALL_SHIFT - STEPS_SHIFT + doubling);
    }

    /**
     * Returns the size of a class's pages: a power of two, to which the pages are aligned. The smallest slots have
     * smaller pages, because the number of slots per page is limited.
     *
     * @param sizeClass index of a class
     * @return 2, 4, 8, 16 or 64 units
     */
    static int pageUnits(int sizeClass) {
        int slot = slotBytes(sizeClass);
        if (slot <= SLOT_BYTES_IN_SMALL_PAGE) {
            int filled = Integer.highestOneBit(slot * SLOTS_IN_PAGE_MAX) >> RegionLayout.UNIT_SHIFT;
            return Math.min(filled, SMALL_PAGE_UNITS);
        }
        return slot <= SLOT_BYTES_IN_MEDIUM_PAGE ? MEDIUM_PAGE_UNITS : BIG_PAGE_UNITS;
    }

    /**
     * Returns the size of a class's pages.
     *
     * @param sizeClass index of a class
     * @return bytes of a page, including its header
     */
    public static int pageBytes(int sizeClass) {
        return PageLayout.pageBytes(sizeClass);
    }

    /**
     * Returns the number of slots in a class's pages.
     *
     * @param sizeClass index of a class
     * @return slots of a page
     */
    public static int slotsInPage(int sizeClass) {
        return PageLayout.capacity(sizeClass);
    }

    /**
     * Returns the memory that an allocation takes: its slot, or whole units.
     *
     * @param bytes at least 1
     * @return bytes of the slot or run
     */
    public static long takenBytes(long bytes) {
        return bytes <= SLOT_BYTES_MAX ? slotBytes(classOf((int) bytes)) : unitsOf(bytes) << RegionLayout.UNIT_SHIFT;
    }

    /**
     * Returns the number of units for a number of bytes.
     *
     * @param bytes any size
     * @return whole units
     */
    static long unitsOf(long bytes) {
        return bytes + RegionLayout.UNIT_BYTES - 1 >>> RegionLayout.UNIT_SHIFT;
    }
}
