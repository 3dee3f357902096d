package io.teff.engine.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.memory.RegionLayout;
import org.junit.jupiter.api.Test;

/** Goal: every size gets the smallest slot that holds it, aligned, with bounded waste. Method: every size. */
final class SizeClassesTest {
    private static final int EVERY_TWO_BYTES_MAX = 128;
    private static final int STEPS_PER_DOUBLING = 32;

    @Test
    void slotBytes_everyClass_risesToTheLargest() {
        assertEquals(2, SizeClasses.slotBytes(0));
        for (int sizeClass = 1; sizeClass < SizeClasses.COUNT; sizeClass++) {
            assertTrue(SizeClasses.slotBytes(sizeClass) > SizeClasses.slotBytes(sizeClass - 1), "class " + sizeClass);
        }
        assertEquals(SizeClasses.SLOT_BYTES_MAX, SizeClasses.slotBytes(SizeClasses.COUNT - 1));
        assertEquals(16384, SizeClasses.SLOT_BYTES_MAX);
    }

    @Test
    void classOf_everySize_isTheSmallestThatFits() {
        for (int bytes = 1; bytes <= SizeClasses.SLOT_BYTES_MAX; bytes++) {
            int sizeClass = SizeClasses.classOf(bytes);
            assertTrue(sizeClass >= 0 && sizeClass < SizeClasses.COUNT, "bytes " + bytes);
            assertTrue(SizeClasses.slotBytes(sizeClass) >= bytes, "bytes " + bytes);
            assertTrue(sizeClass == 0 || SizeClasses.slotBytes(sizeClass - 1) < bytes, "bytes " + bytes);
            assertEquals(SizeClasses.slotBytes(sizeClass), SizeClasses.takenBytes(bytes));
        }
    }

    @Test
    void slotBytes_everySize_keepsItsAlignment() {
        for (int bytes = 1; bytes <= SizeClasses.SLOT_BYTES_MAX; bytes++) {
            int slot = SizeClasses.slotBytes(SizeClasses.classOf(bytes));
            int alignment = Math.min(Integer.lowestOneBit(bytes), 8);
            assertEquals(0, slot % alignment, "bytes " + bytes);
            assertEquals(0, slot % 2, "bytes " + bytes);
        }
    }

    @Test
    void slotBytes_everySize_wastesLittle() {
        for (int bytes = 1; bytes <= SizeClasses.SLOT_BYTES_MAX; bytes++) {
            int waste = SizeClasses.slotBytes(SizeClasses.classOf(bytes)) - bytes;
            if (bytes <= EVERY_TWO_BYTES_MAX) {
                assertTrue(waste <= 1, "bytes " + bytes + " waste " + waste);
            } else {
                assertTrue(waste * STEPS_PER_DOUBLING < bytes, "bytes " + bytes + " waste " + waste);
            }
        }
    }

    @Test
    void classOf_sizesOutOfRange_areRefused() {
        assertThrows(AssertionError.class, () -> SizeClasses.classOf(0));
        assertThrows(AssertionError.class, () -> SizeClasses.classOf(-1));
        assertThrows(AssertionError.class, () -> SizeClasses.classOf(SizeClasses.SLOT_BYTES_MAX + 1));
    }

    @Test
    void takenBytes_largerThanASlot_isWholeUnits() {
        for (long bytes : new long[] {SizeClasses.SLOT_BYTES_MAX + 1L, 20_480, 20_481, 1L << 22, (1L << 31) - 1,
            1L << 40}) {
            long taken = SizeClasses.takenBytes(bytes);
            assertEquals(0, taken % RegionLayout.UNIT_BYTES);
            assertTrue(taken >= bytes && taken - bytes < RegionLayout.UNIT_BYTES, "bytes " + bytes);
            assertEquals(taken, SizeClasses.unitsOf(bytes) * RegionLayout.UNIT_BYTES);
        }
    }
}
