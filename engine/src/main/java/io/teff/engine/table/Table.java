package io.teff.engine.table;

import io.teff.engine.alloc.RunMap;
import io.teff.engine.error.StoreException;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.RegionLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The chunk table of one creator: a directory on the heap, and pages of 4,096 entries off the heap, created on demand.
 * <pre>
 *  index (40)   | page (28) | slot (12) |
 *
 *  directory: {@link PageDirectory} by page, and a flat copy of its dense beginning:
 *                                         0 = no page yet
 *                                         1..256 = released; all entries come back FREE with this generation
 *                                         + 512 = taken by a thread that is about to create it
 *                                         else the address of the page
 * </pre>
 * Finding an entry takes one load from the flat copy, which stays in the cache (16 KiB per 8 million chunks), or some
 * from the directory, and the load of the entry itself. A directory element is published with release after the page is
 * filled, and loaded with acquire. The flat copy grows by being copied. A reader with an old copy may find no page
 * there, or a page released meanwhile. So the flat copy is only for readers that validate their stripe. The flat copy
 * of a hidden table is empty: readers without its CIDs find no entry.
 *
 * <p>Each page has a <b>page word</b> on the heap: in the own table the page's free indexes ({@link FreeWord}), in a
 * foreign table the number of the page's entries in use.
 *
 * <p>Thread-safe: lookups take no lock; creating and releasing pages takes the table's lock.
 */
public final class Table {
    /** Result of {@link #entry} if there is no page. */
    public static final long NO_ENTRY = 0;
    /** Number of entries of a page. */
    public static final int PAGE_ENTRIES = FreeWord.SLOTS;
    /** Size of a page in bytes, and its alignment. */
    public static final int PAGE_BYTES = PAGE_ENTRIES * Long.BYTES;

    private static final int PAGE_UNITS = PAGE_BYTES >> RegionLayout.UNIT_SHIFT;

    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int SLOT_BITS = 12;
    private static final int SLOT_MASK = FreeWord.SLOTS - 1;
    private static final int PAGE_NUMBER_MASK = (1 << CidLayout.INDEX_BITS - SLOT_BITS) - 1;
    /** Upper bound of the flat copy's elements per existing page. */
    private static final int NEAR_SPARSITY_MAX = 4;
    private static final int RELEASED_MAX = CidLayout.GENERATIONS;
    private static final int TAKEN = 2 * CidLayout.GENERATIONS;
    /** Results of publishing a page. */
    private static final int PUBLISHED = 0;
    private static final int LOST = 1;
    private static final int NO_MEMORY = 2;

    static {
        assert 1 << SLOT_BITS == FreeWord.SLOTS : "a page word counts one page";
        assert RELEASED_MAX + TAKEN < RegionLayout.FIRST_ADDRESS : "a mark must not look like an address";
    }

    private final int nid;
    private final @Nullable Zone zone;
    private final RunMap runs;
    private final Memory memory;
    private final PageDirectory directory;
    /** Pages of all tables of the store. */
    private final TablePages pagesOfAll;
    /**
     * Places of the pages with the lowest numbers, as long as they are dense; 0 where there is no page. Grows by being
     * copied under the table's lock: a reader of an old array finds no page, which was true before.
     */
    private long[] near = {};
    private long pageCount;
    /** Whether readers find nothing here; guarded by this for writes. A reader that misses a change is validated. */
    private boolean isHidden;

    Table(int nid, RunMap runs, TablePages pagesOfAll, @Nullable Zone zone) {
        this.nid = nid;
        this.zone = zone;
        this.runs = runs;
        this.memory = runs.memory();
        this.directory = new PageDirectory(runs);
        this.pagesOfAll = pagesOfAll;
    }

    /**
     * Returns the creator of this table's chunks.
     *
     * @return the NID
     */
    public int nid() {
        return nid;
    }

    /** {@return the zone that the table belongs to; null if this store does not issue the creator's ids} */
    public @Nullable Zone zone() {
        return zone;
    }

