package io.teff.engine.codec.bytes;

import org.jspecify.annotations.Nullable;

/**
 * Chars of strings as bytes. A string is narrow if no char is above 255 (ISO 8859-1) and then takes one byte per char;
 * otherwise it is wide and takes two.
 */
public final class Latin1 {
    private static final int NARROW_MAX = 0xFF;

    private Latin1() {}

    /** Returns whether no char of a string is above 255. */
    public static boolean isNarrow(String value, int length) {
        for (int i = 0; i < length; i++) {
            if (value.charAt(i) > NARROW_MAX) {
                return false;
            }
        }
        return true;
    }

    /** Puts the chars {@code from} to {@code until} of a narrow string, one byte each. */
    @SuppressWarnings("deprecation")                          // the only copy of a string's bytes without an allocation
    public static void putNarrow(String value, int from, int until, byte[] array, int at) {
        value.getBytes(from, until, array, at);
    }

    /** Puts the chars {@code from} to {@code until} of a string, two bytes each. */
    public static void putWide(String value, int from, int until, byte[] array, int at) {
        for (int i = from; i < until; i++) {
            LittleEndian.putChar(array, at + (i - from) * Character.BYTES, value.charAt(i));
        }
    }

    /** Returns a string of chars that take two bytes each, or null if it should have been written narrow. */
    public static @Nullable String getWide(byte[] array, int at, int length) {
        char[] chars = new char[length];
        int all = 0;
        for (int i = 0; i < length; i++) {
            chars[i] = LittleEndian.getChar(array, at + i * Character.BYTES);
            all |= chars[i];
        }
        return all <= NARROW_MAX ? null : new String(chars);
    }
}
