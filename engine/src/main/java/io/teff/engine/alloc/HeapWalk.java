package io.teff.engine.alloc;

import io.teff.engine.error.StoreException;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.RegionLayout;
import java.util.function.LongPredicate;

/**
 * Reports how the memory of a region is used, from the first address to the last: each unit belongs to exactly one
 * page, run or free stretch. Reads the header of each page of slots, and no chunk. For one thread, while all
 * allocation stripes are held; takes some 100 ns per page.
 */
public final class HeapWalk {
    /**
     * Receives pages, runs and free stretches in the order of addresses.
     *
     * @param <E> exception of the visitor
     */
    public interface Visitor<E extends Exception> {
        /**
         * Called for a page of slots.
         *
         * @param address address of the first byte
         * @param sizeClass index of the size class
         * @param slotsInUse number of allocated slots
         * @param slotsClaimed free slots that a stripe has claimed for the next creates
         */
        void page(long address, int sizeClass, int slotsInUse, int slotsClaimed) throws E;

        /**
         * Called for a run that is neither a page of slots nor known to the caller.
         *
         * @param address address of the first byte
         * @param units size in units
         */
        void run(long address, long units) throws E;

        /**
         * Called for free units, of one block at most.
         *
         * @param address address of the first byte
         * @param units number of units
         * @param touchedUnits units among them that still hold memory of the machine
         */
        void free(long address, long units, long touchedUnits) throws E;
    }

    private final RunMap runs;
    private final AllocStripes stripes;
    private final Memory memory;

    /**
     * Creates a walk.
     *
     * @param runs run map of the region
     * @param stripes allocation stripes of the region
     */
    public HeapWalk(RunMap runs, AllocStripes stripes) {
        this.runs = runs;
        this.stripes = stripes;
        this.memory = runs.memory();
    }

    /** {@return the address behind the last block} */
    public long end() {
        return RegionLayout.blockAddress(runs.blockEnd());
    }

    /**
     * Walks over the whole region.
     *
     * @param <E> exception of the visitor
     * @param known returns true for runs to leave out
     * @param visitor receives each page, run and free stretch
     * @throws E if the visitor throws it
     */
    public <E extends Exception> void walk(LongPredicate known, Visitor<E> visitor) throws E {
        LongPredicate any = page -> true;
        long end = end();
        long units;
        for (long address = RegionLayout.FIRST_ADDRESS; address < end; address += units << RegionLayout.UNIT_SHIFT) {
            units = runs.stretchUnits(address);
            if (!runs.isUsed(address)) {
                visitor.free(address, units, runs.touchedUnits(address, units));
            } else if (runs.isSlotPage(address, any)) {
                page(address, visitor);
            } else if (!known.test(address)) {
                visitor.run(address, units);
            }
        }
    }

    private <E extends Exception> void page(long page, Visitor<E> visitor) throws E {
        int sizeClass = PageLayout.classOf(memory.getLong(page + PageLayout.IDENTITY));
        if (sizeClass < 0) {
            throw StoreException.fatal("page=0x" + Long.toHexString(page) + " has a damaged identity");
        }
        long control = memory.getLong(page + PageLayout.CONTROL);
        int claimed = PageControl.state(control) == PageControl.ACTIVE ? claimed(sizeClass, page) : 0;
        visitor.page(page, sizeClass, PageControl.used(control) - claimed, claimed);
    }

    private int claimed(int sizeClass, long page) {
        for (int i = 0; i < stripes.count(); i++) {
            AllocStripe stripe = stripes.stripe(i);
            if (stripe.page(sizeClass) == page) {
                return Long.bitCount(stripe.claimed(sizeClass));
            }
        }
        return 0;                                               // a victim of the evacuation: excluded from allocation
    }
}