    /**
     * Finds an entry.
     *
     * @param index 0 to {@link CidLayout#INDEX_MAX}
     * @return address of the entry, or {@link #NO_ENTRY}
     */
    public long entry(long index) {
        long page = page(index);
        return isPage(page) ? entryIn(page, index) : NO_ENTRY;
    }

    /**
     * Finds an entry like {@link #entry}, for readers that validate their stripe; not in a hidden table.
     *
     * @param index 0 to {@link CidLayout#INDEX_MAX}
     * @return address of the entry, or {@link #NO_ENTRY}
     */
    public long entryToRead(long index) {
        return isHidden ? NO_ENTRY : entry(index);
    }

    /**
     * Finds a page in the dense beginning of the table, with as few instructions as possible.
     *
     * @param cid any CID of this creator
     * @return the page's place ({@link Memory#placeOfZero}) if {@link #isPage}; otherwise {@link #entry} must be
     *     asked. The page may have been released since the caller began to read in the CID's stripe
     */
    public long nearPage(long cid) {
        final long[] pagesNear = near;
        final int number = (int) (cid >>> SLOT_BITS) & PAGE_NUMBER_MASK;
        return Integer.compareUnsigned(number, pagesNear.length) < 0 ? (long) ELEMENT.getAcquire(pagesNear, number) : 0;
    }

    /**
     * Returns whether a directory element is a page.
     *
     * @param page result of {@link #nearPage}, or an element of the directory
     * @return whether it is a page
     */
    public static boolean isPage(long page) {
        return page >= RegionLayout.FIRST_ADDRESS;
    }

    /**
     * Returns the entry of a CID in its page.
     *
     * @param page address or place of the page
     * @param cid any CID whose index is in the page
     * @return address or place of the entry
     */
    public static long entryIn(long page, long cid) {
        return page + (cid & SLOT_MASK) * Long.BYTES;
    }

    private long page(long index) {
        return directory.element(index >>> SLOT_BITS);
    }

    /**
     * Finds an entry, and creates its page if it does not exist.
     *
     * @param index 0 to {@link CidLayout#INDEX_MAX}
     * @return address of the entry, or {@link #NO_ENTRY} if there is no memory
     * @throws StoreException if all generations of the page are used up
     */
    public long makeEntry(long index) {
        long entry = entry(index);
        return entry != NO_ENTRY ? entry : makePage(index) ? entry(index) : NO_ENTRY;
    }

    /**
     * Fills the page before it takes the lock, because that touches new memory; releases the page if another thread
     * was faster.
     */
    private boolean makePage(long index) {
        for (;;) {
            long mark = page(index);
            if (mark >= RegionLayout.FIRST_ADDRESS) {
                return true;
            }
            if (mark == RELEASED_MAX) {
                throw StoreException.fatal("index=" + index + " of nid=" + nid + " was used up");
            }
            long page = runs.takePage(PAGE_UNITS);
            if (page == RunMap.FULL) {
                return page(index) >= RegionLayout.FIRST_ADDRESS;   // another thread may have taken the last memory
            }
            int published = LOST;
            try {
                long word = EntryWord.free((int) mark & TAKEN - 1, 0);
                for (int slot = 0; slot < FreeWord.SLOTS; slot++) {
                    memory.putLong(page + (long) slot * Long.BYTES, word);
                }
                published = publish(index, mark, page);
            } finally {
                if (published != PUBLISHED) {
                    runs.release(page, PAGE_UNITS);
                }
            }
            if (published == NO_MEMORY) {
                return false;
            }
        }
    }

    private synchronized int publish(long index, long mark, long page) {
        if (page(index) != mark) {
            return LOST;
        }
        if (!directory.make(index >>> SLOT_BITS, false)) {
            return NO_MEMORY;
        }
        pageCount++;
        pagesOfAll.made();
        setPage(index, page);
        return PUBLISHED;
    }

    private void setPage(long index, long page) {
        directory.setElement(index >>> SLOT_BITS, page);
        if (isHidden) {
            return;
        }
        int number = (int) (index >>> SLOT_BITS);
        if (number < near.length) {
            ELEMENT.setRelease(near, number, nearElement(page));
        } else if (near.length < pageCount * NEAR_SPARSITY_MAX / 2) {
            growNear((int) Math.min(Long.highestOneBit(pageCount * NEAR_SPARSITY_MAX), PAGE_NUMBER_MASK + 1L));
        }
    }

