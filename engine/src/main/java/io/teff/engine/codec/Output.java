package io.teff.engine.codec;

import io.teff.engine.memory.ArrayBytes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a codec writes to: a window of an array with a position. Either the array grows as needed (to be used again and
 * again, so that writing allocates nothing), or the window is fixed. Not thread-safe.
 */
public final class Output {
    private static final int CAPACITY_MAX = Integer.MAX_VALUE - 8;
    private static final int VAR_SHIFT = 7;
    private static final int VAR_MORE = 0x80;

    private final boolean grows;
    private final int start;
    private int end;
    private byte[] array;
    /** All of the array, made when it is asked for first: the JIT cannot be relied on to make none each time. */
    private @Nullable MemorySegment segment;
    private int position;
    private int depth;

    private Output(byte[] array, int start, int end, boolean grows) {
        this.array = array;
        this.start = start;
        this.end = end;
        this.position = start;
        this.grows = grows;
    }

    /**
     * Makes an output that grows.
     *
     * @param capacity bytes at the beginning
     * @return an empty one
     */
    public static Output growing(int capacity) {
        return new Output(new byte[capacity], 0, CAPACITY_MAX, true);
    }

    /**
     * Makes an output over a part of an array.
     *
     * @param array where the bytes go
     * @param from first index
     * @param length bytes that there are
     * @return an empty one
     */
    public static Output over(byte[] array, int from, int length) {
        Objects.checkFromIndexSize(from, length, array.length);
        return new Output(array, from, from + length, false);
    }

    /** Forgets what was written. */
    public void clear() {
        position = start;
        depth = 0;
    }

    /**
     * Forgets what was written, and lets an output that grows take no more than so many bytes from now on.
     *
     * @param bytesMax largest size, at most 2^31 - 9
     */
    public void clear(int bytesMax) {
        assert grows && bytesMax <= CAPACITY_MAX : bytesMax;
        clear();
        end = bytesMax;
    }

    /**
     * The array; another one after it has grown.
     *
     * @return what was written is in it, from {@link #start()}
     */
    public byte[] array() {
        return array;
    }

    /**
     * Where the window begins.
     *
     * @return index in the array
     */
    public int start() {
        return start;
    }

    /**
     * How much was written.
     *
     * @return bytes
     */
    public int size() {
        return position - start;
    }

    /**
     * What was written.
     *
     * @return a copy
     */
    public byte[] toByteArray() {
        return Arrays.copyOfRange(array, start, position);
    }

    /**
     * Copies what was written to a segment.
     *
     * @param target on or off the heap
     * @param offset in the target
     * @throws IndexOutOfBoundsException if there is not so much room; nothing is copied
     */
    public void copyTo(MemorySegment target, long offset) {
        ArrayBytes.copyOut(array, start, target, offset, size());
    }

    // ---- writing ----

    /**
     * Makes room and moves the position behind it; the caller fills it in.
     *
     * @param bytes how many, not negative
     * @return index in {@link #array()} of the first
     * @throws IndexOutOfBoundsException if the window is fixed and too small
     */
    public int take(int bytes) {
        int at = position;
        if (bytes < 0 || bytes > array.length - at || bytes > end - at) {
            makeRoom(bytes);
        }
        position = at + bytes;
        return at;
    }

    private void makeRoom(int bytes) {
        if (bytes < 0 || bytes > end - position) {
            throw new IndexOutOfBoundsException((long) size() + bytes + " bytes for a window of " + (end - start));
        }
        int needed = position + bytes;
        array = Arrays.copyOf(array, (int) Math.max(needed, Math.min(array.length * 2L, end)));
        segment = null;
    }

    /** One level deeper in a value that contains values of its own type; the level. */
    int enter() {
        return ++depth;
    }

    /** Sets bytes that were taken to those of an array's values. */
    void setAll(int at, Object values, int from, int count) {
        MemorySegment known = segment;
        if (known == null) {
            known = MemorySegment.ofArray(array);
            segment = known;
        }
        ArrayBytes.copyOut(values, from, count, known, at);
    }

    /** Bytes that there is room for without growing. */
    int room() {
        return Math.min(array.length, end) - position;
    }

    /** One level back. */
    void leave() {
        depth--;
    }

    /** Goes back to where {@link #size()} was so many bytes. */
    void rewind(int bytes) {
        position = start + bytes;
    }

