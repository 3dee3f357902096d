package io.teff.engine.alloc;

import io.teff.engine.memory.Memory;

/**
 * A page of two slots in native memory: control, summary and one bitmap word, changed by the rules of
 * {@link PageControl} in the order of {@link Allocator}.
 */
public final class NativePage {
    /** Slots of the page. */
    public static final int SLOTS = 2;

    private static final int BITMAP = 16;
    private static final int SUMMARY = 8;

    private final Memory memory;
    private final long page;

    /**
     * Creates a page whose slots are all used.
     *
     * @param memory accessor of the region
     * @param page address of three words
     * @param full whether its owner has given it up
     */
    public NativePage(Memory memory, long page, boolean full) {
        this.memory = memory;
        this.page = page;
        memory.putLong(page, PageControl.pack(full ? PageControl.FULL : PageControl.ACTIVE, SLOTS));
        memory.putLong(page + SUMMARY, 0);
        memory.putLong(page + BITMAP, 0);
    }

    /** Frees a slot; returns whether the caller must list the page. */
    public boolean free(int slot) {
        setFree(slot);
        long before = memory.getLongAcquire(page);
        while (!memory.casLong(page, before, PageControl.freed(before))) {
            before = memory.getLongAcquire(page);
        }
        return PageControl.state(before) == PageControl.FULL;
    }

    /** Like {@link #free}, but decides by an earlier read which thread lists the page. */
    public boolean freeCheckThenAct(int slot) {
        setFree(slot);
        long before = memory.getLongAcquire(page);
        boolean lists = PageControl.state(before) == PageControl.FULL;
        while (!memory.casLong(page, before, PageControl.freed(before))) {
            before = memory.getLongAcquire(page);
        }
        return lists;
    }

    private void setFree(int slot) {
        if (memory.getAndOrLong(page + BITMAP, 1L << slot) == 0) {
            memory.getAndOrLong(page + SUMMARY, 1);
        }
    }

    /** Only sets a slot's bit. */
    public void setBit(int slot) {
        memory.getAndOrLong(page + BITMAP, 1L << slot);
    }

    /** Sets a slot's bit by a load and a store. */
    public void setBitTorn(int slot) {
        memory.putLong(page + BITMAP, memory.getLong(page + BITMAP) | 1L << slot);
    }

    /** Requests a slot for the owner; returns whether one was claimed, or else the page was given up. */
    public boolean claimOrGiveUp() {
        for (;;) {
            if (claim()) {
                return true;
            }
            long control = memory.getLongAcquire(page);
            long exhausted = PageControl.exhausted(control, SLOTS);
            if (exhausted != PageControl.REFUSED && memory.casLong(page, control, exhausted)) {
                return false;
            }
        }
    }

    /** Like {@link #claimOrGiveUp}, but gives up without checking the number of used slots. */
    public boolean claimOrGiveUpBlindly() {
        for (;;) {
            if (claim()) {
                return true;
            }
            long control = memory.getLongAcquire(page);
            if (memory.casLong(page, control, PageControl.pack(PageControl.FULL, PageControl.used(control)))) {
                return false;
            }
        }
    }

    private boolean claim() {
        if (memory.getLongAcquire(page + SUMMARY) == 0) {
            return false;
        }
        memory.getAndAndLong(page + SUMMARY, ~1L);
        long slots = memory.getAndSetLong(page + BITMAP, 0);
        if (slots == 0) {
            return false;
        }
        long control;
        do {
            control = memory.getLongAcquire(page);
        } while (!memory.casLong(page, control, PageControl.claimed(control, Long.bitCount(slots))));
        return true;
    }

    /** Returns the free slots as bits. */
    public int freeSlots() {
        return (int) memory.getLong(page + BITMAP);
    }

    /** Returns whether the page has a free slot that no thread can find: the page is FULL and no thread lists it. */
    public boolean isLost() {
        return freeSlots() != 0 && PageControl.state(memory.getLong(page)) == PageControl.FULL;
    }
}
