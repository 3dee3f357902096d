package io.teff.engine.table;

import io.teff.engine.memory.Memory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The free indexes of a table page: entries in native memory, linked, and the page word of {@link FreeWord} on the
 * heap, with the steps of {@link IdAllocator}.
 */
public final class NativeFreeList {
    private static final int SLOTS = 4;
    private static final int[] DIGITS = {1, 10, 100, 1000};

    private final Memory memory;
    private final long entries;
    private final AtomicLong word = new AtomicLong();

    /**
     * Creates an empty list.
     *
     * @param memory accessor of the region
     * @param entries address of four words
     */
    public NativeFreeList(Memory memory, long entries) {
        this.memory = memory;
        this.entries = entries;
        for (int slot = 0; slot < SLOTS; slot++) {
            memory.putLong(entries + (long) slot * Long.BYTES, EntryWord.reserved(0));
        }
    }

    /** Pushes an index. */
    public void push(int slot) {
        long before;
        do {
            before = link(slot);
        } while (!word.compareAndSet(before, FreeWord.pushed(before, slot, 1)));
    }

    /** Like the previous method, but by a load and a store. */
    public void pushTorn(int slot) {
        word.set(FreeWord.pushed(link(slot), slot, 1));
    }

    private long link(int slot) {
        long before = word.get();
        memory.putLongRelease(entries + (long) slot * Long.BYTES, EntryWord.free(1, FreeWord.head(before)));
        return before;
    }

    /** Takes all indexes; returns each as 1 in its decimal digit: 11 means indexes 0 and 1, once each. */
    public int detach() {
        long before;
        do {
            before = word.get();
        } while (!word.compareAndSet(before, FreeWord.detached(before)));
        return digits(before);
    }

    /** Like the previous method, but by a load and a store. */
    public int detachTorn() {
        long before = word.get();
        word.set(FreeWord.detached(before));
        return digits(before);
    }

    /** Encodes a list; one whose length differs from its word's count yields a number that no correct list yields. */
    private int digits(long before) {
        int digits = 0;
        int steps = 0;
        for (int head = FreeWord.head(before); head != 0 && steps <= SLOTS; steps++) {
            digits += DIGITS[head - 1];
            head = EntryWord.link(memory.getLong(entries + (long) (head - 1) * Long.BYTES));
        }
        return steps == FreeWord.count(before) ? digits : -1;
    }
}
