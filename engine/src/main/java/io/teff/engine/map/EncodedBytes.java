package io.teff.engine.map;

import java.util.Arrays;

/**
 * The encoded form of a value shown by a walk. A later change compares these bytes with the found value, so that only
 * the shown value is changed. Not thread-safe.
 */
public final class EncodedBytes {
    private static final int BYTES_DOUBLED_MAX = 1 << 16;

    private byte[] bytes = new byte[0];
    private int length;

    /** Creates an empty form. */
    public EncodedBytes() {}

    /**
     * Copies an encoded value.
     *
     * @param source array that contains its bytes
     * @param from index of the first byte
     * @param count number of bytes
     */
    public void set(byte[] source, int from, int count) {
        if (count > bytes.length) {
            bytes = new byte[Math.max(count, (int) Math.min(bytes.length * 2L, BYTES_DOUBLED_MAX))];
        }
        System.arraycopy(source, from, bytes, 0, count);
        length = count;
    }

    /**
     * Returns whether a value has the same bytes.
     *
     * @param other array that contains the value's bytes
     * @param from index of the first byte
     * @param count number of bytes
     * @return whether they are equal
     */
    public boolean isSame(byte[] other, int from, int count) {
        return Arrays.equals(bytes, 0, length, other, from, from + count);
    }

    /** {@return the array that contains the bytes from index 0 on; {@link #set} may replace it} */
    public byte[] bytes() {
        return bytes;
    }

    /** {@return the number of bytes} */
    public int length() {
        return length;
    }
}
