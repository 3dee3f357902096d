package io.teff.engine.codec;

import io.teff.engine.codec.bytes.CodecLimits;
import io.teff.engine.codec.bytes.Latin1;
import io.teff.engine.codec.bytes.Leb128;
import io.teff.engine.codec.bytes.LittleEndian;
import io.teff.engine.memory.ArrayBytes;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Source of a codec: a window of an array with a read position. The bytes are not trusted: each length and count is
 * checked against the bytes that are left before anything is allocated for it. Not thread-safe.
 */
public final class Input {
    private static final int BYTE_SHIFT = 3;
    private static final int VAR_SHIFT = 7;
    private static final int VAR_MORE = 0x80;
    private static final int VAR_SHIFT_MAX = 63;

    private byte[] array;
    private int start;
    private int end;
    private int position;
    private int emptyElements;
    private int depth;
    /** Target of {@link #copyFrom}; reused. */
    private byte[] copy = {};

    /**
     * Makes an input over a range of an array.
     *
     * @param array bytes to read; must not change meanwhile
     * @param from index of the first byte
     * @param length number of bytes
     */
    public Input(byte[] array, int from, int length) {
        Objects.checkFromIndexSize(from, length, array.length);
        this.array = array;
        this.start = from;
        this.position = from;
        this.end = from + length;
    }

    /**
     * Starts again over another range, as a new input would.
     *
     * @param source bytes to read; must not change meanwhile
     * @param from index of the first byte
     * @param length number of bytes
     */
    public void reset(byte[] source, int from, int length) {
        Objects.checkFromIndexSize(from, length, source.length);
        array = source;
        start = from;
        position = from;
        end = from + length;
        emptyElements = 0;
        depth = 0;
    }

