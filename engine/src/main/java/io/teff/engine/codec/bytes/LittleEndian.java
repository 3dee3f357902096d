package io.teff.engine.codec.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Gets and puts little-endian values at any index of a byte array. Generated code calls these methods too. */
public final class LittleEndian {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT =
        MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    /** Puts a byte. */
    public static void putByte(byte[] array, int at, byte value) {
        array[at] = value;
    }

    /** Puts a boolean as one byte, 0 or 1. */
    public static void putBoolean(byte[] array, int at, boolean value) {
        array[at] = (byte) (value ? 1 : 0);
    }

    /** Puts two bytes. */
    public static void putShort(byte[] array, int at, short value) {
        SHORT.set(array, at, value);
    }

    /** Puts two bytes. */
    public static void putChar(byte[] array, int at, char value) {
        SHORT.set(array, at, (short) value);
    }

    /** Puts four bytes. */
    public static void putInt(byte[] array, int at, int value) {
        INT.set(array, at, value);
    }

    /** Puts eight bytes. */
    public static void putLong(byte[] array, int at, long value) {
        LONG.set(array, at, value);
    }

    /** Puts the four bytes of an IEEE 754 number. */
    public static void putFloat(byte[] array, int at, float value) {
        INT.set(array, at, Float.floatToRawIntBits(value));
    }

    /** Puts the eight bytes of an IEEE 754 number. */
    public static void putDouble(byte[] array, int at, double value) {
        LONG.set(array, at, Double.doubleToRawLongBits(value));
    }

    /** Sets bytes to zero. */
    public static void clear(byte[] array, int at, int bytes) {
        Arrays.fill(array, at, at + bytes, (byte) 0);
    }

    /** Returns a byte. */
    public static byte getByte(byte[] array, int at) {
        return array[at];
    }

    /** Returns two bytes. */
    public static short getShort(byte[] array, int at) {
        return (short) SHORT.get(array, at);
    }

    /** Returns two bytes. */
    public static char getChar(byte[] array, int at) {
        return (char) (short) SHORT.get(array, at);
    }

    /** Returns four bytes. */
    public static int getInt(byte[] array, int at) {
        return (int) INT.get(array, at);
    }

    /** Returns eight bytes. */
    public static long getLong(byte[] array, int at) {
        return (long) LONG.get(array, at);
    }

    /** Returns the four bytes of an IEEE 754 number. */
    public static float getFloat(byte[] array, int at) {
        return Float.intBitsToFloat((int) INT.get(array, at));
    }

    /** Returns the eight bytes of an IEEE 754 number. */
    public static double getDouble(byte[] array, int at) {
        return Double.longBitsToDouble((long) LONG.get(array, at));
    }
}
