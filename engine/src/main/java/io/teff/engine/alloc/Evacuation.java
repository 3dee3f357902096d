package io.teff.engine.alloc;

import io.teff.engine.memory.RegionLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The pages that a defragmentation empties: a bitmap of their units, so that an address is looked up by one load.
 *
 * <p>A victim is adopted like an active page, but nobody allocates from it, so it can only lose slots. One thread fills
 * and ends an evacuation. A thread that finds no memory may {@link #take} a victim for itself.
 */
public final class Evacuation {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

    /** Read plainly: who sees an old bit moves a chunk for nothing, or leaves it where it is. */
    private final long[] units;
    /** A page that is taken by somebody, or not yet added, is 0. */
    private final long[] pages;
    private int count;

    Evacuation(long unitEnd, int pagesMax) {
        units = new long[(int) (unitEnd + Long.SIZE - 1 >>> 6)];
        pages = new long[pagesMax];
    }

    void add(long page, int pageUnits) {
        long first = page >>> RegionLayout.UNIT_SHIFT;
        for (long unit = first; unit < first + pageUnits; unit++) {
            units[(int) (unit >>> 6)] |= 1L << unit;
        }
        ELEMENT.setRelease(pages, count++, page);
    }

    /**
     * Tells whether memory lies in a page that is being emptied.
     *
     * @param address any address of the region
     * @return whether what is there should move
     */
    public boolean contains(long address) {
        long unit = address >>> RegionLayout.UNIT_SHIFT;
        return unit >>> 6 < units.length && (units[(int) (unit >>> 6)] & 1L << unit) != 0;
    }

    /** {@return how many victims there were; for the thread that evacuates} */
    public int pageCount() {
        return count;
    }

    /** Number of places for victims. */
    int size() {
        return pages.length;
    }

    /** A victim that nobody took, or 0. */
    long page(int index) {
        return (long) ELEMENT.getAcquire(pages, index);
    }

    /** Makes the caller the owner of a victim; false if somebody was first. */
    boolean take(int index, long page, int pageUnits) {
        if (!ELEMENT.compareAndSet(pages, index, page, 0L)) {
            return false;
        }
        long first = page >>> RegionLayout.UNIT_SHIFT;
        for (long unit = first; unit < first + pageUnits; unit++) {
            ELEMENT.getAndBitwiseAnd(units, (int) (unit >>> 6), ~(1L << unit));
        }
        return true;
    }
}
