package io.teff.engine.journal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The content of an entry of kind {@link Journal#BYTES}: the bytes of a chunk that differ from the chunk's state in the
 * entry before. Pure functions.
 * <pre>
 *  0                8               12
 *  +----------------+---------------+------+------+-----
 *  | predecessor    | chunk's bytes | part | part | ...
 *  +----------------+---------------+------+------+-----
 *
 *  part: | gap (1 to 3) | length (1 to 3) | bytes (length) |
 * </pre>
 * The <b>predecessor</b> is the number of the entry that the chunk's state before is of. The entry means nothing
 * without this state. The state behind is the state before, cut or filled up with zeros to the new length, with the
 * bytes of the parts. A gap is the number of unchanged bytes in front of a part, behind the part before. Gaps and
 * lengths are little-endian, 7 bits a byte; bit 7: more follow. A part has at least one byte; there may be no part.
 */
public final class ChangedBytes {
    /** Bytes in front of the parts. */
    public static final int HEAD_BYTES = 12;
    /** The most bytes of a gap, or of a length. */
    public static final int NUMBER_BYTES_MAX = 3;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int LENGTH_AT = 8;
    private static final int GROUP_BITS = 7;
    private static final int MORE = 1 << GROUP_BITS;

    static {
        assert LENGTH_AT + Integer.BYTES == HEAD_BYTES : "fields must tile the head";
        assert Journal.CONTENT_BYTES_MAX < 1 << NUMBER_BYTES_MAX * GROUP_BITS : "any gap must fit";
    }

    private ChangedBytes() {}

    /** Receives the parts of an entry. */
    @FunctionalInterface
    public interface Parts {
        /**
         * Receives a part.
         *
         * @param at first byte in the chunk
         * @param from offset of the part's bytes in the memory of the entry
         * @param length number of bytes
         */
        void part(int at, long from, int length);
    }

    // ---- writing ----

    /**
     * Writes the head.
     *
     * @param target memory of the content
     * @param at offset of the content there
     * @param predecessor number of the entry before
     * @param chunkBytes length of the chunk
     * @return offset of the first part
     */
    public static long writeHead(MemorySegment target, long at, long predecessor, int chunkBytes) {
        target.set(LONG, at, predecessor);
        target.set(INT, at + LENGTH_AT, chunkBytes);
        return at + HEAD_BYTES;
    }

    /**
     * Writes the gap and the length of a part.
     *
     * @param target memory of the content
     * @param at offset of the part there
     * @param gap unchanged bytes in front of the part
     * @param length bytes of the part
     * @return offset of the part's bytes
     */
    public static long writePart(MemorySegment target, long at, int gap, int length) {
        return writeNumber(target, writeNumber(target, at, gap), length);
    }

    private static long writeNumber(MemorySegment target, long from, int number) {
        long at = from;
        int rest = number;
        for (; rest >= MORE; rest >>>= GROUP_BITS) {
            target.set(ValueLayout.JAVA_BYTE, at++, (byte) (rest | MORE));
        }
        target.set(ValueLayout.JAVA_BYTE, at, (byte) rest);
        return at + 1;
    }

    /**
     * Returns the bytes of a part.
     *
     * @param gap unchanged bytes in front of the part
     * @param length bytes of the part
     * @return bytes with gap and length
     */
    public static int partBytes(int gap, int length) {
        return numberBytes(gap) + numberBytes(length) + length;
    }

    private static int numberBytes(int number) {
        return number < MORE ? 1 : number < 1 << 2 * GROUP_BITS ? 2 : NUMBER_BYTES_MAX;
    }

    // ---- reading ----

    /**
     * Returns the number of the entry before.
     *
     * @param source memory of the content
     * @param at offset of the content there
     * @return number
     */
    public static long predecessor(MemorySegment source, long at) {
        return source.get(LONG, at);
    }

    /**
     * Returns the length of the chunk.
     *
     * @param source memory of the content
     * @param at offset of the content there
     * @return bytes
     */
    public static int chunkBytes(MemorySegment source, long at) {
        return source.get(INT, at + LENGTH_AT);
    }

    /**
     * Returns whether a content is valid: the parts tile it, and are inside the chunk. Readers show no other.
     *
     * @param source memory of the content
     * @param at offset of the content there
     * @param length bytes of the content
     * @return whether it is valid
     */
    public static boolean isPossible(MemorySegment source, long at, int length) {
        return length >= HEAD_BYTES && walk(source, at, length, null);
    }

    /**
     * Returns the state of a chunk behind a valid content.
     *
     * @param before the state before
     * @param source memory of the content
     * @param at offset of the content there
     * @param length bytes of the content
     * @return the state behind, in a new array
     */
    public static byte[] changed(byte[] before, MemorySegment source, long at, int length) {
        final byte[] after = Arrays.copyOf(before, chunkBytes(source, at));
        forEachPart(source, at, length,
            (place, from, bytes) -> MemorySegment.copy(source, ValueLayout.JAVA_BYTE, from, after, place, bytes));
        return after;
    }

    /**
     * Returns a copy of a part of a memory.
     *
     * @param source the memory
     * @param at first byte
     * @param length number of bytes
     * @return the bytes
     */
    public static byte[] copy(MemorySegment source, long at, int length) {
        final byte[] bytes = new byte[length];
        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
        return bytes;
    }

    /**
     * Shows the parts of a valid content, in the order of their places.
     *
     * @param source memory of the content
     * @param at offset of the content there
     * @param length bytes of the content
     * @param parts receives the parts
     */
    public static void forEachPart(MemorySegment source, long at, int length, Parts parts) {
        walk(source, at, length, parts);
    }

    private static boolean walk(MemorySegment source, long begin, int length,
                                @Nullable Parts parts) {
        final int chunkBytes = chunkBytes(source, begin);
        if (predecessor(source, begin) == 0 || chunkBytes < 0 || chunkBytes > Journal.CONTENT_BYTES_MAX) {
            return false;
        }
        final long end = begin + length;
        long at = begin + HEAD_BYTES;
        long place = 0;
        while (at < end) {
            final int gap = readNumber(source, at, end);
            if (gap < 0) {
                return false;
            }
            final long lengthAt = at + numberBytes(gap);
            final int bytes = readNumber(source, lengthAt, end);
            if (bytes <= 0) {
                return false;
            }
            final long from = lengthAt + numberBytes(bytes);
            place += gap;
            if (place + bytes > chunkBytes || from + bytes > end) {
                return false;
            }
            if (parts != null) {
                parts.part((int) place, from, bytes);
            }
            place += bytes;
            at = from + bytes;
        }
        return true;
    }

    /** Reads a number in its shortest form. Returns -1 if there is none. */
    private static int readNumber(MemorySegment source, long from, long end) {
        int number = 0;
        for (int i = 0; i < NUMBER_BYTES_MAX && from + i < end; i++) {
            final int group = source.get(ValueLayout.JAVA_BYTE, from + i);
            number |= (group & MORE - 1) << i * GROUP_BITS;
            if (group >= 0) {
                return numberBytes(number) == i + 1 ? number : -1;
            }
        }
        return -1;
    }
}
