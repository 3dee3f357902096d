package io.teff.engine.alloc;

import io.teff.engine.memory.Memory;
import java.util.function.LongPredicate;

/** Checks the invariants of {@link Allocator}: every page against its class, bitmap, summary, control word and list. */
public final class PageAudit {
    private final Memory memory;
    private final RunMap runs;
    private final AllocStripes stripes;
    private final PageLists lists;
    private final Evacuator evacuator;

    PageAudit(Memory memory, RunMap runs, AllocStripes stripes, PageLists lists, Evacuator evacuator) {
        this.memory = memory;
        this.runs = runs;
        this.stripes = stripes;
        this.lists = lists;
        this.evacuator = evacuator;
    }

    /** Receives the results of an audit. */
    public interface Visitor {
        /**
         * Called for each page of slots.
         *
         * @param page address of the page
         * @param slots number of its slots
         * @param slotsInUse number of allocated slots
         */
        void page(long page, int slots, int slotsInUse);

        /**
         * Called for each run that is neither a page of slots nor known to the caller.
         *
         * @param run address of the run
         * @param units size in units
         */
        void run(long run, long units);
    }

    /**
     * Checks every page against its class, bitmap, summary, control word and list. All stripes must be held.
     *
     * @param isPage returns false for page-sized runs that are not pages of slots (tables, large chunks)
     * @param visitor receives each page and run
     * @throws io.teff.engine.error.StoreException that names the first wrong page
     */
    public void run(LongPredicate isPage, Visitor visitor) {
        int[] listed = new int[SizeClasses.COUNT];
        runs.forEachRun((page, units) -> {
            if (isPage.test(page)) {
                int sizeClass = PageLayout.classOf(memory.getLong(page + PageLayout.IDENTITY));
                if (sizeClass < 0 || SizeClasses.pageUnits(sizeClass) != units) {
                    visitor.run(page, units);
                    return;
                }
                int inUse = auditPage(sizeClass, page);
                if (PageControl.state(memory.getLong(page + PageLayout.CONTROL)) == PageControl.LISTED) {
                    listed[sizeClass]++;
                }
                visitor.page(page, PageLayout.capacity(sizeClass), inUse);
            }
        });
        for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
            lists.audit(sizeClass, listed[sizeClass]);
        }
    }

    private int auditPage(int sizeClass, long page) {
        int capacity = PageLayout.capacity(sizeClass);
        int free = 0;
        long summary = memory.getLong(page + PageLayout.SUMMARY);
        for (int word = 0; word < PageLayout.wordCount(capacity); word++) {
            long bits = memory.getLong(page + PageLayout.BITMAP + (long) word * Long.BYTES);
            free += Long.bitCount(bits);
            PageLayout.require((bits & ~PageLayout.fullWord(capacity, word)) == 0, page,
                "a free bit beyond the capacity");
            PageLayout.require(bits == 0 || (summary & 1L << word) != 0, page,
                "free slots that the summary does not show");
        }
        for (int zero = PageLayout.ZERO; zero < PageLayout.BITMAP; zero += Long.BYTES) {
            PageLayout.require(memory.getLong(page + zero) == 0, page, "reserved bytes that are not zero");
        }
        long control = memory.getLong(page + PageLayout.CONTROL);
        int state = PageControl.state(control);
        PageLayout.require(PageControl.used(control) == capacity - free, page, "a wrong count of used slots");
        int claimed = 0;
        int owners = evacuator.isVictim(page) ? 1 : 0;
        for (int i = 0; i < stripes.count(); i++) {
            if (stripes.stripe(i).page(sizeClass) == page) {
                owners++;
                claimed = Long.bitCount(stripes.stripe(i).claimed(sizeClass));
            }
        }
        PageLayout.require(state == PageControl.ACTIVE ? owners == 1
            : owners == 0 && (state == PageControl.FULL || state == PageControl.LISTED), page, "a wrong state");
        return PageControl.used(control) - claimed;
    }
}
