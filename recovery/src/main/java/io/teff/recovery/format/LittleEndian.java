package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Numbers in the log's files: little-endian, at any offset; and the one access with memory order.
 *
 * <p><b>Classes of segments.</b> An access asks its segment for its base and its alignment, by virtual calls inside of
 * the JDK. A process meets three classes: mapped memory, native memory and arrays. With more than two classes the JIT
 * does not inline these calls, and the calls cost more than the access. Behind a comparison with a constant class the
 * JIT knows the class. So each access exists three times: for mapped memory, as of the write buffer, for native memory,
 * and for any segment.
 */
@SuppressWarnings("DuplicateBranches")                          // they differ for the JIT
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

    private static final Class<?> NATIVE = MemorySegment.NULL.getClass();
    private static final Class<?> MAPPED = mapped();

    private LittleEndian() {}

    /** Returns the class of mapped memory; if the JDK has another name for the class, accesses are slower. */
    private static Class<?> mapped() {
        try {
            return Class.forName("jdk.internal.foreign.MappedMemorySegmentImpl");
        } catch (ClassNotFoundException _) {
            return NATIVE;
        }
    }

    /** Returns whether accesses know the class of a segment. */
    static boolean isKnown(MemorySegment bytes) {
        return bytes.getClass() == MAPPED || bytes.getClass() == NATIVE;
    }

    /** Reads an unsigned byte. */
    static int getByte(MemorySegment bytes, long at) {
        final Class<?> kind = bytes.getClass();
        return 0xFF & (kind == MAPPED ? bytes.get(BYTE, at) : kind == NATIVE ? bytes.get(BYTE, at)
            : bytes.get(BYTE, at));
    }

    /** Reads an unsigned number of two bytes. */
    static int getShort(MemorySegment bytes, long at) {
        final Class<?> kind = bytes.getClass();
        return 0xFFFF & (kind == MAPPED ? bytes.get(SHORT, at) : kind == NATIVE ? bytes.get(SHORT, at)
            : bytes.get(SHORT, at));
    }

    static int getInt(MemorySegment bytes, long at) {
        final Class<?> kind = bytes.getClass();
        return kind == MAPPED ? bytes.get(INT, at) : kind == NATIVE ? bytes.get(INT, at) : bytes.get(INT, at);
    }

    static long getLong(MemorySegment bytes, long at) {
        final Class<?> kind = bytes.getClass();
        return kind == MAPPED ? bytes.get(LONG, at) : kind == NATIVE ? bytes.get(LONG, at) : bytes.get(LONG, at);
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
        final Class<?> kind = bytes.getClass();
        if (kind == MAPPED) {
            bytes.set(BYTE, at, (byte) value);
        } else if (kind == NATIVE) {
            bytes.set(BYTE, at, (byte) value);
        } else {
            bytes.set(BYTE, at, (byte) value);
        }
    }

    static void putShort(MemorySegment bytes, long at, int value) {
        final Class<?> kind = bytes.getClass();
        if (kind == MAPPED) {
            bytes.set(SHORT, at, (short) value);
        } else if (kind == NATIVE) {
            bytes.set(SHORT, at, (short) value);
        } else {
            bytes.set(SHORT, at, (short) value);
        }
    }

    static void putInt(MemorySegment bytes, long at, int value) {
        final Class<?> kind = bytes.getClass();
        if (kind == MAPPED) {
            bytes.set(INT, at, value);
        } else if (kind == NATIVE) {
            bytes.set(INT, at, value);
        } else {
            bytes.set(INT, at, value);
        }
    }

    static void putLong(MemorySegment bytes, long at, long value) {
        final Class<?> kind = bytes.getClass();
        if (kind == MAPPED) {
            bytes.set(LONG, at, value);
        } else if (kind == NATIVE) {
            bytes.set(LONG, at, value);
        } else {
            bytes.set(LONG, at, value);
        }
    }

    /** Writes the lowest 0 to 8 bytes of a number. */
    static void putShortest(MemorySegment bytes, long at, long value, int count) {
        for (int i = 0; i < count; i++) {
            putByte(bytes, at + i, (int) (value >>> i * Byte.SIZE));
        }
    }

    /** At a multiple of 8 of memory that is not an array of bytes. */
    static long getLongAcquire(MemorySegment bytes, long at) {
        return bytes.getClass() == MAPPED ? (long) ORDERED.getAcquire(bytes, at) : (long) ORDERED.getAcquire(bytes, at);
    }

    /** At a multiple of 8 of memory that is not an array of bytes. */
    static void putLongRelease(MemorySegment bytes, long at, long value) {
        if (bytes.getClass() == MAPPED) {
            ORDERED.setRelease(bytes, at, value);
        } else {
            ORDERED.setRelease(bytes, at, value);
        }
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
