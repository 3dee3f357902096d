package io.teff.engine.codec;

import io.teff.engine.memory.ArrayBytes;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Where a codec reads from: a window of an array with a position. Nothing that it returns was taken on trust: what is
 * not there is refused before anything is allocated for it. Not thread-safe.
 */
public final class Input {
    private static final int BYTE_SHIFT = 3;
    private static final int VAR_SHIFT = 7;
    private static final int VAR_MORE = 0x80;
    private static final int VAR_SHIFT_MAX = 63;
    static final int EMPTY_ELEMENTS_MAX = 100_000;

    private byte[] array;
    private int start;
    private int end;
    private int position;
    private int emptyElements;
    private int depth;
    /** What {@link #copyFrom} has copied to. */
    private byte[] copy = {};

    /**
     * Makes an input over a part of an array.
     *
     * @param array where the bytes are; must not change while it is read
     * @param from first index
     * @param length how many
     */
    public Input(byte[] array, int from, int length) {
        Objects.checkFromIndexSize(from, length, array.length);
        this.array = array;
        this.start = from;
        this.position = from;
        this.end = from + length;
    }

    /**
     * The same over another part.
     *
     * @param source where the bytes are
     * @param from first index
     * @param length how many
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
     * The same over a copy of a part of a segment. The copy's array is used again.
     *
     * @param source on or off the heap
     * @param offset in the source
     * @param length how many bytes
     * @throws IndexOutOfBoundsException if there are not so many
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
     * The array.
     *
     * @return what is read is in it
     */
    public byte[] array() {
        return array;
    }

    /**
     * How much was read.
     *
     * @return bytes from the beginning of the window
     */
    public int offset() {
        return position - start;
    }

    /**
     * How much is left.
     *
     * @return bytes
     */
    public int left() {
        return end - position;
    }

    // ---- reading ----

    /**
     * Moves the position behind bytes that the caller looks at itself.
     *
     * @param bytes how many
     * @return index in {@link #array()} of the first
     * @throws MalformedException if there are not so many
     */
    public int take(int bytes) {
        int at = position;
        if (bytes < 0 || bytes > end - at) {
            throw malformed(bytes + " bytes are needed, " + left() + " are left");
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
        return Bytes.getInt(array, at);
    }

    /**
     * Reads 64 bits, little-endian.
     *
     * @return the bits
     */
    public long getLong() {
        int at = take(Long.BYTES);
        return Bytes.getLong(array, at);
    }

    /**
     * Reads what {@link Output#putVar} wrote; only the shortest form is accepted.
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
        throw malformed("a number that is not in its shortest form");
    }

    /**
     * Reads what {@link Output#putZigzag} wrote.
     *
     * @return the number
     */
    public long getZigzag() {
        long value = position <= end - Bytes.VAR_BYTES_MAX ? getVarAtOnce() : getVar();
        return value >>> 1 ^ -(value & 1);
    }

    /** The same as {@link #getVar}, without a branch that depends on how long the number is, unless it is very long. */
    private long getVarAtOnce() {
        long word = Bytes.getLong(array, position);
        int last = Long.numberOfTrailingZeros(~word & Bytes.VAR_MORE);
        int bytes = last + 1 >>> BYTE_SHIFT;
        long value = Long.compress(word & -1L >>> Long.SIZE - 1 - last, Bytes.VAR_BITS);
        if (bytes != Bytes.varBytes(value)) {
            return getLongVarAtOnce(word);                      // it does not end in the word, or is not the shortest
        }
        position += bytes;
        return value;
    }

    /** The same with nine or ten bytes, of which there are the first eight. */
    private long getLongVarAtOnce(long word) {
        byte ninth = array[position + Long.BYTES];
        boolean isTen = ninth < 0 && array[position + Long.BYTES + 1] == 1;
        if ((word & Bytes.VAR_MORE) != Bytes.VAR_MORE || ninth <= 0 && !isTen) {
            return getVar();                                    // which says what is wrong
        }
        position += isTen ? Bytes.VAR_BYTES_MAX : Bytes.VAR_BYTES_MAX - 1;
        return Long.compress(word, Bytes.VAR_BITS) | (long) ninth << Bytes.VAR_BITS_PER_LONG;
    }

    /** One level deeper in a value that contains values of its own type; the level. */
    int enter() {
        return ++depth;
    }

    /** Index in {@link #array()} of the next byte. */
    int position() {
        return position;
    }

    /** Lets no more than so many bytes be left; what to give to {@link #widen} afterwards. */
    int narrow(int length) {
        int before = end;
        end = position + length;
        return before;
    }

    /** Ends what {@link #narrow} has begun. */
    void widen(int before) {
        end = before;
    }

    /** Elements without bytes that were read so far. */
    int emptyElements() {
        return emptyElements;
    }

    /** Counts those that were read elsewhere, too. */
    void emptyElements(int count) {
        emptyElements = count;
    }

    /** One level back. */
    void leave() {
        depth--;
    }

    /** Reads a zigzag number that must be an int. */
    int getZigzagInt() {
        long value = getZigzag();
        if (value != (int) value) {
            throw malformed("the int " + value);
        }
        return (int) value;
    }

    /**
     * Reads a number of elements and checks that so many can be there.
     *
     * @param bytesMin bytes that each element takes at least; elements without bytes have a limit of their own
     * @return the number
     */
    public int getCount(int bytesMin) {
        return checkCount(getVar(), bytesMin);
    }

    /**
     * Checks that so many elements can be there.
     *
     * @param count a number that was read
     * @param bytesMin bytes that each takes at least
     * @return the same number
     */
    int checkCount(long count, int bytesMin) {
        long possible = bytesMin > 0 ? left() / bytesMin : EMPTY_ELEMENTS_MAX - emptyElements;
        if (count < 0 || count > possible) {
            throw malformed(Long.toUnsignedString(count) + " elements, but at most " + possible + " can follow");
        }
        if (bytesMin == 0) {
            emptyElements += (int) count;
        }
        return (int) count;
    }

    /** Checks that so many bits can be there. */
    int checkBits(long count) {
        if (count < 0 || count > (long) left() * Byte.SIZE || count > Integer.MAX_VALUE - Byte.SIZE) {
            throw malformed(Long.toUnsignedString(count) + " elements, but " + left() + " bytes are left");
        }
        return (int) count;
    }

    /**
     * Reads what {@link Output#putString} wrote.
     *
     * @return the string
     */
    public String getString() {
        long header = getVar();
        boolean wide = (header & 1) != 0;
        int length = checkCount(header >>> 1, wide ? Character.BYTES : 1);
        return wide ? getWide(length) : new String(array, take(length), length, StandardCharsets.ISO_8859_1);
    }

    /** Reads chars of two bytes, of which one must need them. */
    String getWide(int length) {
        int at = take(length * Character.BYTES);
        char[] chars = new char[length];
        int all = 0;
        for (int i = 0; i < length; i++) {
            chars[i] = Bytes.getChar(array, at + i * Character.BYTES);
            all |= chars[i];
        }
        if (all <= 0xFF) {
            throw malformed("a string in the wide form that needs the narrow one");
        }
        return new String(chars);
    }

    /**
     * Makes the exception for what is wrong at the position.
     *
     * @param what what it is
     * @return the exception, to be thrown
     */
    public MalformedException malformed(String what) {
        return new MalformedException(offset(), what, null);
    }
}
