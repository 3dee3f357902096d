package io.teff.engine.alloc;

import io.teff.engine.error.StoreException;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.RegionLayout;
import java.util.Objects;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Slots of 8 B to 16 KiB in pages of one size class, and runs of units above.
 *
 * <p><b>Allocate</b> (the caller holds a stripe): take a claimed slot; else exchange a bitmap word of the active page
 * with 0, which claims up to 64 free slots by one atomic step; else adopt a listed page of the class, else take a new
 * page. A slot costs no atomic step of its own. Slots are handed out by rising address, so consecutive creates lie
 * together.
 *
 * <p><b>Free</b> (anyone): check the page's identity and the slot's number, set its bit by an atomic OR (a bit that was
 * set is a double free), set the summary bit if the word was empty, then step {@link PageControl}. The order bitmap,
 * summary, control matters: the owner that finds no bit gives up a page only if {@code used == capacity}, so a bit that
 * was set after its scan has either lowered {@code used} already (it scans again) or will meet the state FULL (its
 * freer lists the page). The owner clears a summary bit before it exchanges the word, so a later free sets it again.
 *
 * <p><b>Invariants</b> (see {@link #audit}): used slots = capacity - free bits; a page is LISTED exactly if its class's
 * list reaches it; ACTIVE exactly if one stripe names it, or it is a victim of the evacuation.
 *
 * <p>Rejected: free lists inside of slots (a stray write breaks the allocator, a free touches the payload's line),
 * buddy pages (waste), thread-local heaps (threads without number). The idea of claiming a page's free slots in one
 * exchange and of remote frees without a lock is mimalloc's (Leijen, Zorn, de Moura 2019), here with bitmaps.
 */
public final class Allocator {
    /** Result of {@link #allocate} when the region is at its limit. */
    public static final long FULL = RunMap.FULL;

    private final Memory memory;
    private final RunMap runs;
    private final AllocStripes stripes;
    private final int[] slotBytes = new int[SizeClasses.COUNT];
    private final int[] pageMask = new int[SizeClasses.COUNT];
    private final int[] start = new int[SizeClasses.COUNT];
    private final int[] capacity = new int[SizeClasses.COUNT];
    private final long[] identity = new long[SizeClasses.COUNT];
    /** First page of each class's list; element i is guarded by {@code classLocks[i]}. */
    private final long[] listHeads = new long[SizeClasses.COUNT];
    private final Object[] classLocks = new Object[SizeClasses.COUNT];
    /** The evacuation under way, or null; for audits. */
    private volatile @Nullable Evacuation evacuation;

    /**
     * Makes an allocator over a run map.
     *
     * @param runs where pages come from
     * @param stripes where threads allocate
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
            classLocks[c] = new Object();
        }
        runs.reclaimBy(this::releaseEmptyVictims);
    }

    Memory memory() {
        return memory;
    }

    // ---- allocate ----

    /**
     * Hands out memory; its content is undefined.
     *
     * @param stripe a stripe that the calling thread holds
     * @param bytes at least 1
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
                page = page == FULL ? takeVictim(sizeClass) : page;
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
        synchronized (classLocks[sizeClass]) {
            for (long page = listHeads[sizeClass]; page != 0; page = memory.getLong(page + PageLayout.NEXT)) {
                long control = memory.getLongAcquire(page + PageLayout.CONTROL);
                long adopted = PageControl.adopted(control);
                while (adopted != PageControl.REFUSED
                    && !memory.casLong(page + PageLayout.CONTROL, control, adopted)) {
                    control = memory.getLongAcquire(page + PageLayout.CONTROL);
                    adopted = PageControl.adopted(control);
                }
                if (adopted != PageControl.REFUSED) {
                    unlink(sizeClass, page);
                    return page;
                }
            }
        }
        long page = runs.takePage(SizeClasses.pageUnits(sizeClass));
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
     * Takes memory back. Everything is checked before anything is changed.
     *
     * @param address what {@link #allocate} returned
     * @param bytes what was asked for then
     * @throws StoreException if that is not memory in use of that size
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
                list(sizeClass, page);
            } else {
                takeOffAndRelease(sizeClass, page);
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

    private void list(int sizeClass, long page) {
        boolean gone;
        synchronized (classLocks[sizeClass]) {
            long control;
            long listed;
            do {
                control = memory.getLongAcquire(page + PageLayout.CONTROL);
                listed = PageControl.listed(control);
            } while (!memory.casLong(page + PageLayout.CONTROL, control, listed));
            gone = PageControl.state(listed) == PageControl.GONE;
            if (!gone) {
                link(sizeClass, page);
            }
        }
        if (gone) {
            release(sizeClass, page);
        }
    }

    private void takeOffAndRelease(int sizeClass, long page) {
        synchronized (classLocks[sizeClass]) {
            unlink(sizeClass, page);
        }
        release(sizeClass, page);
    }

    private void release(int sizeClass, long page) {
        memory.putLong(page + PageLayout.IDENTITY, 0);
        runs.release(page, SizeClasses.pageUnits(sizeClass));
    }

    /** A page that becomes LISTED may be seen as GONE by its last freer only after the class lock is free: linked. */
    private void link(int sizeClass, long page) {
        long next = listHeads[sizeClass];
        memory.putLong(page + PageLayout.NEXT, next);
        memory.putLong(page + PageLayout.PREV, 0);
        if (next != 0) {
            memory.putLong(next + PageLayout.PREV, page);
        }
        listHeads[sizeClass] = page;
    }

    private void unlink(int sizeClass, long page) {
        long next = memory.getLong(page + PageLayout.NEXT);
        long prev = memory.getLong(page + PageLayout.PREV);
        if (next != 0) {
            memory.putLong(next + PageLayout.PREV, prev);
        }
        if (prev != 0) {
            memory.putLong(prev + PageLayout.NEXT, next);
        } else {
            listHeads[sizeClass] = next;
        }
    }

    // ---- care ----

    /**
     * Lets go of active pages that no slot of is in use, so that other size classes can have the memory.
     *
     * @param mine the stripe that the calling thread holds; others are looked at only if they are free
     * @return whether a page was given back
     */
    private boolean scavenge(AllocStripe mine) {
        boolean found = abandonPages(mine, true);
        for (int i = 0; i < stripes.count(); i++) {
            if (i != mine.index() && stripes.tryAcquire(i)) {
                try {
                    found |= abandonPages(stripes.stripe(i), true);
                } finally {
                    stripes.release(stripes.stripe(i));
                }
            }
        }
        return found;
    }

    /**
     * Gives back what a stripe claimed and lets go of its active pages.
     *
     * @param stripe a stripe that the calling thread holds
     * @param onlyEmpty keep pages of which a slot is in use
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
        return letGo(sizeClass, page);
    }

    // ---- evacuate ----

    /**
     * Chooses the sparsest listed pages of each class, as many as the free slots of its other listed pages can take in,
     * and keeps them from being allocated from. One evacuation at a time; {@link #endEvacuation} must follow.
     *
     * @param fillMax share of its slots that a page may have in use to be worth emptying
     * @return the victims
     */
    public Evacuation beginEvacuation(double fillMax) {
        @Nullable SparsePages[] sparse = findSparsePages();
        int[] counts = new int[SizeClasses.COUNT];
        int total = 0;
        for (int c = 0; c < SizeClasses.COUNT; c++) {
            counts[c] = sparse[c] == null ? 0 : sparse[c].chooseVictims(fillMax);
            total += counts[c];
        }
        Evacuation victims = new Evacuation((long) runs.blockEnd() * RegionLayout.UNITS_PER_BLOCK, total);
        evacuation = victims;
        boolean begun = false;
        try {
            for (int c = 0; c < SizeClasses.COUNT; c++) {
                for (int i = 0; i < counts[c]; i++) {
                    AllocStripe stripe = stripes.acquire();     // not in a quiet moment
                    try {
                        adoptVictim(c, Objects.requireNonNull(sparse[c]).page(i), victims);
                    } finally {
                        stripes.release(stripe);
                    }
                }
            }
            begun = true;
            return victims;
        } finally {
            if (!begun) {
                endEvacuation(victims);
            }
        }
    }

    private @Nullable SparsePages[] findSparsePages() {
        @Nullable SparsePages[] sparse = new SparsePages[SizeClasses.COUNT];
        int blockEnd = runs.blockEnd();
        for (int block = RegionLayout.FIRST_BLOCK; block < blockEnd; block++) {
            runs.forEachSlotPage(block, page -> {
                int sizeClass = PageLayout.classOf(memory.getLong(page + PageLayout.IDENTITY));
                long control = memory.getLongAcquire(page + PageLayout.CONTROL);
                if (sizeClass >= 0 && PageControl.state(control) == PageControl.LISTED) {
                    if (sparse[sizeClass] == null) {
                        sparse[sizeClass] = new SparsePages(capacity[sizeClass]);
                    }
                    sparse[sizeClass].add(page, PageControl.used(control));
                }
            });
        }
        return sparse;
    }

    /** What was seen of the page may be over; it is a listed page of the class now, or left alone. */
    private void adoptVictim(int sizeClass, long page, Evacuation victims) {
        synchronized (classLocks[sizeClass]) {
            if (!runs.isSlotPage(page, at -> memory.getLong(at + PageLayout.IDENTITY) == identity[sizeClass])) {
                return;
            }
            long control;
            long adopted;
            do {
                control = memory.getLongAcquire(page + PageLayout.CONTROL);
                adopted = PageControl.adopted(control);
            } while (adopted != PageControl.REFUSED && !memory.casLong(page + PageLayout.CONTROL, control, adopted));
            if (adopted != PageControl.REFUSED) {
                unlink(sizeClass, page);
                victims.add(page, SizeClasses.pageUnits(sizeClass));
            }
        }
    }

    /**
     * Lists the victims again, or gives them back if they are empty.
     *
     * @param victims what {@link #beginEvacuation} returned
     * @return bytes of the pages that were given back
     */
    public long endEvacuation(Evacuation victims) {
        long bytes = 0;
        for (int i = 0; i < victims.size(); i++) {
            AllocStripe stripe = stripes.acquire();             // not in a quiet moment
            try {
                bytes += endVictim(victims, i);
            } finally {
                stripes.release(stripe);
            }
        }
        evacuation = null;
        return bytes;
    }

    private long endVictim(Evacuation victims, int index) {
        long page = victims.page(index);
        if (page == 0) {
            return 0;
        }
        int sizeClass = PageLayout.classOf(memory.getLong(page + PageLayout.IDENTITY));
        return victims.take(index, page, SizeClasses.pageUnits(sizeClass)) && letGo(sizeClass, page)
            ? PageLayout.pageBytes(sizeClass) : 0;
    }

    /** The last resort before FULL: a victim of the class becomes the caller's active page. */
    private long takeVictim(int sizeClass) {
        Evacuation victims = evacuation;
        for (int i = 0; victims != null && i < victims.size(); i++) {
            long page = victims.page(i);
            if (page != 0 && memory.getLong(page + PageLayout.IDENTITY) == identity[sizeClass]
                && victims.take(i, page, SizeClasses.pageUnits(sizeClass))) {
                return page;
            }
        }
        return FULL;
    }

    /** Before anybody is told FULL: gives back the victims that are empty already, of whatever class they are. */
    private boolean releaseEmptyVictims() {
        Evacuation victims = evacuation;
        boolean found = false;
        for (int i = 0; victims != null && i < victims.size(); i++) {
            long page = victims.page(i);
            if (page != 0) {
                int sizeClass = PageLayout.classOf(memory.getLong(page + PageLayout.IDENTITY));
                if (sizeClass >= 0 && PageControl.used(memory.getLongAcquire(page + PageLayout.CONTROL)) == 0
                    && victims.take(i, page, SizeClasses.pageUnits(sizeClass))) {
                    found |= letGo(sizeClass, page);
                }
            }
        }
        return found;
    }

    /** Lists a page that the caller owns; true if no slot of it is in use. */
    private boolean letGo(int sizeClass, long page) {
        long control;
        long abandoned;
        do {
            control = memory.getLongAcquire(page + PageLayout.CONTROL);
            abandoned = PageControl.abandoned(control);
        } while (!memory.casLong(page + PageLayout.CONTROL, control, abandoned));
        list(sizeClass, page);
        return PageControl.used(abandoned) == 0;
    }

    // ---- audit ----

    /** What an audit learns of a page. */
    public interface PageVisitor {
        /**
         * Called once per page of slots.
         *
         * @param page its address
         * @param slots slots that it has
         * @param slotsInUse slots that are handed out
         */
        void page(long page, int slots, int slotsInUse);

        /**
         * Called once per run that is neither a page of slots nor known to the caller.
         *
         * @param run its address
         * @param units its size
         */
        void other(long run, long units);
    }

    /**
     * Tells whether a slot or run is handed out; for audits, with all stripes held.
     *
     * @param address what {@link #allocate} returned
     * @param bytes what was asked for then
     * @return whether a {@link #free} would be right
     */
    public boolean isInUse(long address, long bytes) {
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
        return (free & 1L << slot) == 0 && !claimedByStripe(sizeClass, address);
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

    /**
     * Checks every page against its class, bitmap, summary, control word and list. All stripes must be held.
     *
     * @param isPage tells which page-sized runs are not pages of slots (tables, large chunks)
     * @param visitor told of each page
     * @throws StoreException naming the first page that is wrong
     */
    public void audit(LongPredicate isPage, PageVisitor visitor) {
        int[] listed = new int[SizeClasses.COUNT];
        runs.forEachRun((page, units) -> {
            if (isPage.test(page)) {
                int sizeClass = PageLayout.classOf(memory.getLong(page + PageLayout.IDENTITY));
                if (sizeClass < 0 || SizeClasses.pageUnits(sizeClass) != units) {
                    visitor.other(page, units);
                    return;
                }
                int inUse = auditPage(sizeClass, page);
                if (PageControl.state(memory.getLong(page + PageLayout.CONTROL)) == PageControl.LISTED) {
                    listed[sizeClass]++;
                }
                visitor.page(page, capacity[sizeClass], inUse);
            }
        });
        for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
            auditList(sizeClass, listed[sizeClass]);
        }
    }

    private int auditPage(int sizeClass, long page) {
        int free = 0;
        long summary = memory.getLong(page + PageLayout.SUMMARY);
        for (int word = 0; word < PageLayout.wordCount(capacity[sizeClass]); word++) {
            long bits = memory.getLong(page + PageLayout.BITMAP + (long) word * Long.BYTES);
            free += Long.bitCount(bits);
            require((bits & ~PageLayout.fullWord(capacity[sizeClass], word)) == 0, page,
                "a free bit beyond the capacity");
            require(bits == 0 || (summary & 1L << word) != 0, page, "free slots that the summary does not show");
        }
        for (int zero = PageLayout.ZERO; zero < PageLayout.BITMAP; zero += Long.BYTES) {
            require(memory.getLong(page + zero) == 0, page, "reserved bytes that are not zero");
        }
        long control = memory.getLong(page + PageLayout.CONTROL);
        int state = PageControl.state(control);
        require(PageControl.used(control) == capacity[sizeClass] - free, page, "a wrong count of used slots");
        int claimed = 0;
        Evacuation victims = evacuation;
        int owners = victims != null && victims.contains(page) ? 1 : 0;
        for (int i = 0; i < stripes.count(); i++) {
            if (stripes.stripe(i).page(sizeClass) == page) {
                owners++;
                claimed = Long.bitCount(stripes.stripe(i).claimed(sizeClass));
            }
        }
        require(state == PageControl.ACTIVE ? owners == 1
            : owners == 0 && (state == PageControl.FULL || state == PageControl.LISTED), page, "a wrong state");
        return PageControl.used(control) - claimed;
    }

    private void auditList(int sizeClass, int expected) {
        synchronized (classLocks[sizeClass]) {
            int count = 0;
            long prev = 0;
            for (long page = listHeads[sizeClass]; page != 0; page = memory.getLong(page + PageLayout.NEXT)) {
                require(memory.getLong(page + PageLayout.PREV) == prev, page, "a wrong back link");
                require(++count <= expected, page, "a list that is too long");
                prev = page;
            }
            require(count == expected, prev, "listed pages that its list does not reach, class=" + sizeClass);
        }
    }

    private static void require(boolean right, long page, String what) {
        if (!right) {
            throw StoreException.fatal("page=0x" + Long.toHexString(page) + " has " + what);
        }
    }
}