    private void growNear(int count) {
        long[] grown = Arrays.copyOf(near, count);
        for (int number = near.length; number < count; number++) {
            grown[number] = nearElement(page((long) number << SLOT_BITS));
        }
        VarHandle.releaseFence();                               // publishes the copied content before the array
        near = grown;
    }

    /** Empties the flat copy; it stays empty until {@link #show}. */
    synchronized void hide() {
        isHidden = true;
        near = new long[0];
        VarHandle.fullFence();                                  // the store is not delayed beyond the return
    }

    /** Fills the flat copy. */
    synchronized void show() {
        isHidden = false;
        if (pageCount > 0) {
            growNear((int) Math.min(Long.highestOneBit(pageCount * NEAR_SPARSITY_MAX), PAGE_NUMBER_MASK + 1L));
        }
    }

    private long nearElement(long page) {
        return isPage(page) ? memory.placeOfZero() + page : 0;
    }

    /**
     * Releases a page to the region. The caller holds the stripes of all its indexes, and its page word shows no index
     * in use.
     *
     * @param index any index of the page
     * @param nextGeneration generation of its entries when it is created again; 256 if never
     * @param word its page word from now on
     */
    void releasePage(long index, int nextGeneration, long word) {
        long page;
        synchronized (this) {
            page = page(index);
            setWord(index, word);
            setPage(index, nextGeneration);
            pageCount--;
            pagesOfAll.released();
        }
        runs.release(page, PAGE_UNITS);
    }

    /**
     * Returns the mark that a released page has left in the directory.
     *
     * @param index any index of the page
     * @return the generation that its entries will have; 0 if the page never existed, 256 if all generations are used
     *     up
     */
    public int releasedGeneration(long index) {
        long mark = page(index);
        assert mark < RegionLayout.FIRST_ADDRESS : index;
        return (int) mark & TAKEN - 1;
    }

    /**
     * Returns the mark like {@link #releasedGeneration}, for a caller that does not know whether the page exists.
     *
     * @param index any index of the page
     * @return the generation that its entries will have; -1 if the page exists
     */
    public int generationOfGap(long index) {
        long mark = page(index);
        return isPage(mark) ? -1 : (int) mark & TAKEN - 1;
    }

    /**
     * Sets the mark of a page that does not exist. Only during a restore.
     *
     * @param index any index of the page
     * @param generation the future result of {@link #releasedGeneration}
     */
    public synchronized void markReleased(long index, int generation) {
        directory.make(index >>> SLOT_BITS, true);
        setPage(index, generation);
    }

    // ---- gaps: pages of the own table that do not exist and are not taken ----

    /** Returns whether the page of an index does not exist, is not taken, and has generations left. */
    boolean isGap(long index) {
        return page(index) < RELEASED_MAX;
    }

    /**
     * Takes pages that do not exist, so that only the caller creates these pages or gives them back by
     * {@link #untakePages}. All these pages get the highest of their generations.
     */
    synchronized void takePages(long first, long end) {
        int generation = 0;
        for (long page = first; page < end; page = nextPage(page)) {
            directory.make(page >>> SLOT_BITS, true);
            generation = Math.max(generation, releasedGeneration(page));
        }
        for (long page = first; page < end; page = nextPage(page)) {
            setPage(page, TAKEN + generation);
        }
    }

    /** Gives back those of the pages that were taken and do not exist. */
    synchronized void untakePages(long first, long end) {
        for (long page = first; page < end; page = nextPage(page)) {
            if (page(page) >= TAKEN) {
                setPage(page, page(page) - TAKEN);
            }
        }
    }

