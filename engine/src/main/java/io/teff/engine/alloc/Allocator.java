package io.teff.engine.alloc;

import io.teff.engine.error.StoreException;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.RegionLayout;

/**
 * Allocates slots of 2 B to 16 KiB in pages of one size class, and larger sizes as runs of units.
 *
 * <p><b>Allocate</b> (the caller holds a stripe): take a claimed slot; else exchange a bitmap word of the active page
 * with 0, which claims up to 64 free slots in one atomic step; else adopt a listed page of the class; else take a new
 * page. A slot needs no atomic step of its own. Slots are handed out by ascending address, so consecutive creates lie
 * together.
 *
 * <p><b>Free</b> (any thread): check the page's identity and the slot's number, set its bit by an atomic OR (a bit that
 * was set already means a double free), set the summary bit if the word was empty, then step {@link PageControl}. The
 * order bitmap, summary, control is essential. An owner without a found bit gives up a page only if
 * {@code used == capacity}. So a bit set after the owner's scan either has lowered {@code used} already (the owner
 * scans again), or the freer will meet the state FULL (and lists the page). The owner clears a summary bit before it
 * exchanges the word, so a later free sets it again.
 *
 * <p><b>Invariants</b> (see {@link PageAudit}): used slots = capacity - free bits; a page is LISTED exactly if the list
 * of its class ({@link PageLists}) reaches the page; a page is ACTIVE exactly if a single stripe refers to it, or if
 * the page is a victim of the evacuation ({@link Evacuator}).
 *
 * <p>Rejected: free lists inside slots (a stray write breaks the allocator, a free touches the payload's cache line),
 * buddy pages (waste), thread-local heaps (the number of threads is unlimited). Claiming a page's free slots in one
 * exchange and remote frees without a lock are ideas of mimalloc (Leijen, Zorn, de Moura 2019), here with bitmaps.
 */
public final class Allocator {
    /** Result of {@link #allocate} if the region is at its limit. */
    public static final long FULL = RunMap.FULL;

    private final Memory memory;
    private final RunMap runs;
    private final AllocStripes stripes;
    private final int[] slotBytes = new int[SizeClasses.COUNT];
    private final int[] pageMask = new int[SizeClasses.COUNT];
    private final int[] start = new int[SizeClasses.COUNT];
    private final int[] capacity = new int[SizeClasses.COUNT];
    private final long[] identity = new long[SizeClasses.COUNT];
    private final PageLists lists;
    private final Evacuator evacuator;

    /**
     * Creates an allocator.
     *
     * @param runs run map from which pages are taken
     * @param stripes the allocation stripes
     */
    public Allocator(RunMap runs, AllocStripes stripes) {
        this.runs = runs;
        this.memory = runs.memory();
        this.stripes = stripes;
        for (int c = 0; c < SizeClasses.COUNT; c++) {
            slotBytes[c] = SizeClasses.slotBytes(c);
            pageMask[c] = PageLayout.pageBytes(c) - 1;
            start[c] = PageLayout.start(c);
            capacity[c] = PageLayout.capacity(c);
            identity[c] = PageLayout.identity(c);
        }
        lists = new PageLists(runs);
        evacuator = new Evacuator(runs, stripes, lists);
    }

    Memory memory() {
        return memory;
    }

    /** {@return the evacuator, which empties sparse pages} */
    public Evacuator evacuator() {
        return evacuator;
    }

    /** {@return the audit, which checks all pages} */
    public PageAudit audit() {
        return new PageAudit(memory, runs, stripes, lists, evacuator);
    }

    // ---- allocate ----

    /**
     * Allocates memory; its content is undefined.
     *
     * @param stripe a stripe that the calling thread holds
     * @param bytes size in bytes, at least 1
     * @return the address, or {@link #FULL}
     */
    public long allocate(AllocStripe stripe, long bytes) {
        if (bytes > SizeClasses.SLOT_BYTES_MAX) {
            return allocateRun(stripe, SizeClasses.unitsOf(bytes));
        }
        int sizeClass = SizeClasses.classOf((int) bytes);
        long slot = stripe.takeClaimed(sizeClass, slotBytes[sizeClass]);
        return slot != 0 ? slot : allocateSlow(stripe, sizeClass);
    }

    private long allocateSlow(AllocStripe stripe, int sizeClass) {
        boolean scavenged = false;
        for (;;) {
            long page = stripe.page(sizeClass);
            if (page == 0) {
                page = adoptOrMake(sizeClass);
                if (page == FULL && !scavenged) {
                    scavenged = true;
                    if (scavenge(stripe)) {
                        continue;
                    }
                }
                page = page == FULL ? evacuator.takeVictim(sizeClass) : page;
                if (page == FULL) {
                    return FULL;
                }
                stripe.page(sizeClass, page);
            }
            if (claim(stripe, sizeClass, page)) {
                return stripe.takeClaimed(sizeClass, slotBytes[sizeClass]);
            }
            long control = memory.getLongAcquire(page + PageLayout.CONTROL);
            long exhausted = PageControl.exhausted(control, capacity[sizeClass]);
            if (exhausted != PageControl.REFUSED
                && memory.casLong(page + PageLayout.CONTROL, control, exhausted)) {
                stripe.page(sizeClass, 0);
            }
        }
    }

