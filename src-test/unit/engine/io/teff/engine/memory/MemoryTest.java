package io.teff.engine.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.engine.os.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Goal: a short copy copies exactly the requested bytes. Method: every length, every alignment, guarded arrays. */
@Tag("modes")
@Tag("plain")
final class MemoryTest {
    private static final int GUARD = 9;

    private final Region region = new Region(2L * RegionLayout.BLOCK_BYTES, false, Threads.SYSTEM);
    private final Memory memory = region.memory();
    private final long start = RegionLayout.blockAddress(region.grow(1));

    @AfterEach
    void close() {
        region.close();
    }

    @Test
    void isShort_lengthsAroundItsEndsAndTheRoomThereIs_isTrueBetweenThem() {
        for (int room : new int[] {0, 1, 2, 254, 255, 256, 1000}) {
            for (int offset : new int[] {0, 1, 300}) {
                byte[] target = new byte[offset + room];
                for (int length = -2; length < 600; length++) {
                    assertEquals(length >= 1 && length <= 255 && length <= room,
                        Memory.isShort(length, target, offset), "length=" + length + " room=" + room);
                }
                assertEquals(false, Memory.isShort(Integer.MIN_VALUE, target, offset));
                assertEquals(false, Memory.isShort(Integer.MAX_VALUE, target, offset));
                assertEquals(false, Memory.isShort(1, target, target.length + 1), "behind the target");
                assertEquals(false, Memory.isShort(1, target, Integer.MAX_VALUE), "behind the target");
            }
        }
    }

    @Test
    void copyOutShort_everyLengthAndAlignment_copiesThatAndNothingElse() {
        for (int i = 0; i < 400; i++) {
            memory.putFieldByte(start + i, pattern(i));
        }
        for (int length = 1; length <= 255; length++) {
            for (int skip = 0; skip < 9; skip++) {
                for (int offset = 0; offset <= GUARD; offset += 3) {
                    byte[] target = new byte[offset + length + skip];
                    Memory.copyOutShort(memory, memory.placeOfZero() + start + skip, target, offset, length);
                    for (int i = 0; i < target.length; i++) {
                        boolean copied = i >= offset && i < offset + length;
                        assertEquals(copied ? pattern(i - offset + skip) : 0, target[i],
                            "byte " + i + " of length=" + length + " skip=" + skip + " offset=" + offset);
                    }
                }
            }
        }
    }

    @Test
    void isAhead_lengthsAroundItsEndsAndTheRoomThereIs_isTrueBetweenThem() {
        for (int room : new int[] {0, 1, 127, 128, 129, 1000}) {
            for (int length = -2; length < 600; length++) {
                assertEquals(length >= 1 && length <= 128 && room >= 128, Memory.isAhead(length, new byte[room]),
                    "length=" + length + " room=" + room);
            }
            assertEquals(false, Memory.isAhead(Integer.MIN_VALUE, new byte[room]));
            assertEquals(false, Memory.isAhead(Integer.MAX_VALUE, new byte[room]));
        }
    }

    /** Also the last bytes of a region that is full: what lies behind them can be read. */
    @Test
    void copyOutAhead_everyLengthAndAlignment_copiesThatAndAtMost128() {
        Assumptions.assumeTrue(Memory.RESERVED);
        region.grow(1);
        long end = start + 2 * RegionLayout.BLOCK_BYTES;
        for (int length = 1; length <= 128; length++) {
            for (long at : new long[] {start, start + 1, start + 8, end - length}) {
                for (int i = 0; i < length; i++) {
                    memory.putFieldByte(at + i, pattern(i));
                }
                byte[] target = new byte[140];
                Memory.copyOutAhead(memory, memory.placeOfZero() + at, target, length);
                for (int i = 0; i < target.length; i++) {
                    if (i < length || i >= 128) {
                        assertEquals(i < length ? pattern(i) : 0, target[i], "byte " + i + " of length=" + length);
                    }
                }
            }
        }
    }

    private static byte pattern(int index) {
        return (byte) (index * 37 | 1);
    }
}