    /**
     * Writes a byte.
     *
     * @param value the byte
     */
    public void putByte(byte value) {
        int at = take(1);
        array[at] = value;
    }

    /**
     * Writes 32 bits, little-endian.
     *
     * @param value the bits
     */
    public void putInt(int value) {
        int at = take(Integer.BYTES);
        Bytes.putInt(array, at, value);
    }

    /**
     * Writes 64 bits, little-endian.
     *
     * @param value the bits
     */
    public void putLong(long value) {
        int at = take(Long.BYTES);
        Bytes.putLong(array, at, value);
    }

    /**
     * Writes bytes.
     *
     * @param source where they are
     * @param from first index
     * @param length how many
     */
    public void putBytes(byte[] source, int from, int length) {
        int at = take(length);
        System.arraycopy(source, from, array, at, length);
    }

    /**
     * Writes a number in as few bytes as it needs, seven bits in each, the lowest first (LEB128).
     *
     * @param value the number; a negative one counts as 2^64 more and takes ten bytes
     */
    public void putVar(long value) {
        if ((value & -VAR_MORE) == 0) {
            putByte((byte) value);
        } else {
            putVarLong(value);
        }
    }

    private void putVarLong(long value) {
        long rest = value;
        while ((rest & -VAR_MORE) != 0) {
            putByte((byte) (rest | VAR_MORE));
            rest >>>= VAR_SHIFT;
        }
        putByte((byte) rest);
    }

    /**
     * Writes a number in as few bytes as its distance from zero needs (zigzag, then LEB128).
     *
     * @param value the number
     */
    public void putZigzag(long value) {
        long zigzag = value << 1 ^ value >> Long.SIZE - 1;
        int at = position;
        if (at > array.length - Bytes.VAR_BYTES_MAX || at > end - Bytes.VAR_BYTES_MAX) {
            putVar(zigzag);
        } else if (zigzag >>> Bytes.VAR_BITS_PER_LONG == 0) {
            putVarAtOnce(zigzag, at);
        } else {
            putLongVarAtOnce(zigzag, at);
        }
    }

    /** Without a branch that depends on the value: its bits are spread by one instruction. What is behind is zeros. */
    private void putVarAtOnce(long value, int at) {
        int bytes = Bytes.varBytes(value);
        long more = Bytes.VAR_MORE & (1L << (bytes - 1) * Byte.SIZE) - 1;
        Bytes.putLong(array, at, Long.expand(value, Bytes.VAR_BITS) | more);
        position = at + bytes;
    }

    /** The same with nine or ten bytes. */
    private void putLongVarAtOnce(long value, int at) {
        int rest = (int) (value >>> Bytes.VAR_BITS_PER_LONG);
        int last = rest >>> VAR_SHIFT;
        Bytes.putLong(array, at, Long.expand(value, Bytes.VAR_BITS) | Bytes.VAR_MORE);
        array[at + Long.BYTES] = (byte) rest;                   // its highest bit says whether a last byte follows
        array[at + Long.BYTES + 1] = (byte) last;
        position = at + Long.BYTES + 1 + last;
    }

    /**
     * Writes a string: its length times two, plus one if a char of it is above 255; then one or two bytes per char.
     *
     * @param value the string
     */
    public void putString(String value) {
        int length = value.length();
        if (isNarrow(value, length)) {
            putVar((long) length << 1);
            putNarrow(value, 0, length);
        } else {
            putVar((long) length << 1 | 1);
            putWide(value, 0, length);
        }
    }

    /** Writes some chars of a string, with one byte each or two. */
    void putChars(String value, int from, int until, boolean wide) {
        if (wide) {
            putWide(value, from, until);
        } else {
            putNarrow(value, from, until);
        }
    }

    static boolean isNarrow(String value, int length) {
        for (int i = 0; i < length; i++) {
            if (value.charAt(i) > 0xFF) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings("deprecation")                          // the only copy of a string's bytes without an allocation
    private void putNarrow(String value, int from, int until) {
        int at = take(until - from);
        value.getBytes(from, until, array, at);
    }

    private void putWide(String value, int from, int until) {
        int at = take(Math.multiplyExact(until - from, Character.BYTES));
        for (int i = from; i < until; i++) {
            Bytes.putChar(array, at + (i - from) * Character.BYTES, value.charAt(i));
        }
    }
}
