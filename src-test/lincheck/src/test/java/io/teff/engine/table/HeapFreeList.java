package io.teff.engine.table;

import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;

/**
 * The list of free indexes of a table page on the heap, for a model checker: the words of {@link FreeWord} and the
 * links of {@link EntryWord} on a {@code long[]}, with the steps of {@link IdAllocator}. It is in the engine's package
 * to have access to the rules. Each thread owns three indexes, pushes them, and owns the indexes that it takes. Takers
 * exclude each other by a lock; pushers do not take the lock.
 */
public final class HeapFreeList {
    private static final int THREADS_MAX = 8;
    private static final int SLOTS_PER_THREAD = 3;

    private HeapFreeList() {}

    /** Returns the indexes that each thread owns, as bits. */
    private static int[] slotsByThread() {
        int[] slots = new int[THREADS_MAX];
        for (int thread = 0; thread < THREADS_MAX; thread++) {
            slots[thread] = (1 << SLOTS_PER_THREAD) - 1 << thread * SLOTS_PER_THREAD;
        }
        return slots;
    }

    /** The list of a page. */
    @Param(name = "thread", gen = ThreadIdGen.class)
    @Param(name = "slot", gen = IntGen.class, conf = "0:8")
    public static class FreeList {
        final AtomicLong word = new AtomicLong();
        final long[] entries = new long[THREADS_MAX * SLOTS_PER_THREAD];
        /** For each thread the owned indexes as bits; accessed only by that thread. */
        private final int[] owned = slotsByThread();

        /** Pushes one of the thread's indexes; returns the new length of the list. */
        @Operation(params = "thread")
        public int push(int thread) {
            if (owned[thread] == 0) {
                return 0;
            }
            int slot = Integer.numberOfTrailingZeros(owned[thread]);
            owned[thread] &= owned[thread] - 1;
            return pushSlot(slot);
        }

        private int pushSlot(int slot) {
            long before;
            long after;
            do {
                before = word.get();
                entries[slot] = EntryWord.free(1, FreeWord.head(before));
                after = FreeWord.pushed(before, slot, 1);
            } while (!replace(before, after));
            return FreeWord.count(after);
        }

        /** Takes the whole list; returns its indexes as bits. */
        @Operation(params = "thread")
        public synchronized int detach(int thread) {
            long before;
            do {
                before = word.get();
            } while (!replace(before, FreeWord.detached(before)));
            int taken = 0;
            int count = 0;
            for (int head = FreeWord.head(before); head != 0; head = EntryWord.link(entries[head - 1])) {
                taken |= 1 << head - 1;
                if (++count > entries.length) {
                    throw new IllegalStateException("a list without end");
                }
            }
            if (count != FreeWord.count(before)) {
                throw new IllegalStateException("the list has " + count + " indexes, not " + FreeWord.count(before));
            }
            owned[thread] |= taken;
            return taken;
        }

        /** Takes one index out of the list; returns false if it is not in the list. */
        @Operation(params = {"thread", "slot"})
        public synchronized boolean take(int thread, int slot) {
            boolean taken = unlink(slot + 1);
            if (taken) {
                owned[thread] |= 1 << slot;
            }
            return taken;
        }

        boolean unlink(int slot) {
            long before = word.get();
            while (FreeWord.head(before) == slot) {
                if (replace(before, FreeWord.taken(before, EntryWord.link(entries[slot - 1])))) {
                    return true;
                }
                before = word.get();
            }
            int previous = FreeWord.head(before);
            while (previous != 0 && EntryWord.link(entries[previous - 1]) != slot) {
                previous = EntryWord.link(entries[previous - 1]);
            }
            if (previous == 0) {
                return false;
            }
            entries[previous - 1] = EntryWord.free(1, EntryWord.link(entries[slot - 1]));
            while (!word.compareAndSet(before, FreeWord.taken(before, FreeWord.head(before)))) {
                before = word.get();
            }
            return true;
        }

        boolean replace(long before, long after) {
            return word.compareAndSet(before, after);
        }
    }

    /** An index is taken as if no thread pushed meanwhile. */
    public static final class HastyList extends FreeList {
        @Override
        boolean unlink(int slot) {
            long before = word.get();
            if (FreeWord.head(before) != slot) {
                return super.unlink(slot);
            }
            word.set(FreeWord.taken(before, EntryWord.link(entries[slot - 1])));
            return true;
        }
    }

    /** The word is replaced without a comparison. */
    public static final class BlindList extends FreeList {
        @Override
        boolean replace(long before, long after) {
            word.set(after);
            return true;
        }
    }

    /** The specification: a set. */
    public static final class Rules {
        private final int[] owned = slotsByThread();
        private int list;

        /** Adds an index. */
        public int push(int thread) {
            if (owned[thread] == 0) {
                return 0;
            }
            list |= Integer.lowestOneBit(owned[thread]);
            owned[thread] &= owned[thread] - 1;
            return Integer.bitCount(list);
        }

        /** Removes an index. */
        public boolean take(int thread, int slot) {
            int bit = list & 1 << slot;
            list &= ~bit;
            owned[thread] |= bit;
            return bit != 0;
        }

        /** Takes the whole list. */
        public int detach(int thread) {
            int taken = list;
            list = 0;
            owned[thread] |= taken;
            return taken;
        }
    }
}