    /**
     * Finds the first sequence of adjacent gaps that has a number of indexes; index 0 is not counted.
     *
     * @param first where to start, a page's first index
     * @param end end of the search, and of the sequence's last page
     * @param count number of indexes
     * @param oneGeneration whether all pages must have the same generation
     * @return a page's first index, or -1
     */
    long nextGaps(long first, long end, long count, boolean oneGeneration) {
        long run = first;
        for (long page = first; page < end; page = nextPage(page)) {
            if (!isGap(page)) {
                run = nextPage(page);
                continue;
            }
            if (oneGeneration && page(page) != page(run)) {
                run = page;
            }
            if (nextPage(page) - Math.max(run, 1) >= count) {
                return run;
            }
        }
        return -1;
    }

    /** {@return the number of existing pages} */
    public synchronized long pageCount() {
        return pageCount;
    }

    /** {@return bytes of all pages} */
    public long bytes() {
        return pageCount() * PAGE_BYTES;
    }

    // ---- page words ----

    /**
     * Counts an entry of a foreign table that ceases to be free, or becomes free. The caller is inside its stripe.
     *
     * @param index index of the entry
     * @param delta 1 or -1
     * @return the number of entries of the page that are not free
     */
    public long countForeign(long index, int delta) {
        return addToWord(index, delta);
    }

    /**
     * Releases a page of a foreign table if all its entries are free. The caller is inside all stripes.
     *
     * @param index any index of the page
     */
    public void releaseForeign(long index) {
        if (entry(index) != NO_ENTRY && word(index) == 0) {
            releasePage(index, 0, 0);
            synchronized (this) {
                directory.drop(index >>> SLOT_BITS);
            }
        }
    }

    /**
     * Releases a page, and forgets it and its mark. Only for a dropped zone, after no thread uses the page any more.
     *
     * @param index any index of the page
     */
    public void discardPage(long index) {
        long page;
        synchronized (this) {
            page = page(index);
            setWord(index, 0);
            setPage(index, 0);
            if (isPage(page)) {
                pageCount--;
                pagesOfAll.released();
            }
        }
        if (isPage(page)) {
            runs.release(page, PAGE_UNITS);
        }
    }

    /** Counts the directory no longer against the limit of the region. Only for a dropped zone without pages. */
    public synchronized void discardDirectory() {
        runs.holdOutside(-directory.bytes(), true);
    }

    /** Returns the page word of an index's page, which must have existed at some time. */
    long word(long index) {
        return directory.word(index >>> SLOT_BITS);
    }

    boolean casWord(long index, long expected, long update) {
        return directory.casWord(index >>> SLOT_BITS, expected, update);
    }

    long addToWord(long index, long delta) {
        return directory.addToWord(index >>> SLOT_BITS, delta);
    }

    private void setWord(long index, long word) {
        directory.setWord(index >>> SLOT_BITS, word);
    }

    // ---- walking ----

    /**
     * Finds the first index at or after {@code index} whose page exists.
     *
     * @param index where to start
     * @return {@code index} itself, or the first index of a later page, or -1
     */
    public long nextMade(long index) {
        return next(index, RegionLayout.FIRST_ADDRESS);
    }

    /**
     * Finds the first index at or after {@code index} whose page exists, or existed and left a mark.
     *
     * @param index where to start
     * @return {@code index} itself, or the first index of a later page, or -1
     */
    public long nextKnown(long index) {
        return next(index, 1);
    }

    private long next(long index, long elementMin) {
        long number = directory.next(index >>> SLOT_BITS, elementMin);
        return number < 0 ? -1 : Math.max(index, number << SLOT_BITS);
    }

    /**
     * Returns the first index of the next page.
     *
     * @param index any index
     * @return a multiple of 4,096
     */
    public static long nextPage(long index) {
        return (index >>> SLOT_BITS) + 1 << SLOT_BITS;
    }

    /**
     * Walks all existing pages.
     *
     * @param visitor receives the address of each page
     */
    public void forEachPage(LongConsumer visitor) {
        for (long index = nextMade(0); index >= 0; index = nextMade(nextPage(index))) {
            visitor.accept(page(index));
        }
    }

    /** Returns the slot of an index in its page. */
    static int slotOf(long index) {
        return (int) index & SLOT_MASK;
    }

    /** Returns the first index of the page that contains an index. */
    static long firstOfPage(long index) {
        return index & -(long) FreeWord.SLOTS;
    }
}