    private long allocateRun(AllocStripe stripe, long units) {
        long run = runs.takeRun(units);
        return run == FULL && scavenge(stripe) ? runs.takeRun(units) : run;
    }

    private boolean claim(AllocStripe stripe, int sizeClass, long page) {
        for (;;) {
            long summary = memory.getLongAcquire(page + PageLayout.SUMMARY);
            if (summary == 0) {
                return false;
            }
            int word = Long.numberOfTrailingZeros(summary);
            memory.getAndAndLong(page + PageLayout.SUMMARY, ~(1L << word));
            long slots = memory.getAndSetLong(page + PageLayout.BITMAP + (long) word * Long.BYTES, 0);
            if (slots != 0) {
                step(page, Long.bitCount(slots));
                long firstSlot = (long) (word << 6) * slotBytes[sizeClass];
                stripe.claim(sizeClass, slots, page + start[sizeClass] + firstSlot);
                return true;
            }
        }
    }

    private void step(long page, int claimedCount) {
        long control;
        do {
            control = memory.getLongAcquire(page + PageLayout.CONTROL);
        } while (!memory.casLong(page + PageLayout.CONTROL, control, PageControl.claimed(control, claimedCount)));
    }

    private long adoptOrMake(int sizeClass) {
        long page = lists.adopt(sizeClass);
        if (page != 0) {
            return page;
        }
        page = runs.takePage(SizeClasses.pageUnits(sizeClass));
        if (page != FULL) {
            format(sizeClass, page);
            runs.markSlots(page);
        }
        return page;
    }

    private void format(int sizeClass, long page) {
        int words = PageLayout.wordCount(capacity[sizeClass]);
        memory.fill(page, start[sizeClass], (byte) 0);
        memory.putLong(page + PageLayout.CONTROL, PageControl.pack(PageControl.ACTIVE, 0));
        memory.putLong(page + PageLayout.IDENTITY, identity[sizeClass]);
        for (int word = 0; word < words; word++) {
            memory.putLong(page + PageLayout.BITMAP + (long) word * Long.BYTES,
                PageLayout.fullWord(capacity[sizeClass], word));
        }
        memory.putLongRelease(page + PageLayout.SUMMARY, PageLayout.fullWord(words, 0));
    }

    // ---- free ----

    /**
     * Frees memory. All checks are made before anything is changed.
     *
     * @param address result of {@link #allocate}
     * @param bytes size passed to {@link #allocate}
     * @throws StoreException if the address is not memory in use of that size
     */
    public void free(long address, long bytes) {
        if (bytes > SizeClasses.SLOT_BYTES_MAX) {
            runs.release(address, SizeClasses.unitsOf(bytes));
            return;
        }
        int sizeClass = SizeClasses.classOf((int) bytes);
        long page = address & ~(long) pageMask[sizeClass];
        int slot = slotIndex(sizeClass, page, address);
        giveSlots(sizeClass, page, slot >> 6, 1L << slot);
        long before = memory.getLongAcquire(page + PageLayout.CONTROL);
        long after = freed(page, before);
        while (!memory.casLong(page + PageLayout.CONTROL, before, after)) {
            before = memory.getLongAcquire(page + PageLayout.CONTROL);
            after = freed(page, before);
        }
        if (PageControl.state(before) != PageControl.state(after)) {
            if (PageControl.state(after) == PageControl.LISTING) {
                lists.list(sizeClass, page);
            } else {
                lists.takeOffAndRelease(sizeClass, page);
            }
        }
    }

    private static long freed(long page, long control) {
        long after = PageControl.freed(control);
        if (after == PageControl.REFUSED) {
            throw StoreException.fatal("page=0x" + Long.toHexString(page) + " counts no used slot, control=0x"
                + Long.toHexString(control));
        }
        return after;
    }

    private int slotIndex(int sizeClass, long page, long address) {
        if (address < RegionLayout.FIRST_ADDRESS || memory.getLong(page + PageLayout.IDENTITY) != identity[sizeClass]) {
            throw StoreException.fatal("address=0x" + Long.toHexString(address) + " is not in a page of slots of "
                + slotBytes[sizeClass] + " bytes");
        }
        int offset = (int) (address - page) - start[sizeClass];
        int slot = offset / slotBytes[sizeClass];
        if (offset < 0 || slot * slotBytes[sizeClass] != offset || slot >= capacity[sizeClass]) {
            throw StoreException.fatal("address=0x" + Long.toHexString(address) + " is not the start of a slot of "
                + slotBytes[sizeClass] + " bytes");
        }
        return slot;
    }

