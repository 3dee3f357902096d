package io.teff.graph.algorithms.program;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A window of a fixed length on packed bytes: the state of a vertex, or a message. Numbers are little-endian. The
 * engine moves the window, so a program does not keep it.
 */
public final class Packed {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle DOUBLES =
        MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

    private final int length;
    private byte[] bytes;
    private int start;

    private Packed(byte[] bytes, int start, int length) {
        this.bytes = bytes;
        this.start = start;
        this.length = length;
    }

    /**
     * Makes a window on bytes of its own, all zero.
     *
     * @param length number of bytes
     */
    Packed(int length) {
        this.length = length;
        bytes = new byte[length];
    }

    /** Moves the window. */
    Packed at(byte[] array, int offset) {
        bytes = array;
        start = offset;
        return this;
    }

    /** A window on the first bytes of this window, valid as long as this window is not moved. */
    Packed head(int count) {
        return new Packed(bytes, start, count);
    }

    /** {@return the number of bytes} */
    public int length() {
        return length;
    }

    /**
     * {@return the int at an offset from the start of the window}
     *
     * @param offset bytes from the start, 0 to {@code length() - 4}
     * @throws IndexOutOfBoundsException if the int is not within the window
     */
    public int getInt(int offset) {
        return (int) INTS.get(bytes, place(offset, Integer.BYTES));
    }

    /**
     * Sets the int at an offset from the start of the window.
     *
     * @param offset bytes from the start, 0 to {@code length() - 4}
     * @param value written in 4 bytes, the lowest byte first
     * @throws IndexOutOfBoundsException if the int is not within the window
     */
    public void putInt(int offset, int value) {
        INTS.set(bytes, place(offset, Integer.BYTES), value);
    }

    /**
     * {@return the long at an offset from the start of the window}
     *
     * @param offset bytes from the start, 0 to {@code length() - 8}
     * @throws IndexOutOfBoundsException if the long is not within the window
     */
    public long getLong(int offset) {
        return (long) LONGS.get(bytes, place(offset, Long.BYTES));
    }

    /**
     * Sets the long at an offset from the start of the window.
     *
     * @param offset bytes from the start, 0 to {@code length() - 8}
     * @param value written in 8 bytes, the lowest byte first
     * @throws IndexOutOfBoundsException if the long is not within the window
     */
    public void putLong(int offset, long value) {
        LONGS.set(bytes, place(offset, Long.BYTES), value);
    }

    /**
     * {@return the double at an offset from the start of the window}
     *
     * @param offset bytes from the start, 0 to {@code length() - 8}
     * @throws IndexOutOfBoundsException if the double is not within the window
     */
    public double getDouble(int offset) {
        return (double) DOUBLES.get(bytes, place(offset, Double.BYTES));
    }

    /**
     * Sets the double at an offset from the start of the window.
     *
     * @param offset bytes from the start, 0 to {@code length() - 8}
     * @param value written in 8 bytes, the lowest byte first
     * @throws IndexOutOfBoundsException if the double is not within the window
     */
    public void putDouble(int offset, double value) {
        DOUBLES.set(bytes, place(offset, Double.BYTES), value);
    }

    /**
     * Copies the bytes of a window of the same length into this window.
     *
     * @param other the window to read, not changed
     */
    public void copy(Packed other) {
        if (length == Long.BYTES) {                             // a copy of a length that is not constant is a call
            LONGS.set(bytes, start, (long) LONGS.get(other.bytes, other.start));
        } else if (length == Integer.BYTES) {
            INTS.set(bytes, start, (int) INTS.get(other.bytes, other.start));
        } else {
            System.arraycopy(other.bytes, other.start, bytes, start, length);
        }
    }

    private int place(int offset, int size) {
        return start + Objects.checkFromIndexSize(offset, size, length);
    }
}
