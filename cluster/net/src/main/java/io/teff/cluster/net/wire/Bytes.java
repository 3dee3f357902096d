package io.teff.cluster.net.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian numbers in memory. Offsets belong to the class of each layout. */
final class Bytes {
    private static final ValueLayout.OfShort SHORT =
        ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();
    private static final int BYTE_MASK = 0xFF;
    private static final int SHORT_MASK = 0xFFFF;

    private Bytes() {}

    static int getByte(MemorySegment memory, long at) {
        return memory.get(ValueLayout.JAVA_BYTE, at) & BYTE_MASK;
    }

    static void putByte(MemorySegment memory, long at, int value) {
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
    }

    static int getShort(MemorySegment memory, long at) {
        return memory.get(SHORT, at) & SHORT_MASK;
    }

    static int getInt(MemorySegment memory, long at) {
        return memory.get(INT, at);
    }

    static void putInt(MemorySegment memory, long at, int value) {
        memory.set(INT, at, value);
    }

    static long getLong(MemorySegment memory, long at) {
        return memory.get(LONG, at);
    }

    static void putLong(MemorySegment memory, long at, long value) {
        memory.set(LONG, at, value);
    }

    /** Loads 8 aligned bytes with acquire. */
    static long getWord(MemorySegment memory, long at) {
        return (long) WORD.getAcquire(memory, at);
    }

    /** Stores 8 aligned bytes with release. */
    static void putWord(MemorySegment memory, long at, long value) {
        WORD.setRelease(memory, at, value);
    }
}
