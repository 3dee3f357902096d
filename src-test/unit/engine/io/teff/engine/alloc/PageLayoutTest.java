package io.teff.engine.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.memory.RegionLayout;
import org.junit.jupiter.api.Test;

/** Goal: header, bitmap and slots of a page tile it, for each size class. Method: all classes. */
final class PageLayoutTest {
    private static final int SLOTS_MAX = 4096;

    @Test
    void capacity_everyClass_tilesThePage() {
        for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
            int slot = SizeClasses.slotBytes(sizeClass);
            int page = PageLayout.pageBytes(sizeClass);
            int capacity = PageLayout.capacity(sizeClass);
            int start = PageLayout.start(sizeClass);
            int words = PageLayout.wordCount(capacity);
            assertTrue(capacity >= 2 && words <= Long.SIZE, "class " + sizeClass);
            assertTrue(capacity <= words * Long.SIZE && capacity > (words - 1) * Long.SIZE, "class " + sizeClass);
            assertTrue(start >= PageLayout.BITMAP + words * Long.BYTES, "class " + sizeClass);
            assertTrue(start - (PageLayout.BITMAP + words * Long.BYTES) < 64 && start % 64 == 0, "class " + sizeClass);
            assertTrue(start + capacity * slot <= page, "class " + sizeClass);
            assertTrue(capacity == SLOTS_MAX || page - start - capacity * slot < slot + 64, "class " + sizeClass);
        }
    }

    @Test
    void pageBytes_everyClass_isAnAlignablePage() {
        for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
            int bytes = PageLayout.pageBytes(sizeClass);
            assertEquals(1, Integer.bitCount(bytes));
            assertTrue(bytes <= RegionLayout.BLOCK_BYTES && bytes >= 2 * RegionLayout.UNIT_BYTES);
        }
    }

    @Test
    void fullWord_everyClass_hasOneBitPerSlot() {
        for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
            int capacity = PageLayout.capacity(sizeClass);
            int bits = 0;
            for (int word = 0; word < PageLayout.wordCount(capacity); word++) {
                long full = PageLayout.fullWord(capacity, word);
                assertEquals(0, full & full + 1, "the bits of a word begin at bit 0");
                bits += Long.bitCount(full);
            }
            assertEquals(capacity, bits, "class " + sizeClass);
        }
    }

    @Test
    void classOf_everyIdentity_isFoundAgain() {
        for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
            assertEquals(sizeClass, PageLayout.classOf(PageLayout.identity(sizeClass)));
        }
    }

    @Test
    void classOf_damagedIdentity_isNeverTakenForAnotherWord() {
        assertEquals(-1, PageLayout.classOf(0));
        assertEquals(-1, PageLayout.classOf(-1));
        for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
            for (int bit = 0; bit < Long.SIZE; bit++) {
                long damaged = PageLayout.identity(sizeClass) ^ 1L << bit;
                int found = PageLayout.classOf(damaged);
                assertTrue(found != sizeClass, "class " + sizeClass + " bit " + bit);
                assertTrue(found == -1 || PageLayout.identity(found) == damaged, "class " + sizeClass + " bit " + bit);
            }
        }
    }
}
