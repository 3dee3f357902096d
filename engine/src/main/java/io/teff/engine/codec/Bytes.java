package io.teff.engine.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Little-endian values at any offset of an array. Generated code calls these too. */
final class Bytes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT =
        MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    /** Where the bits of a number lie in its LEB128 form, and the bits that say that more bytes follow. */
    static final long VAR_BITS = 0x7F7F_7F7F_7F7F_7F7FL;
    static final long VAR_MORE = ~VAR_BITS;
    /** Bits of a number whose LEB128 form fits into a long. */
    static final int VAR_BITS_PER_LONG = 56;
    /** Bytes of the longest LEB128 form of a long. */
    static final int VAR_BYTES_MAX = 10;

    private Bytes() {}

    /** Bytes of a number's LEB128 form: a seventh of its bits, rounded up, without a division. */
    static int varBytes(long value) {
        return (Long.SIZE - 1 - Long.numberOfLeadingZeros(value | 1)) * 9 + 73 >>> 6;
    }

    static void putByte(byte[] array, int at, byte value) {
        array[at] = value;
    }

    static void putBoolean(byte[] array, int at, boolean value) {
        array[at] = (byte) (value ? 1 : 0);
    }

    static void putShort(byte[] array, int at, short value) {
        SHORT.set(array, at, value);
    }

    static void putChar(byte[] array, int at, char value) {
        SHORT.set(array, at, (short) value);
    }

    static void putInt(byte[] array, int at, int value) {
        INT.set(array, at, value);
    }

    static void putLong(byte[] array, int at, long value) {
        LONG.set(array, at, value);
    }

    static void putFloat(byte[] array, int at, float value) {
        INT.set(array, at, Float.floatToRawIntBits(value));
    }

    static void putDouble(byte[] array, int at, double value) {
        LONG.set(array, at, Double.doubleToRawLongBits(value));
    }

    /** Zeroes a few bytes. */
    static void clear(byte[] array, int at, int bytes) {
        Arrays.fill(array, at, at + bytes, (byte) 0);
    }

    /** Refuses bits that belong to nothing. */
    static void requireClear(int bits, int unused, Input in) {
        if ((bits & unused) != 0) {
            throw in.malformed("null bits of no field");
        }
    }

    static byte getByte(byte[] array, int at) {
        return array[at];
    }

    static short getShort(byte[] array, int at) {
        return (short) SHORT.get(array, at);
    }

    static char getChar(byte[] array, int at) {
        return (char) (short) SHORT.get(array, at);
    }

    static int getInt(byte[] array, int at) {
        return (int) INT.get(array, at);
    }

    static long getLong(byte[] array, int at) {
        return (long) LONG.get(array, at);
    }

    static float getFloat(byte[] array, int at) {
        return Float.intBitsToFloat((int) INT.get(array, at));
    }

    static double getDouble(byte[] array, int at) {
        return Double.longBitsToDouble((long) LONG.get(array, at));
    }
}