    /**
     * Starts again over a copy of a segment's range. The array of the copy is reused by later calls.
     *
     * @param source on or off the heap
     * @param offset of the first byte in the source
     * @param length number of bytes
     * @throws IndexOutOfBoundsException if the range is not inside the source
     */
    public void copyFrom(MemorySegment source, long offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.byteSize());
        if (copy.length < length) {
            copy = new byte[(int) Math.min(Math.max(length, copy.length * 2L), source.byteSize())];
        }
        ArrayBytes.copyIn(source, offset, copy, 0, length);
        reset(copy, 0, length);
    }

    /**
     * Returns the array that contains the window.
     *
     * @return the array itself, not a copy
     */
    public byte[] array() {
        return array;
    }

    /**
     * Returns the number of bytes read.
     *
     * @return bytes from the start of the window to the position
     */
    public int offset() {
        return position - start;
    }

    /**
     * Returns the position as an index of {@link #array()}.
     *
     * @return index of the next byte
     */
    public int position() {
        return position;
    }

    /**
     * Returns the number of bytes left.
     *
     * @return bytes from the position to the end of the window
     */
    public int left() {
        return end - position;
    }

    // ---- reading ----

    /**
     * Advances the position over bytes that the caller reads from the array itself.
     *
     * @param bytes number of bytes
     * @return index of the first of them in {@link #array()}
     * @throws MalformedException if fewer bytes are left
     */
    public int take(int bytes) {
        int at = position;
        if (bytes < 0 || bytes > end - at) {
            throw malformed(bytes + " bytes are needed, but " + left() + " are left");
        }
        position = at + bytes;
        return at;
    }

    /**
     * Reads a byte.
     *
     * @return the byte
     */
    public byte getByte() {
        int at = take(1);
        return array[at];
    }

    /**
     * Reads 32 bits, little-endian.
     *
     * @return the bits
     */
    public int getInt() {
        int at = take(Integer.BYTES);
        return LittleEndian.getInt(array, at);
    }

    /**
     * Reads 64 bits, little-endian.
     *
     * @return the bits
     */
    public long getLong() {
        int at = take(Long.BYTES);
        return LittleEndian.getLong(array, at);
    }

    /**
     * Reads a number written by {@link Output#putVar}. Only its shortest form is accepted.
     *
     * @return the number
     */
    public long getVar() {
        byte first = getByte();
        return first >= 0 ? first : getVarLong(first & VAR_MORE - 1);
    }

    private long getVarLong(long lowest) {
        long value = lowest;
        for (int shift = VAR_SHIFT; shift <= VAR_SHIFT_MAX; shift += VAR_SHIFT) {
            byte next = getByte();
            value |= (long) (next & VAR_MORE - 1) << shift;
            if (next >= 0) {
                if (next == 0 || shift == VAR_SHIFT_MAX && next > 1) {
                    break;
                }
                return value;
            }
        }
        throw malformed("a LEB128 number that is not in its shortest form");
    }

    /**
     * Reads a number written by {@link Output#putZigzag}.
     *
     * @return the number
     */
    public long getZigzag() {
        long value = position <= end - Leb128.BYTES_MAX ? getVarAtOnce() : getVar();
        return value >>> 1 ^ -(value & 1);
    }

    /**
     * Reads a number of up to eight bytes like {@link #getVar}, without a branch that depends on its length; longer
     * numbers have a separate method.
     */
    private long getVarAtOnce() {
        long word = LittleEndian.getLong(array, position);
        int last = Long.numberOfTrailingZeros(~word & Leb128.MORE_MASK);
        int bytes = last + 1 >>> BYTE_SHIFT;
        long value = Long.compress(word & -1L >>> Long.SIZE - 1 - last, Leb128.PAYLOAD_MASK);
        if (bytes != Leb128.bytes(value)) {
            return getLongVarAtOnce(word);                      // longer than the word, or not the shortest form
        }
        position += bytes;
        return value;
    }

    /** Reads a number of nine or ten bytes, of which {@code word} has the first eight. */
    private long getLongVarAtOnce(long word) {
        byte ninth = array[position + Long.BYTES];
        boolean hasTen = ninth < 0 && array[position + Long.BYTES + 1] == 1;
        if ((word & Leb128.MORE_MASK) != Leb128.MORE_MASK || ninth <= 0 && !hasTen) {
            return getVar();                                    // throws, and names the fault
        }
        position += hasTen ? Leb128.BYTES_MAX : Leb128.BYTES_MAX - 1;
        return Long.compress(word, Leb128.PAYLOAD_MASK) | (long) ninth << Leb128.PAYLOAD_BITS_PER_LONG;
    }

    /**
     * Reads a number written by {@link Output#putZigzag} that must be in the range of an int.
     *
     * @return the number
     */
    public int getZigzagInt() {
        long value = getZigzag();
        if (value != (int) value) {
            throw malformed(value + ", which is outside the range of an int,");
        }
        return (int) value;
    }

    /**
     * Reads a string written by {@link Output#putString}.
     *
     * @return the string
     */
    public String getString() {
        long header = getVar();
        boolean wide = (header & 1) != 0;
        int length = checkCount(header >>> 1, wide ? Character.BYTES : 1);
        return wide ? getWide(length) : new String(array, take(length), length, StandardCharsets.ISO_8859_1);
    }

    /**
     * Reads chars of two bytes each.
     *
     * @param length number of chars
     * @return the string
     * @throws MalformedException if no char is above 255: the string has a shorter form
     */
    public String getWide(int length) {
        String value = Latin1.getWide(array, take(length * Character.BYTES), length);
        if (value == null) {
            throw malformed("a string in the wide form that needs the narrow one");
        }
        return value;
    }

    // ---- counts ----

    /**
     * Reads a number of elements and checks that this many elements can follow.
     *
     * @param bytesMin least bytes of each element; elements without bytes have a separate limit
     * @return the number
     */
    public int getCount(int bytesMin) {
        return checkCount(getVar(), bytesMin);
    }

    /**
     * Checks a number of elements against the bytes that are left.
     *
     * @param count number that was read
     * @param bytesMin least bytes of each element; of those with 0 an input may have 100,000 in total
     * @return {@code count}
     */
    public int checkCount(long count, int bytesMin) {
        long possible = bytesMin > 0 ? left() / bytesMin : CodecLimits.EMPTY_ELEMENTS_MAX - emptyElements;
        if (count < 0 || count > possible) {
            throw malformed(Long.toUnsignedString(count) + " elements, but at most " + possible + " can follow");
        }
        if (bytesMin == 0) {
            emptyElements += (int) count;
        }
        return (int) count;
    }

    /**
     * Checks a number of elements of a bit each against the bytes that are left.
     *
     * @param count number that was read
     * @return {@code count}
     */
    public int checkBits(long count) {
        if (count < 0 || count > (long) left() * Byte.SIZE || count > Integer.MAX_VALUE - Byte.SIZE) {
            throw malformed(Long.toUnsignedString(count) + " elements of one bit, but " + left() + " bytes are left");
        }
        return (int) count;
    }

    // ---- values inside values ----

    /**
     * Ends the window earlier, so that a nested codec cannot read beyond its value.
     *
     * @param length bytes that stay readable, at most {@link #left()}
     * @return the end before, for {@link #widen}
     */
    public int narrow(int length) {
        assert length >= 0 && length <= left() : length;
        int before = end;
        end = position + length;
        return before;
    }

    /**
     * Undoes {@link #narrow}.
     *
     * @param before result of that call
     */
    public void widen(int before) {
        end = before;
    }

    /**
     * Enters a value that lies inside a value of its own type.
     *
     * @return nesting level of that value, from 1
     */
    public int enter() {
        return ++depth;
    }

    /** Leaves the value of the last {@link #enter}. */
    public void leave() {
        depth--;
    }

    /**
     * Returns the number of elements without bytes read so far.
     *
     * @return the number that {@link #checkCount} limits
     */
    public int emptyElements() {
        return emptyElements;
    }

    /**
     * Sets the number of elements without bytes read so far, if another input read some of this value.
     *
     * @param count number in total
     */
    public void emptyElements(int count) {
        emptyElements = count;
    }

    /**
     * Makes an exception for malformed bytes at the position.
     *
     * @param what what is wrong
     * @return the exception, for the caller to throw
     */
    public MalformedException malformed(String what) {
        return new MalformedException(offset(), what, null);
    }
}
