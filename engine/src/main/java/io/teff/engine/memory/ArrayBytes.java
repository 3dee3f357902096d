package io.teff.engine.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Copies arrays of primitive values to and from bytes, little-endian at any offset, and bytes to and from segments. */
public final class ArrayBytes {
    private static final ValueLayout SHORTS = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout CHARS = ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout INTS = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout LONGS = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout FLOATS = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout DOUBLES = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private ArrayBytes() {}

    /**
     * Copies values to a segment. Allocates nothing.
     *
     * @param values an array of short, char, int, long, float or double
     * @param from index of the first value
     * @param count number of values
     * @param target segment to copy to
     * @param at offset of the first byte
     */
    public static void copyOut(Object values, int from, int count, MemorySegment target, long at) {
        MemorySegment.copy(values, from, target, layout(values), at, count);
    }

    /**
     * Copies bytes to values.
     *
     * @param bytes array to copy from
     * @param at index of the first byte
     * @param values an array of short, char, int, long, float or double
     * @param from index of the first value
     * @param count number of values
     */
    public static void copyIn(byte[] bytes, int at, Object values, int from, int count) {
        MemorySegment.copy(MemorySegment.ofArray(bytes), layout(values), at, values, from, count);
    }

    /**
     * Copies bytes to a segment.
     *
     * @param bytes array to copy from
     * @param from index of the first byte
     * @param target segment to copy to, on or off the heap
     * @param offset offset in the target
     * @param length number of bytes
     */
    public static void copyOut(byte[] bytes, int from, MemorySegment target, long offset, int length) {
        MemorySegment.copy(bytes, from, target, ValueLayout.JAVA_BYTE, offset, length);
    }

    /**
     * Copies bytes from a segment.
     *
     * @param source segment to copy from, on or off the heap
     * @param offset offset in the source
     * @param bytes array to copy to
     * @param at index of the first byte
     * @param length number of bytes
     */
    public static void copyIn(MemorySegment source, long offset, byte[] bytes, int at, int length) {
        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, offset, bytes, at, length);
    }

    private static ValueLayout layout(Object values) {
        return switch (values) {
            case short[] _ -> SHORTS;
            case char[] _ -> CHARS;
            case int[] _ -> INTS;
            case long[] _ -> LONGS;
            case float[] _ -> FLOATS;
            case double[] _ -> DOUBLES;
            default -> throw new IllegalArgumentException(values.getClass().getTypeName());
        };
    }
}
