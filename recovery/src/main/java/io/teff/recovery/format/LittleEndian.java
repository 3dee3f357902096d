package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in the log's files: little-endian, at any offset; and the one access with memory order. */
final class LittleEndian {
    /** Unit of writing and alignment of files. */
    static final int PAGE_BYTES = 4096;

    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT =
        ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle ORDERED =
        ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    private LittleEndian() {}

    /** Reads an unsigned byte. */
    static int getByte(MemorySegment bytes, long at) {
        return bytes.get(BYTE, at) & 0xFF;
    }

    /** Reads an unsigned number of two bytes. */
    static int getShort(MemorySegment bytes, long at) {
        return bytes.get(SHORT, at) & 0xFFFF;
    }

    static int getInt(MemorySegment bytes, long at) {
        return bytes.get(INT, at);
    }

    static long getLong(MemorySegment bytes, long at) {
        return bytes.get(LONG, at);
    }

    /** Reads an unsigned number of 0 to 8 bytes. */
    static long getShortest(MemorySegment bytes, long at, int count) {
        long value = 0;
        for (int i = count - 1; i >= 0; i--) {
            value = value << Byte.SIZE | getByte(bytes, at + i);
        }
        return value;
    }

    static void putByte(MemorySegment bytes, long at, int value) {
        bytes.set(BYTE, at, (byte) value);
    }

    static void putShort(MemorySegment bytes, long at, int value) {
        bytes.set(SHORT, at, (short) value);
    }

    static void putInt(MemorySegment bytes, long at, int value) {
        bytes.set(INT, at, value);
    }

    static void putLong(MemorySegment bytes, long at, long value) {
        bytes.set(LONG, at, value);
    }

    /** Writes the lowest 0 to 8 bytes of a number. */
    static void putShortest(MemorySegment bytes, long at, long value, int count) {
        for (int i = 0; i < count; i++) {
            putByte(bytes, at + i, (int) (value >>> i * Byte.SIZE));
        }
    }

    /** At a multiple of 8 of memory that is not an array of bytes. */
    static long getLongAcquire(MemorySegment bytes, long at) {
        return (long) ORDERED.getAcquire(bytes, at);
    }

    /** At a multiple of 8 of memory that is not an array of bytes. */
    static void putLongRelease(MemorySegment bytes, long at, long value) {
        ORDERED.setRelease(bytes, at, value);
    }

    /** Returns the bytes of a number without its leading zeros: 0 to 8. */
    static int bytesOf(long value) {
        return (Long.SIZE - Long.numberOfLeadingZeros(value) + Byte.SIZE - 1) / Byte.SIZE;
    }

    /** Returns the next multiple of a power of two. */
    static long aligned(long value, int alignment) {
        return value + alignment - 1 & -(long) alignment;
    }

    static boolean isZero(MemorySegment bytes, long from, long end) {
        long at = from;
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            if (getLong(bytes, at) != 0) {
                return false;
            }
        }
        for (; at < end; at++) {
            if (getByte(bytes, at) != 0) {
                return false;
            }
        }
        return true;
    }
}
