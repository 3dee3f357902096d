package io.teff.engine.query;

import io.teff.engine.codec.Output;
import io.teff.engine.codec.bytes.LittleEndian;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of values whose unsigned order is the order of the values. The bytes of a value are never the beginning of the
 * bytes of another value of the type, so several values one after the other are ordered by the first, then by the next.
 * <pre>
 *  int, long   | big-endian, the sign bit flipped (4, 8) |
 *  double      | big-endian (8): of a negative number all bits flipped, else the sign bit; each NaN is one NaN |
 *  boolean     | 0 or 1 (1) |
 *  string      | each char (1 to 3) | 0 |       char: 01 01 and 01 02 for the chars 0 and 1, below 0x80 one byte,
 *                                                 below 0x800: C0 + 5 bits, 80 + 6 bits; else E0 + 4, 80 + 6, 80 + 6
 *  bytes       | each byte (1 to 2) | 0 |       byte: 01 01 and 01 02 for the bytes 0 and 1, else the byte itself
 *  may be null | 0 for null, or 1 and the value |
 * </pre>
 * Strings are in the order of {@link String#compareTo}, doubles in the order of {@link Double#compare}.
 */
final class SortKeyBytes {
    /** Stands for null, where a value may be null. */
    static final byte NULL = 0;
    /** Precedes a value that is not null, where a value may be null. */
    static final byte PRESENT = 1;

    private static final byte END = 0;
    private static final byte ESCAPE = 1;
    private static final int ESCAPED = 2;
    private static final int ONE_BYTE = 0x80;
    private static final int TWO_BYTES = 0x800;
    private static final int TWO_HEAD = 0xC0;
    private static final int THREE_HEAD = 0xE0;
    private static final int TAIL = 0x80;
    private static final int TAIL_BITS = 6;
    private static final int TAIL_MASK = (1 << TAIL_BITS) - 1;

    private SortKeyBytes() {}

    /** Puts an int. */
    static void putInt(Output out, int value) {
        out.putInt(Integer.reverseBytes(value ^ Integer.MIN_VALUE));
    }

    /** Puts a long. */
    static void putLong(Output out, long value) {
        out.putLong(Long.reverseBytes(value ^ Long.MIN_VALUE));
    }

    /** Reads an int. */
    static int getInt(byte[] bytes, int at) {
        return Integer.reverseBytes(LittleEndian.getInt(bytes, at)) ^ Integer.MIN_VALUE;
    }

    /** Reads a long. */
    static long getLong(byte[] bytes, int at) {
        return Long.reverseBytes(LittleEndian.getLong(bytes, at)) ^ Long.MIN_VALUE;
    }

    /** Puts a double. */
    static void putDouble(Output out, double value) {
        final long bits = Double.doubleToLongBits(value);
        putLong(out, bits ^ bits >> Long.SIZE - 1 & Long.MAX_VALUE);
    }

    /** Puts a boolean. */
    static void putBoolean(Output out, boolean value) {
        out.putByte((byte) (value ? 1 : 0));
    }

    /** Puts a string with its end. */
    static void putString(Output out, String value) {
        putChars(out, value);
        out.putByte(END);
    }

    /** Puts the chars of a string without an end: all strings that begin with this string begin with these bytes. */
    static void putChars(Output out, String value) {
        for (int i = 0; i < value.length(); i++) {
            final int next = value.charAt(i);
            if (next < ESCAPED) {
                out.putByte(ESCAPE);
                out.putByte((byte) (next + 1));
            } else if (next < ONE_BYTE) {
                out.putByte((byte) next);
            } else if (next < TWO_BYTES) {
                out.putByte((byte) (TWO_HEAD | next >> TAIL_BITS));
                out.putByte((byte) (TAIL | next & TAIL_MASK));
            } else {
                out.putByte((byte) (THREE_HEAD | next >> 2 * TAIL_BITS));
                out.putByte((byte) (TAIL | next >> TAIL_BITS & TAIL_MASK));
                out.putByte((byte) (TAIL | next & TAIL_MASK));
            }
        }
    }

    /** Puts bytes with their end. */
    static void putBytes(Output out, byte[] value) {
        putPrefix(out, value);
        out.putByte(END);
    }

    /** Puts bytes without an end. */
    static void putPrefix(Output out, byte[] value) {
        for (byte next : value) {
            if ((next & ~1) == 0) {
                out.putByte(ESCAPE);
                out.putByte((byte) (next + 1));
            } else {
                out.putByte(next);
            }
        }
    }

    /** Returns the index behind a string or bytes, which end with the first byte of zero. */
    static int endOfText(byte[] bytes, int from) {
        int at = from;
        while (bytes[at] != END) {
            at++;
        }
        return at + 1;
    }

    /**
     * Returns the least bytes behind all bytes that begin with a prefix.
     *
     * @return null if there are none: the prefix has no byte other than 255
     */
    static byte @Nullable [] behind(byte[] prefix) {
        int length = prefix.length;
        while (length > 0 && prefix[length - 1] == -1) {
            length--;
        }
        if (length == 0) {
            return null;
        }
        final byte[] next = Arrays.copyOf(prefix, length);
        next[length - 1]++;
        return next;
    }
}
