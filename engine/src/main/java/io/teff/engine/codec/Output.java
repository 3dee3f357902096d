package io.teff.engine.codec;

import io.teff.engine.codec.bytes.CodecLimits;
import io.teff.engine.codec.bytes.Latin1;
import io.teff.engine.codec.bytes.Leb128;
import io.teff.engine.codec.bytes.LittleEndian;
import io.teff.engine.memory.ArrayBytes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Target of a codec: a window of an array with a write position. The window is either fixed, or grows as needed; a
 * growing output that is reused stops allocating once it is large enough. Not thread-safe.
 */
public final class Output {
    private static final int CAPACITY_MAX = Integer.MAX_VALUE - 8;
    private static final int VAR_SHIFT = 7;
    private static final int VAR_MORE = 0x80;

    private final boolean grows;
    private final int start;
    private int end;
    private byte[] array;
    /** Segment over the whole array, made at its first use and kept: the JIT may not remove an allocation per call. */
    private @Nullable MemorySegment segment;
    private int position;
    private int depth;
    private int emptyElements;
    private boolean isChecked;

    private Output(byte[] array, int start, int end, boolean grows) {
        this.array = array;
        this.start = start;
        this.end = end;
        this.position = start;
        this.grows = grows;
    }

    /**
     * Makes an empty output that grows.
     *
     * @param capacity initial size of its array in bytes
     * @return the output
     */
    public static Output growing(int capacity) {
        return new Output(new byte[capacity], 0, CAPACITY_MAX, true);
    }

    /**
     * Makes an empty output over a range of an array; it does not grow.
     *
     * @param array array to write to
     * @param from index of the first byte
     * @param length bytes in the range
     * @return the output
     */
    public static Output over(byte[] array, int from, int length) {
        Objects.checkFromIndexSize(from, length, array.length);
        return new Output(array, from, from + length, false);
    }

    /** Discards all bytes written. */
    public void clear() {
        position = start;
        depth = 0;
        emptyElements = 0;
        isChecked = false;
    }

    /**
     * Discards all bytes written and limits the size of a growing output from now on.
     *
     * @param bytesMax largest size in bytes, at most 2^31 - 9
     */
    public void clear(int bytesMax) {
        assert grows && bytesMax <= CAPACITY_MAX : bytesMax;
        clear();
        end = bytesMax;
    }

    /**
     * Returns the array that contains the window. A growing output replaces it when it grows.
     *
     * @return the array itself; the bytes written begin at {@link #start()}
     */
    public byte[] array() {
        return array;
    }

    /**
     * Returns the start of the window.
     *
     * @return index of its first byte in the array
     */
    public int start() {
        return start;
    }

    /**
     * Returns the number of bytes written.
     *
     * @return size in bytes
     */
    public int size() {
        return position - start;
    }

    /**
     * Returns the number of bytes that can be written without growing.
     *
     * @return bytes from the position to the end of the window or the array
     */
    public int room() {
        return Math.min(array.length, end) - position;
    }

    /**
     * Returns the bytes written.
     *
     * @return a copy
     */
    public byte[] toByteArray() {
        return Arrays.copyOfRange(array, start, position);
    }

    /**
     * Copies the bytes written to a segment.
     *
     * @param target on or off the heap
     * @param offset of the first byte in the target
     * @throws IndexOutOfBoundsException if the target is too small; nothing is copied
     */
    public void copyTo(MemorySegment target, long offset) {
        ArrayBytes.copyOut(array, start, target, offset, size());
    }

    // ---- writing ----

    /**
     * Reserves bytes and advances the position over them; the caller writes them to the array itself.
     *
     * @param bytes number of bytes, not negative
     * @return index of the first of them in {@link #array()}
     * @throws IndexOutOfBoundsException if the window is fixed, or limited, and too small
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

    /**
     * Moves the position back and so discards the last bytes written.
     *
     * @param bytes size afterwards, at most {@link #size()}
     */
    public void rewind(int bytes) {
        position = start + bytes;
    }

    /**
     * Puts values of a primitive array, little-endian and side by side, into bytes reserved by {@link #take}.
     *
     * @param at index of the first byte in {@link #array()}
     * @param values an array of short, char, int, long, float or double
     * @param from index of its first value
     * @param count number of values
     */
    public void putValues(int at, Object values, int from, int count) {
        MemorySegment known = segment;
        if (known == null) {
            known = MemorySegment.ofArray(array);
            segment = known;
        }
        ArrayBytes.copyOut(values, from, count, known, at);
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
        LittleEndian.putInt(array, at, value);
    }

    /**
     * Writes 64 bits, little-endian.
     *
     * @param value the bits
     */
    public void putLong(long value) {
        int at = take(Long.BYTES);
        LittleEndian.putLong(array, at, value);
    }

    /**
     * Writes bytes.
     *
     * @param source array that contains them
     * @param from index of the first
     * @param length number of bytes
     */
    public void putBytes(byte[] source, int from, int length) {
        int at = take(length);
        System.arraycopy(source, from, array, at, length);
    }

