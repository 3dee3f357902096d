package io.teff.tools.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class ChunkContentTest {
    private static final int SIZE_MIN = 16;
    private static final int SIZE_MAX = 128;
    private final ChunkContent content = new ChunkContent(7, SIZE_MIN, SIZE_MAX);
    private final byte[] buffer = new byte[SIZE_MAX];

    @Test
    void matches_whatFillWrote_isTrueAtAnyOffset() {
        byte[] shifted = new byte[SIZE_MAX + 5];
        for (int number = 0; number < 1_000; number++) {
            int length = content.fill(number, number & 0xFF, buffer);
            System.arraycopy(buffer, 0, shifted, 5, length);
            assertTrue(content.matches(number, number & 0xFF, buffer, 0, length));
            assertTrue(content.matches(number, number & 0xFF, shifted, 5, length));
            assertEquals(number & 0xFF, ChunkContent.version(shifted, 5));
        }
    }

    @Test
    void matches_anyFlippedBit_isFalseAndTheByteIsNamed() {
        for (int number = 0; number < 50; number++) {
            int length = content.fill(number, 3, buffer);
            for (int bit = 0; bit < length * Byte.SIZE; bit++) {
                buffer[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
                assertFalse(content.matches(number, 3, buffer, 0, length), "number=" + number + " bit=" + bit);
                String difference = content.difference(number, 3, buffer, 0, length);
                assertTrue(difference.startsWith("byte " + bit / Byte.SIZE + " of " + length), difference);
                buffer[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            }
        }
    }

    @Test
    void matches_anyFlippedBitWithTheVersionThatTheChunkClaims_isFalse() {
        for (int number = 0; number < 50; number++) {
            int length = content.fill(number, 3, buffer);
            for (int bit = 0; bit < length * Byte.SIZE; bit++) {
                buffer[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
                int claimed = ChunkContent.version(buffer, 0);
                assertFalse(content.matches(number, claimed, buffer, 0, length), "number=" + number + " bit=" + bit);
                buffer[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            }
        }
    }

    @Test
    void matches_otherNumberVersionLengthOrSeed_isFalse() {
        int length = content.fill(1, 2, buffer);
        assertFalse(content.matches(2, 2, buffer, 0, length));
        assertFalse(content.matches(1, 3, buffer, 0, length));
        assertFalse(content.matches(1, 2, buffer, 0, length - 1));
        assertFalse(new ChunkContent(8, SIZE_MIN, SIZE_MAX).matches(1, 2, buffer, 0, length));
        assertTrue(content.difference(1, 2, buffer, 0, length - 1).startsWith("it has " + (length - 1) + " bytes"));
    }

    @Test
    void matches_frontOfOneVersionAndEndOfTheNext_isFalse() {
        byte[] next = new byte[SIZE_MAX];
        ChunkContent same = new ChunkContent(7, 64, 64);               // equal lengths: the hard case
        for (int cut = 9; cut < 64; cut++) {                             // up to 8 the number is the same
            same.fill(5, 1, buffer);
            same.fill(5, 2, next);
            System.arraycopy(next, cut, buffer, cut, 64 - cut);
            assertFalse(same.matches(5, ChunkContent.version(buffer, 0), buffer, 0, 64), "cut=" + cut);
        }
    }

    @Test
    void matchesResized_frontAndZeros_isTrue_andAnyFlippedBitIsNot() {
        int longer = 0;
        for (int number = 0; number < 200; number++) {
            int length = content.fill(number, 3, buffer);
            int resized = content.resizedLength(number, 3);
            byte[] chunk = Arrays.copyOf(Arrays.copyOf(buffer, length), resized);
            assertTrue(resized >= SIZE_MIN && resized <= SIZE_MAX, "resized=" + resized);
            assertTrue(content.matchesResized(number, 3, chunk, 0, resized), "number=" + number);
            assertFalse(content.matchesResized(number, 4, chunk, 0, resized), "number=" + number);
            longer += resized > length ? 1 : 0;
            for (int i = 0; i < resized; i++) {
                chunk[i] ^= 1;
                assertFalse(content.matchesResized(number, 3, chunk, 0, resized), "number=" + number + " byte=" + i);
                String difference = content.differenceResized(number, 3, chunk, 0, resized);
                assertTrue(difference.startsWith("byte " + i + " of " + resized), difference);
                chunk[i] ^= 1;
            }
        }
        assertTrue(longer > 50 && longer < 150, "longer=" + longer);
    }

    @Test
    void fill_atAnOffset_leavesTheRest() {
        byte[] target = new byte[SIZE_MAX + 20];
        int length = content.fill(9, 1, target, 10);
        assertTrue(content.matches(9, 1, target, 10, length));
        assertEquals(9, ChunkContent.number(target, 10));
        for (int i = 0; i < 10; i++) {
            assertEquals(0, target[i]);
        }
        for (int i = 10 + length; i < target.length; i++) {
            assertEquals(0, target[i]);
        }
    }

    @Test
    void length_manyNumbers_isSpreadEvenlyOverAllSizes() {
        int[] counts = new int[SIZE_MAX + 1];
        int perSize = 1_000;
        for (int number = 0; number < perSize * (SIZE_MAX - SIZE_MIN + 1); number++) {
            counts[content.length(number, 0)]++;
        }
        for (int size = 0; size <= SIZE_MAX; size++) {
            int expected = size < SIZE_MIN ? 0 : perSize;
            assertEquals(expected, counts[size], expected * 0.2, "size=" + size);
        }
    }

    @Test
    void fill_twice_writesTheSame() {
        byte[] again = new byte[SIZE_MAX];
        int length = content.fill(99, 255, buffer);
        assertEquals(length, new ChunkContent(7, SIZE_MIN, SIZE_MAX).fill(99, 255, again));
        assertTrue(Arrays.equals(buffer, 0, length, again, 0, length));
    }
}
