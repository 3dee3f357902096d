package io.teff.engine.alloc;

import io.teff.engine.error.StoreException;
import io.teff.engine.memory.RegionLayout;

/**
 * Layout of a page of slots. Pure functions, and one table per size class.
 * <pre>
 *  0        8        16       24       32         40          64            start
 *  +--------+--------+--------+--------+----------+-----------+--------------+------+------+----
 *  | control| summary|  next  |  prev  | identity | zero (24) | free bitmap  | slot | slot | ...
 *  +--------+--------+--------+--------+----------+-----------+--------------+------+------+----
 *  control   see {@link PageControl}
 *  summary   bit i set: word i of the bitmap may have a free slot; clear: it has none, or a freer is about to set it
 *  next/prev page addresses of the class's list, 0 at its ends; guarded by the class's lock
 *  identity  magic (32) | size class (16) | capacity (16), checked by each free
 *  bitmap    one bit per slot, 1 = free; bits beyond the capacity are 0
 *  start     a multiple of 64
 * </pre>
 */
final class PageLayout {
    static final int CONTROL = 0;
    static final int SUMMARY = 8;
    static final int NEXT = 16;
    static final int PREV = 24;
    static final int IDENTITY = 32;
    static final int ZERO = 40;
    static final int BITMAP = 64;
    private static final int SLOT_ALIGNMENT = 64;

    private static final long MAGIC = 0x7EFF_9A6EL;
    private static final int MAGIC_SHIFT = 32;
    private static final int CLASS_SHIFT = 16;

    static {
        assert SUMMARY == CONTROL + 8 && NEXT == SUMMARY + 8 && PREV == NEXT + 8 && IDENTITY == PREV + 8
            && ZERO == IDENTITY + 8 && BITMAP % SLOT_ALIGNMENT == 0 : "header fields must tile";
    }

    private PageLayout() {}

    /** Returns the bytes of a page of the class. */
    static int pageBytes(int sizeClass) {
        return SizeClasses.pageUnits(sizeClass) << RegionLayout.UNIT_SHIFT;
    }

    /** Returns the number of slots in a page of the class: as many as fit together with their bits. */
    static int capacity(int sizeClass) {
        int slot = SizeClasses.slotBytes(sizeClass);
        int page = pageBytes(sizeClass);
        int count = Math.min(page / slot, Long.SIZE * Long.SIZE);
        while (startOf(count) + count * slot > page) {
            count--;
        }
        return count;
    }

    /** Returns the offset of the first slot in a page of the class. */
    static int start(int sizeClass) {
        return startOf(capacity(sizeClass));
    }

    private static int startOf(int capacity) {
        return BITMAP + wordCount(capacity) * Long.BYTES + SLOT_ALIGNMENT - 1 & -SLOT_ALIGNMENT;
    }

    /** Returns the number of words of a bitmap for a number of slots; at most 64, so that the summary is one word. */
    static int wordCount(int capacity) {
        return capacity + Long.SIZE - 1 >> 6;
    }

    /** Returns a bitmap word with all its slots free. */
    static long fullWord(int capacity, int wordIndex) {
        int left = capacity - (wordIndex << 6);
        return left >= Long.SIZE ? -1L : (1L << left) - 1;
    }

    /** Returns the identity word of a page of the class. */
    static long identity(int sizeClass) {
        return MAGIC << MAGIC_SHIFT | (long) sizeClass << CLASS_SHIFT | capacity(sizeClass);
    }

    /** Returns the size class in an identity word, or -1 if it is not one. */
    static int classOf(long identity) {
        int sizeClass = (int) (identity >>> CLASS_SHIFT) & 0xFFFF;
        return identity >>> MAGIC_SHIFT == MAGIC && sizeClass < SizeClasses.COUNT && identity == identity(sizeClass)
            ? sizeClass : -1;
    }

    /** Checks an invariant of a page; throws a FATAL exception that names the page if it does not hold. */
    static void require(boolean right, long page, String what) {
        if (!right) {
            throw StoreException.fatal("page=0x" + Long.toHexString(page) + " has " + what);
        }
    }
}