    /**
     * Writes a number in its shortest LEB128 form: seven bits in each byte, the lowest first.
     *
     * @param value the number; a negative one counts as unsigned, 2^64 more, and takes ten bytes
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
     * Writes a number in as few bytes as its distance from zero needs: zigzag, then LEB128.
     *
     * @param value the number
     */
    public void putZigzag(long value) {
        long zigzag = value << 1 ^ value >> Long.SIZE - 1;
        int at = position;
        if (at > array.length - Leb128.BYTES_MAX || at > end - Leb128.BYTES_MAX) {
            putVar(zigzag);
        } else if (zigzag >>> Leb128.PAYLOAD_BITS_PER_LONG == 0) {
            putVarAtOnce(zigzag, at);
        } else {
            putLongVarAtOnce(zigzag, at);
        }
    }

    /**
     * Writes a number of up to eight bytes without a branch that depends on it: one instruction spreads its bits. The
     * rest of the eight bytes becomes zero.
     */
    private void putVarAtOnce(long value, int at) {
        int bytes = Leb128.bytes(value);
        long more = Leb128.MORE_MASK & (1L << (bytes - 1) * Byte.SIZE) - 1;
        LittleEndian.putLong(array, at, Long.expand(value, Leb128.PAYLOAD_MASK) | more);
        position = at + bytes;
    }

    /** Writes a number of nine or ten bytes. */
    private void putLongVarAtOnce(long value, int at) {
        int rest = (int) (value >>> Leb128.PAYLOAD_BITS_PER_LONG);
        int last = rest >>> VAR_SHIFT;
        LittleEndian.putLong(array, at, Long.expand(value, Leb128.PAYLOAD_MASK) | Leb128.MORE_MASK);
        array[at + Long.BYTES] = (byte) rest;                   // bit 7 announces a tenth byte
        array[at + Long.BYTES + 1] = (byte) last;
        position = at + Long.BYTES + 1 + last;
    }

    /**
     * Writes a string: its length times two, plus one if a char is above 255, as LEB128; then one byte per char, or two
     * if one is above 255.
     *
     * @param value the string
     */
    public void putString(String value) {
        int length = value.length();
        if (Latin1.isNarrow(value, length)) {
            putVar((long) length << 1);
            putNarrow(value, 0, length);
        } else {
            putVar((long) length << 1 | 1);
            putWide(value, 0, length);
        }
    }

    /**
     * Writes some chars of a string without their number.
     *
     * @param value the string
     * @param from index of the first char
     * @param until index behind the last char
     * @param wide whether each char takes two bytes; else each takes a single byte, and no char may be above 255
     */
    public void putChars(String value, int from, int until, boolean wide) {
        if (wide) {
            putWide(value, from, until);
        } else {
            putNarrow(value, from, until);
        }
    }

    private void putNarrow(String value, int from, int until) {
        int at = take(until - from);
        Latin1.putNarrow(value, from, until, array, at);
    }

    private void putWide(String value, int from, int until) {
        int at = take(Math.multiplyExact(until - from, Character.BYTES));
        Latin1.putWide(value, from, until, array, at);
    }

    // ---- values inside values ----

    /**
     * Writes a value by its codec, and checks that the codec has written as many bytes as the codec declares. Every
     * container and every message writes its values by this method.
     *
     * @param <T> type of the value
     * @param codec codec of the value
     * @param value not null
     * @throws IllegalStateException if the codec has a {@link Codec#fixedBytes} and has written another number of
     *     bytes; the bytes remain in this output and must be discarded
     */
    public <T> void putValue(Codec<T> codec, T value) {
        int before = position;
        codec.write(value, this);
        int declared = codec.fixedBytes();
        if (declared >= 0 && position - before != declared) {
            throw wrongSize(codec, position - before, declared);
        }
    }

    private static IllegalStateException wrongSize(Codec<?> codec, int written, int declared) {
        return new IllegalStateException(codec + " wrote " + written + " bytes, not " + declared);
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
     * Adds to the number of elements without bytes, of which an {@link Input} accepts 100,000 in total.
     *
     * @param count number of such elements that are written next
     * @throws IllegalArgumentException if no input would accept as many
     */
    public void addEmptyElements(int count) {
        if (count > CodecLimits.EMPTY_ELEMENTS_MAX - emptyElements) {
            throw new IllegalArgumentException("more than " + CodecLimits.EMPTY_ELEMENTS_MAX
                + " elements without bytes in one value, which could not be read");
        }
        emptyElements += count;
    }

    /**
     * Takes over the number of elements without bytes, and whether the bytes are read for a check, from an output that
     * has an outer value or a nested one.
     *
     * @param other output of that value
     */
    public void takeOver(Output other) {
        emptyElements = other.emptyElements;
        isChecked = other.isChecked;
    }

    /**
     * Begins a value with a check: the bytes are read after the writing, to check that a read is possible. Values
     * inside need no check of their own.
     *
     * @return whether the caller must read the value and then call {@link #endCheck}; false inside of such a value
     */
    public boolean beginCheck() {
        boolean isOutermost = !isChecked;
        isChecked = true;
        return isOutermost;
    }

    /** Ends the value of the last {@link #beginCheck} that returned true. */
    public void endCheck() {
        isChecked = false;
    }
}
