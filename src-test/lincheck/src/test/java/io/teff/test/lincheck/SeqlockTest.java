package io.teff.test.lincheck;

import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.table.EntryWord;
import io.teff.test.kit.tier.FullTier;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Goal: a validated read returns one state, even if the memory that it copies is freed and given to another writer
 * meanwhile. Method: the engine's own {@link Stripes} around plain {@code long[]} payloads, under Lincheck's model
 * checker; twins without one of the steps must be caught.
 */
final class SeqlockTest {
    private static final int TORN = -1;

    /** A chunk that changes in place. */
    @Param(name = "value", gen = IntGen.class, conf = "1:5")
    public static class InPlace {
        final Stripes stripes = new Stripes(1, ModelChecking.TIME, "lincheck");
        final long[] pair = new long[2];

        /** Changes both halves. */
        @Operation(params = "value")
        public void put(int value) {
            stripes.enter(0);
            change(value);
            stripes.leave(0);
        }

        void change(int value) {
            pair[0] = value;
            pair[1] = value;
        }

        /** Reads both halves without writing anything. */
        @Operation
        public int get() {
            for (;;) {
                long begun = stripes.begin(0);
                long first = pair[0];
                long second = pair[1];
                if (isValid(begun)) {
                    return first == second ? (int) first : TORN;
                }
            }
        }

        boolean isValid(long begun) {
            return stripes.unchanged(0, begun);
        }
    }

    /** The reader does not validate. */
    public static final class ReaderWithoutValidation extends InPlace {
        @Override
        boolean isValid(long begun) {
            return true;
        }
    }

    /** The writer does not enter. */
    public static final class WriterOutside extends InPlace {
        /** Changes both halves. */
        @Override
        @Operation(params = "value")
        public void put(int value) {
            change(value);
        }
    }

    /** A chunk that gets new memory with each change; the old memory is reused by the next request. */
    @Param(name = "value", gen = IntGen.class, conf = "1:5")
    public static class Moving {
        private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);
        private static final int SLOTS = 4;
        private static final int SLOT_BYTES = 16;

        final Stripes stripes = new Stripes(1, ModelChecking.TIME, "lincheck");
        private final long[] table = {EntryWord.chunk(EntryWord.PLAIN, 0, SLOT_BYTES, RegionLayout.FIRST_ADDRESS)};
        private final long[] memory = new long[2 * SLOTS];
        private final AtomicInteger freeSlots = new AtomicInteger((1 << SLOTS) - 2);

        /** Writes new memory, switches the entry, frees the old memory inside the stripe. */
        @Operation(params = "value")
        public void put(int value) {
            int slot = allocate();
            memory[2 * slot] = value;
            memory[2 * slot + 1] = value;
            stripes.enter(0);
            int old = slotOf((long) ELEMENT.getAcquire(table, 0));
            ELEMENT.setRelease(table, 0, EntryWord.chunk(EntryWord.PLAIN, 0, SLOT_BYTES,
                RegionLayout.FIRST_ADDRESS + (long) slot * SLOT_BYTES));
            freeSlots.getAndUpdate(free -> free | 1 << old);
            stripes.leave(0);
        }

        private int allocate() {
            for (;;) {
                int free = freeSlots.get();
                if (freeSlots.compareAndSet(free, free & free - 1)) {
                    return Integer.numberOfTrailingZeros(free);
                }
            }
        }

        private static int slotOf(long word) {
            return (int) (EntryWord.address(word) - RegionLayout.FIRST_ADDRESS) / SLOT_BYTES;
        }

        /** Reads entry and payload without writing anything. */
        @Operation
        public int get() {
            for (;;) {
                long begun = stripes.begin(0);
                int slot = slotOf((long) ELEMENT.getAcquire(table, 0));
                if (!stripes.unchanged(0, begun)) {
                    continue;
                }
                long first = memory[2 * slot];
                long second = memory[2 * slot + 1];
                if (isValid(begun)) {
                    return first == second ? (int) first : TORN;
                }
            }
        }

        boolean isValid(long begun) {
            return stripes.unchanged(0, begun);
        }
    }

    /** The reader validates the entry, but not its copy. */
    public static final class MovingWithoutSecondValidation extends Moving {
        @Override
        boolean isValid(long begun) {
            return true;
        }
    }

    /** The specification: one value. */
    public static final class Rules {
        private int content;

        /** Changes the value. */
        public void put(int value) {
            content = value;
        }

        /** Reads the value. */
        public int get() {
            return content;
        }
    }

    @FullTier("15 s. The twin of this check stays; FreeListTest checks a structure of the same kind.")
    @Test
    void check_changeInPlace_isLinearizable() {
        ModelChecking.mustBeLinearizable(InPlace.class, Rules.class);
    }

    @Test
    void check_readerWithoutValidation_isCaught() {
        ModelChecking.mustBeCaught(ReaderWithoutValidation.class, Rules.class);
    }

    @Test
    @FullTier("A second twin, a part of the 166 s of this lane. check_readerWithoutValidation_isCaught is the "
        + "twin that the gate has.")
    void check_writerOutside_isCaught() {
        ModelChecking.mustBeCaught(WriterOutside.class, Rules.class);
    }

    @Test
    @FullTier("Model checking with many scenarios, a part of the 166 s of this lane. "
        + "check_readerWithoutValidation_isCaught has the reader that the gate checks.")
    void check_memoryReused_isLinearizable() {
        ModelChecking.mustBeLinearizable(Moving.class, Rules.class);
    }

    @Test
    @FullTier("The twin of check_memoryReused_isLinearizable, which begins in this tier, too. "
        + "check_readerWithoutValidation_isCaught is the twin that the gate has.")
    void check_memoryReusedWithoutSecondValidation_isCaught() {
        ModelChecking.mustBeCaught(MovingWithoutSecondValidation.class, Rules.class);
    }
}
