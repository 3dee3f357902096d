package io.teff.recovery.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * Goal: a window shows the same numbers and sums as the whole file, wherever it was before, and reads each byte once.
 */
final class FileWindowTest {
    private static final int SIZE = 5_000_123;

    private final byte[] content = new byte[SIZE];
    private long bytesRead;

    private FileWindow open() {
        new SplittableRandom(7).nextBytes(content);
        return new FileWindow((target, offset) -> {
            int length = (int) Math.min(target.remaining(), SIZE - offset);
            target.put(content, (int) offset, length);
            bytesRead += length;
            return length;
        }, SIZE);
    }

    @Test
    void numbersAndSums_atAnyPlace_areThoseOfTheFile() {
        FileWindow window = open();
        MemorySegment file = MemorySegment.ofArray(content);
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 0; i < 300; i++) {
            long at = random.nextLong(SIZE - Long.BYTES);
            assertEquals(LittleEndian.getLong(file, at), window.getLong(at));
            assertEquals(LittleEndian.getInt(file, at), window.getInt(at));
            long end = random.nextLong(at, random.nextInt(10) == 0 ? SIZE : Math.min(SIZE, at + 5000));
            CRC32C sum = new CRC32C();
            sum.update(content, (int) at, (int) (end - at));
            assertEquals((int) sum.getValue(), window.checksum(at, end), at + " " + end);
        }
        assertEquals(-1, file.asSlice(0, FileHead.BYTES).mismatch(window.firstPage()));
    }

    @Test
    void walk_readsEachByteAboutOnce() {
        FileWindow window = open();
        for (long at = 0; at + Long.BYTES <= SIZE; at += Long.BYTES) {
            assertEquals(content[(int) at], (byte) window.getLong(at));
        }
        assertTrue(bytesRead < SIZE + 10 * FileHead.BYTES, "read " + bytesRead);
    }

    @Test
    void shortFile_hasAShortFirstPage() {
        FileWindow window = new FileWindow((target, _) -> {
            target.put((byte) 5);
            return 1;
        }, 1);
        assertEquals(5, window.firstPage().get(ValueLayout.JAVA_BYTE, 0));
        assertEquals(0, new FileWindow((_, _) -> 0, 0).firstPage().byteSize());
    }

    @Test
    void file_thatBecomesShorterOrFails_isAFailure() {
        FileWindow window = new FileWindow((target, _) -> {
            target.put(new byte[10]);
            return 10;
        }, 100);
        UncheckedIOException e = assertThrows(UncheckedIOException.class, () -> window.getLong(16));
        assertEquals("the file has ended at 10 of 100 bytes", e.getCause().getMessage());
        FileWindow broken = new FileWindow((_, _) -> {
            throw new IOException("planned");
        }, 100);
        assertThrows(UncheckedIOException.class, () -> broken.getLong(0));
        assertThrows(UncheckedIOException.class, () -> broken.getLong(0), "nothing of it is kept");
    }
}
