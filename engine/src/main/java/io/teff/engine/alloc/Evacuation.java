package io.teff.engine.alloc;

import io.teff.engine.memory.RegionLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The pages that a defragmentation empties: a bitmap of their units, so that one load decides for an address.
 *
 * <p>A victim is adopted like an active page, but no thread allocates from it, so it only loses slots. One thread
 * begins and ends an evacuation. A thread that finds no memory may {@link #take} a victim for itself.
 */
public final class Evacuation {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

    /** Read plainly: a reader of an outdated bit moves a chunk without need, or leaves it in place. */
    private final long[] units;
    /** Addresses of the victims; 0 for a page that was taken, or not yet added. */
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
     * Returns whether memory lies in a page that is being emptied.
     *
     * @param address any address of the region
     * @return whether a chunk at the address should move
     */
    public boolean contains(long address) {
        long unit = address >>> RegionLayout.UNIT_SHIFT;
        return unit >>> 6 < units.length && (units[(int) (unit >>> 6)] & 1L << unit) != 0;
    }

    /** {@return the number of victims chosen; for the evacuating thread} */
    public int pageCount() {
        return count;
    }

    /** Returns the number of places for victims. */
    int size() {
        return pages.length;
    }

    /** Returns a victim that was not taken, or 0. */
    long page(int index) {
        return (long) ELEMENT.getAcquire(pages, index);
    }

    /** Makes the caller the owner of a victim; returns false if another thread was faster. */
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
