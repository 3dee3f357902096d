package io.teff.engine.alloc;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * A page of slots on the heap, for a model checker: the words of {@link PageControl}, with the steps of {@link
 * Allocator} in the same order. It is in the engine's package to have access to the rules. One thread allocates, all
 * threads free. Operations return nothing, so a history is wrong if a step or the final audit throws.
 */
public final class HeapPage {
    private static final int SLOTS = 3;

    private HeapPage() {}

    /** A page of three slots in two bitmap words; slot 0 is free, the two slots of the other word are allocated. */
    public static class Page {
        final AtomicLong control = new AtomicLong(PageControl.pack(PageControl.ACTIVE, SLOTS - 1));
        private final AtomicLong summary = new AtomicLong(1);
        private final AtomicLong[] bitmap = {new AtomicLong(1), new AtomicLong()};
        /** For each slot, 1 while it is allocated. */
        private final AtomicIntegerArray handedOut = new AtomicIntegerArray(new int[] {0, 1, 1});
        private final Object classLock = new Object();
        private boolean listed;
        private volatile boolean released;
        private boolean owned = true;
        private long claimed;

        private static int wordOf(int slot) {
            return slot == 0 ? 0 : 1;
        }

        /** Allocates a slot, if one is free. */
        @Operation(nonParallelGroup = "owner")
        public void allocate() {
            if (claimed == 0 && !(owned || adopt()) || claimed == 0 && !claimOrGiveUp()) {
                return;
            }
            int slot = Long.numberOfTrailingZeros(claimed);
            claimed &= claimed - 1;
            if (!handedOut.compareAndSet(slot, 0, 1)) {
                throw new IllegalStateException("slot " + slot + " was handed out twice");
            }
        }

        private boolean claimOrGiveUp() {
            for (;;) {
                if (claim()) {
                    return true;
                }
                long before = control.get();
                long exhausted = exhausted(before);
                if (exhausted != PageControl.REFUSED && control.compareAndSet(before, exhausted)) {
                    owned = false;
                    return false;
                }
            }
        }

        long exhausted(long before) {
            return PageControl.exhausted(before, SLOTS);
        }

        private boolean claim() {
            for (;;) {
                long words = summary.get();
                if (words == 0) {
                    return false;
                }
                int word = Long.numberOfTrailingZeros(words);
                summary.getAndUpdate(bits -> bits & ~(1L << word));
                long slots = bitmap[word].getAndSet(0);
                if (slots != 0) {
                    control.getAndUpdate(before -> PageControl.claimed(before, Long.bitCount(slots)));
                    claimed = slots;
                    return true;
                }
            }
        }

        private boolean adopt() {
            synchronized (classLock) {
                long before = control.get();
                while (listed && PageControl.adopted(before) != PageControl.REFUSED) {
                    if (control.compareAndSet(before, PageControl.adopted(before))) {
                        listed = false;
                        owned = true;
                    }
                    before = control.get();
                }
            }
            return owned;
        }

        /** Frees an allocated slot, if there is one. */
        @Operation
        public void free() {
            for (int slot = 0; slot < SLOTS; slot++) {
                if (handedOut.compareAndSet(slot, 1, 0)) {
                    free(slot);
                    return;
                }
            }
        }

        private void free(int slot) {
            long before = setBit(bitmap[wordOf(slot)], 1L << slot);
            if ((before & 1L << slot) != 0) {
                throw new IllegalStateException("double free");
            }
            if (before == 0) {
                summary.getAndUpdate(bits -> bits | 1L << wordOf(slot));
            }
            long old;
            long after;
            do {
                old = control.get();
                after = PageControl.freed(old);
                touch(after);
            } while (!control.compareAndSet(old, after));
            if (PageControl.state(old) != PageControl.state(after)) {
                synchronized (classLock) {
                    if (PageControl.state(after) == PageControl.LISTING) {
                        after = control.updateAndGet(PageControl::listed);
                    }
                    listed = PageControl.state(after) != PageControl.GONE;
                }
                if (PageControl.state(after) == PageControl.GONE) {
                    touch(after);
                    released = true;
                }
            }
        }

        private void touch(long after) {
            if (released || after == PageControl.REFUSED) {
                throw new IllegalStateException("a page that was given back, or counts no slot, is touched");
            }
        }

        long setBit(AtomicLong word, long bit) {
            return word.getAndUpdate(bits -> bits | bit);
        }

        /** Checks the invariants that hold while no operation runs. */
        @Validate
        public void audit() {
            long free = bitmap[0].get() | bitmap[1].get();
            int used = PageControl.used(control.get());
            int state = PageControl.state(control.get());
            boolean found = released ? state == PageControl.GONE && used == 0
                : owned ? state == PageControl.ACTIVE
                : state == PageControl.LISTED ? listed && used > 0 : state == PageControl.FULL && free == 0;
            if (!found || used != SLOTS - Long.bitCount(free)) {
                throw new IllegalStateException("lost: state=" + state + " used=" + used + " free=" + free);
            }
            int inUse = 0;
            for (int slot = 0; slot < SLOTS; slot++) {
                inUse += handedOut.get(slot);
            }
            if (inUse + Long.bitCount(claimed) != used) {
                throw new IllegalStateException(inUse + " slots are handed out, but used=" + used);
            }
        }
    }

    /** The owner gives up a page without checking the number of used slots. */
    public static final class GivesUpBlindly extends Page {
        @Override
        long exhausted(long before) {
            return PageControl.pack(PageControl.FULL, PageControl.used(before));
        }
    }

    /** A bit is set by a load and a store. */
    public static final class TornBit extends Page {
        @Override
        long setBit(AtomicLong word, long bit) {
            long before = word.get();
            word.set(before | bit);
            return before;
        }
    }

    /** No step may throw. */
    public static final class Rules {
        /** Allocates a slot. */
        public void allocate() {}

        /** Frees a slot. */
        public void free() {}
    }
}