    /** Sets free bits, then the summary bit. */
    private void giveSlots(int sizeClass, long page, int word, long slots) {
        long before = memory.getAndOrLong(page + PageLayout.BITMAP + (long) word * Long.BYTES, slots);
        if ((before & slots) != 0) {
            throw StoreException.fatal("double free in page=0x" + Long.toHexString(page) + " of slots of "
                + slotBytes[sizeClass] + " bytes, bitmap word=" + word + " bits=0x" + Long.toHexString(before & slots));
        }
        if (before == 0) {
            memory.getAndOrLong(page + PageLayout.SUMMARY, 1L << word);
        }
    }

    // ---- idle pages ----

    /**
     * Gives up active pages without a slot in use, so that other size classes can get the memory.
     *
     * @param owned the stripe that the calling thread holds; other stripes are visited only if they are free
     * @return whether a page was given back
     */
    private boolean scavenge(AllocStripe owned) {
        boolean found = abandonPages(owned, true);
        for (int i = 0; i < stripes.count(); i++) {
            if (i != owned.index() && stripes.tryAcquire(i)) {
                try {
                    found |= abandonPages(stripes.stripe(i), true);
                } finally {
                    stripes.release(stripes.stripe(i));
                }
            }
        }
        return found;
    }

    /** Gives up the active pages of all stripes that are not held at this moment; the next allocation adopts a page. */
    public void abandonIdlePages() {
        for (int i = 0; i < stripes.count(); i++) {
            if (stripes.tryAcquire(i)) {
                try {
                    abandonPages(stripes.stripe(i), false);
                } finally {
                    stripes.release(stripes.stripe(i));
                }
            }
        }
    }

    /**
     * Returns a stripe's claimed slots, and gives up its active pages.
     *
     * @param stripe a stripe that the calling thread holds
     * @param onlyEmpty whether to keep pages that have a slot in use
     * @return whether a page was given back
     */
    public boolean abandonPages(AllocStripe stripe, boolean onlyEmpty) {
        boolean found = false;
        for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
            long page = stripe.page(sizeClass);
            if (page != 0) {
                found |= abandon(stripe, sizeClass, page, onlyEmpty);
            }
        }
        return found;
    }

    private boolean abandon(AllocStripe stripe, int sizeClass, long page, boolean onlyEmpty) {
        long claimed = stripe.claimed(sizeClass);
        int claimedCount = Long.bitCount(claimed);
        long control = memory.getLongAcquire(page + PageLayout.CONTROL);
        if (onlyEmpty && PageControl.used(control) != claimedCount) {
            return false;
        }
        if (claimed != 0) {
            int word = (int) ((stripe.base(sizeClass) - page - start[sizeClass]) / slotBytes[sizeClass]) >> 6;
            stripe.claim(sizeClass, 0, 0);
            giveSlots(sizeClass, page, word, claimed);
            step(page, -claimedCount);
        }
        stripe.page(sizeClass, 0);
        return lists.letGo(sizeClass, page);
    }

    // ---- queries ----

    /**
     * Returns whether a slot or run is allocated. For audits, with all stripes held.
     *
     * @param address result of {@link #allocate}
     * @param bytes size passed to {@link #allocate}
     * @return whether {@link #free} would accept the arguments
     */
    public boolean isInUse(long address, long bytes) {
        return isTaken(address, bytes) && (bytes > SizeClasses.SLOT_BYTES_MAX
            || !claimedByStripe(SizeClasses.classOf((int) bytes), address));
    }

    /**
     * Like {@link #isInUse} during concurrent operations; a slot that a stripe has claimed but not handed out counts
     * as taken.
     */
    boolean isTaken(long address, long bytes) {
        if (bytes > SizeClasses.SLOT_BYTES_MAX) {
            return runs.isRun(address, SizeClasses.unitsOf(bytes));
        }
        int sizeClass = SizeClasses.classOf((int) bytes);
        long page = address & ~(long) pageMask[sizeClass];
        int slot;
        try {
            slot = slotIndex(sizeClass, page, address);
        } catch (StoreException e) {
            return false;
        }
        long free = memory.getLong(page + PageLayout.BITMAP + (long) (slot >> 6) * Long.BYTES);
        return (free & 1L << slot) == 0;
    }

    private boolean claimedByStripe(int sizeClass, long address) {
        for (int i = 0; i < stripes.count(); i++) {
            AllocStripe stripe = stripes.stripe(i);
            long offset = address - stripe.base(sizeClass);
            long slot = offset / slotBytes[sizeClass];
            if (offset >= 0 && slot < Long.SIZE && (stripe.claimed(sizeClass) & 1L << slot) != 0) {
                return true;
            }
        }
        return false;
    }
}
