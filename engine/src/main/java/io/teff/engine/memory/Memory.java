package io.teff.engine.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * All access to off-heap memory, by address in the region. The name of a method states its memory order.
 *
 * <p>A region has one of two shapes (see {@link Region}), chosen once per JVM so that the choice costs nothing at run
 * time ({@code docs/decisions/0001-memory-access.md} has the figures):
 * <ul>
 * <li>Reserved address space, accessed through one constant segment that spans all memory. The JIT knows its class
 * whatever else the application does with segments; an instance segment costs 5 to 60 % more per random get. The JDK
 * checks nothing, so callers prove every address before they use it (and {@code -ea} checks each). The space stays
 * mapped until this object is unreachable, and each method keeps it reachable, so no access meets unmapped memory, even
 * after close.
 * <li>A list of blocks, checked by the JDK for bounds and for use after close. A block's segment reaches to the end of
 * the block's allocation, so a range from a block may end in a later block of the same allocation.
 * </ul>
 *
 * <p>Words (64 bit, aligned) use the machine's byte order; user fields are little-endian and may be unaligned. Plain
 * access is safe only where the caller owns the bytes or validates again after reading.
 */
public final class Memory {
    /** True if regions are reserved address space in this JVM; false if they are lists of blocks. */
    public static final boolean RESERVED = MemoryMode.isReserved();

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final ValueLayout.OfLong FIELD_LONG =
        ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong WORD_UNTESTED = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt FIELD_INT =
        ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort FIELD_SHORT =
        ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private static final VarHandle ARRAY_LONG =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int SHORT_COPY_BYTES_MAX = 255;
    private static final int SHORT_FILL_BYTES_MAX = 1024;
    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final int TWO_BYTES = 2 * Long.BYTES;
    private static final int FOUR_BYTES = 4 * Long.BYTES;
    /** The longest range for {@link #copyOutAhead}, and the number of bytes that may be read and written. */
    public static final int AHEAD_BYTES = 4 * FOUR_BYTES;

    /** On every machine user space is smaller; knowing that, the JIT drops the checks against the constant segment. */
    static final long MACHINE_ADDRESS_MASK = (1L << 56) - 1;
    private static final long BLOCK_MASK = RegionLayout.BLOCK_BYTES - 1;

    @SuppressWarnings("restricted")
    static final MemorySegment EVERYTHING =
        RESERVED ? MemorySegment.NULL.reinterpret(Long.MAX_VALUE) : MemorySegment.NULL;

    /** In reserved shape, the machine address that corresponds to address 0; else 0. */
    private final long base;
    private final long end;
    /**
     * Segments by block index. Plain: an address reaches another thread only through a word that was published with
     * release after the block was added, and is used only after an acquire of that word.
     */
    private MemorySegment[] blocks = new MemorySegment[16];

    /** Reserves address space of {@code bytes} bytes; in block shape, creates an accessor without blocks. */
    Memory(long bytes) {
        this.base = RESERVED ? Reserve.untilUnreachable(this, bytes).start() - RegionLayout.FIRST_ADDRESS : 0;
        this.end = RegionLayout.FIRST_ADDRESS + bytes;
    }

    /** Adds consecutive blocks of one allocation. Called by one thread at a time. */
    void addBlocks(int firstBlock, MemorySegment allocation) {
        int count = RegionLayout.blockOf(allocation.byteSize());
        MemorySegment[] grown = firstBlock + count <= blocks.length
            ? blocks : Arrays.copyOf(blocks, Math.max(firstBlock + count, blocks.length * 2));
        for (int i = 0; i < count; i++) {
            grown[firstBlock + i] = allocation.asSlice((long) i << RegionLayout.BLOCK_SHIFT);
        }
        VarHandle.releaseFence();
        blocks = grown;
    }

    private MemorySegment segment(long address) {
        return RESERVED ? EVERYTHING : blocks[(int) (address >>> RegionLayout.BLOCK_SHIFT)];
    }

    private long offset(long address) {
        return RESERVED ? base + address : address & BLOCK_MASK;
    }

    /** Asserts that a range lies in the region. In reserved shape there is no other check. */
    private boolean inside(long address, long length) {
        return address >= RegionLayout.FIRST_ADDRESS && length >= 0 && (!RESERVED || address + length <= end);
    }

    private boolean insidePlace(long place, long length) {
        return inside(RESERVED ? place - base : place, length);
    }

    // ---- by place: for reads with few instructions. Static, because the JIT would otherwise load and test the
    // reference to this object again after each fence; so the caller keeps the object reachable ----

    /**
     * Returns the place of address 0, which callers keep in a field.
     *
     * @return the value to add to an address: methods by place take the machine address in reserved shape, else the
     *     address itself
     */
    public long placeOfZero() {
        return base;
    }

    /**
     * Reads a word, plain, and keeps later accesses from moving before it. Avoids the alignment test of an acquire
     * load; on 64-bit machines the read is one instruction.
     *
     * @param memory memory of the region; the caller keeps it reachable
     * @param place place of the word, a multiple of 8
     * @return the word
     */
    public static long getLongThenFence(Memory memory, long place) {
        assert memory.insidePlace(place, Long.BYTES) : place;
        final long word = RESERVED ? EVERYTHING.get(WORD_UNTESTED, place & MACHINE_ADDRESS_MASK)
            : memory.segment(place).get(WORD_UNTESTED, place & BLOCK_MASK);
        VarHandle.acquireFence();
        return word;
    }

    /**
     * Reads a field by place. Calls with the same place share all of its computation except one addition.
     *
     * @param memory memory of the region; the caller keeps it reachable
     * @param place place of an object's first byte
     * @param offset offset of the field in the object, not negative
     * @return little-endian value
     */
    public static long getFieldLong(Memory memory, long place, int offset) {
        assert offset >= 0 && memory.insidePlace(place + offset, Long.BYTES) : place + offset;
        return RESERVED ? EVERYTHING.get(FIELD_LONG, (place & MACHINE_ADDRESS_MASK) + offset)
            : memory.segment(place).get(FIELD_LONG, (place & BLOCK_MASK) + offset);
    }

    // ---- words: 64 bit, aligned ----

    /**
     * Reads a word, plain.
     *
     * @param address a multiple of 8
     * @return the word
     */
    public long getLong(long address) {
        assert inside(address, Long.BYTES) : address;
        long valueRead = (long) LONG.get(segment(address), offset(address));
        Reference.reachabilityFence(this);
        return valueRead;
    }

    /**
     * Reads a word; later accesses do not move before it.
     *
     * @param address a multiple of 8
     * @return the word
     */
    public long getLongAcquire(long address) {
        assert inside(address, Long.BYTES) : address;
        long valueRead = (long) LONG.getAcquire(segment(address), offset(address));
        Reference.reachabilityFence(this);
        return valueRead;
    }

    /**
     * Writes a word, plain.
     *
     * @param address a multiple of 8
     * @param value the word
     */
    public void putLong(long address, long value) {
        assert inside(address, Long.BYTES) : address;
        LONG.set(segment(address), offset(address), value);
        Reference.reachabilityFence(this);
    }

    /**
     * Writes a word; earlier accesses do not move after it.
     *
     * @param address a multiple of 8
     * @param value the word
     */
    public void putLongRelease(long address, long value) {
        assert inside(address, Long.BYTES) : address;
        LONG.setRelease(segment(address), offset(address), value);
        Reference.reachabilityFence(this);
    }

    /**
     * Replaces a word if it has the expected value; a full fence.
     *
     * @param address a multiple of 8
     * @param expected the expected word
     * @param update the new word
     * @return whether the word was replaced
     */
    public boolean casLong(long address, long expected, long update) {
        assert inside(address, Long.BYTES) : address;
        boolean valueRead = LONG.compareAndSet(segment(address), offset(address), expected, update);
        Reference.reachabilityFence(this);
        return valueRead;
    }

    /**
     * Replaces a word; a full fence.
     *
     * @param address a multiple of 8
     * @param value the new word
     * @return the old word
     */
    public long getAndSetLong(long address, long value) {
        assert inside(address, Long.BYTES) : address;
        long valueRead = (long) LONG.getAndSet(segment(address), offset(address), value);
        Reference.reachabilityFence(this);
        return valueRead;
    }

    /**
     * Sets bits of a word; a full fence.
     *
     * @param address a multiple of 8
     * @param bits the bits to set
     * @return the old word
     */
    public long getAndOrLong(long address, long bits) {
        assert inside(address, Long.BYTES) : address;
        long valueRead = (long) LONG.getAndBitwiseOr(segment(address), offset(address), bits);
        Reference.reachabilityFence(this);
        return valueRead;
    }

    /**
     * Clears all bits of a word except some; a full fence.
     *
     * @param address a multiple of 8
     * @param bits the bits to keep
     * @return the old word
     */
    public long getAndAndLong(long address, long bits) {
        assert inside(address, Long.BYTES) : address;
        long valueRead = (long) LONG.getAndBitwiseAnd(segment(address), offset(address), bits);
        Reference.reachabilityFence(this);
        return valueRead;
    }

    // ---- user fields: little-endian, any alignment, plain ----

    /**
     * Reads a field.
     *
     * @param address its first byte
     * @return the value
     */
    public long getFieldLong(long address) {
        assert inside(address, Long.BYTES) : address;
        long valueRead = segment(address).get(FIELD_LONG, offset(address));
        Reference.reachabilityFence(this);
        return valueRead;
    }

    /**
     * Reads a field.
     *
     * @param address its first byte
     * @return the value
     */
    public int getFieldInt(long address) {
        assert inside(address, Integer.BYTES) : address;
        int valueRead = segment(address).get(FIELD_INT, offset(address));
        Reference.reachabilityFence(this);
        return valueRead;
    }

    /**
     * Reads a field.
     *
     * @param address its first byte
     * @return the value
     */
    public short getFieldShort(long address) {
        assert inside(address, Short.BYTES) : address;
        short valueRead = segment(address).get(FIELD_SHORT, offset(address));
        Reference.reachabilityFence(this);
        return valueRead;
    }

    /**
     * Reads a field.
     *
     * @param address its byte
     * @return the value
     */
    public byte getFieldByte(long address) {
        assert inside(address, 1) : address;
        byte valueRead = segment(address).get(BYTE, offset(address));
        Reference.reachabilityFence(this);
        return valueRead;
    }

    /**
     * Writes a field.
     *
     * @param address its first byte
     * @param value new value of the field
     */
    public void putFieldLong(long address, long value) {
        assert inside(address, Long.BYTES) : address;
        segment(address).set(FIELD_LONG, offset(address), value);
        Reference.reachabilityFence(this);
    }

    /**
     * Writes a field.
     *
     * @param address its first byte
     * @param value new value of the field
     */
    public void putFieldInt(long address, int value) {
        assert inside(address, Integer.BYTES) : address;
        segment(address).set(FIELD_INT, offset(address), value);
        Reference.reachabilityFence(this);
    }

    /**
     * Writes a field.
     *
     * @param address its first byte
     * @param value new value of the field
     */
    public void putFieldShort(long address, short value) {
        assert inside(address, Short.BYTES) : address;
        segment(address).set(FIELD_SHORT, offset(address), value);
        Reference.reachabilityFence(this);
    }

    /**
     * Writes a field.
     *
     * @param address its byte
     * @param value new value of the field
     */
    public void putFieldByte(long address, byte value) {
        assert inside(address, 1) : address;
        segment(address).set(BYTE, offset(address), value);
        Reference.reachabilityFence(this);
    }

    // ---- ranges, plain ----

    /**
     * Copies from the region into an array.
     *
     * @param address address of the first byte
     * @param target array to copy to
     * @param targetOffset index of the first byte in the array
     * @param length number of bytes
     */
    public void copyOut(long address, byte[] target, int targetOffset, int length) {
        assert inside(address, length) : address;
        MemorySegment.copy(segment(address), BYTE, offset(address), target, targetOffset, length);
        Reference.reachabilityFence(this);
    }

    /**
     * Returns whether {@link #copyOutShort} can copy a range to an array.
     *
     * @param length any length
     * @param target array to copy to
     * @param offset any index
     * @return whether the offset is in the target, and the length is 1 to 255 and at most the rest of the target
     */
    public static boolean isShort(int length, byte[] target, int offset) {
        final int room = target.length - offset;
        return (room | offset) >= 0 && Integer.compareUnsigned(length - 1, Math.min(room, SHORT_COPY_BYTES_MAX)) < 0;
    }

    /**
     * Returns whether {@link #copyOutAhead} can copy a range to an array.
     *
     * @param length any length
     * @param target array to copy to, from index 0 on
     * @return whether the length is 1 to {@link #AHEAD_BYTES}, and the target has that many bytes
     */
    public static boolean isAhead(int length, byte[] target) {
        return target.length >= AHEAD_BYTES && Integer.compareUnsigned(length - 1, AHEAD_BYTES) < 0;
    }

    /**
     * Copies a few bytes from the region to the beginning of an array, together with some bytes behind them in the
     * region. There is a single branch for all lengths, because a length guessed wrong by the processor costs as much
     * as the awaited cache miss. Only in reserved shape, where {@link Reserve} leaves readable memory behind the last
     * block.
     *
     * @param memory memory of the region; the caller keeps it reachable
     * @param place place of the first byte in the region; the next {@link #AHEAD_BYTES} are not guarded
     * @param target array to copy to, from index 0 on; up to {@link #AHEAD_BYTES} of it are overwritten
     * @param length number of bytes, {@link #isAhead}
     */
    public static void copyOutAhead(Memory memory, long place, byte[] target, int length) {
        assert memory.insidePlace(place, length) && isAhead(length, target) : place;
        final long from = place & MACHINE_ADDRESS_MASK;
        copyFour(EVERYTHING, from, target, 0);
        copyFour(EVERYTHING, from + FOUR_BYTES, target, FOUR_BYTES);
        if (length > 2 * FOUR_BYTES) {
            copyFour(EVERYTHING, from + 2 * FOUR_BYTES, target, 2 * FOUR_BYTES);
            copyFour(EVERYTHING, from + 3 * FOUR_BYTES, target, 3 * FOUR_BYTES);
        }
    }

    /**
     * Copies a few bytes from the region into an array.
     *
     * <p>A length of 16 to 128 takes at most two branches that depend on it: the last part is copied up to the end,
     * and may overlap the part before.
     *
     * @param memory memory of the region; the caller keeps it reachable
     * @param place place of the first byte in the region
     * @param target array to copy to
     * @param targetOffset index of the first byte in the array
     * @param length number of bytes, {@link #isShort}
     */
    public static void copyOutShort(Memory memory, long place, byte[] target, int targetOffset, int length) {
        assert memory.insidePlace(place, length) && isShort(length, target, targetOffset) : place;
        final MemorySegment source = RESERVED ? EVERYTHING : memory.segment(place);
        final long from = RESERVED ? place & MACHINE_ADDRESS_MASK : place & BLOCK_MASK;
        final long fromEnd = from + length;
        final int end = targetOffset + length;
        if (length > 2 * FOUR_BYTES) {
            if (length > AHEAD_BYTES) {
                MemorySegment.copy(source, BYTE, from, target, targetOffset, AHEAD_BYTES);
                copyFour(source, fromEnd - 4 * FOUR_BYTES, target, end - 4 * FOUR_BYTES);
                copyFour(source, fromEnd - 3 * FOUR_BYTES, target, end - 3 * FOUR_BYTES);
            } else {
                copyFour(source, from, target, targetOffset);
                copyFour(source, from + FOUR_BYTES, target, targetOffset + FOUR_BYTES);
            }
            copyFour(source, fromEnd - 2 * FOUR_BYTES, target, end - 2 * FOUR_BYTES);
            copyFour(source, fromEnd - FOUR_BYTES, target, end - FOUR_BYTES);
        } else if (length > FOUR_BYTES) {
            copyFour(source, from, target, targetOffset);
            copyFour(source, fromEnd - FOUR_BYTES, target, end - FOUR_BYTES);
        } else if (length >= TWO_BYTES) {
            copyTwo(source, from, target, targetOffset);
            copyTwo(source, fromEnd - TWO_BYTES, target, end - TWO_BYTES);
        } else if (length >= Long.BYTES) {
            ARRAY_LONG.set(target, targetOffset, source.get(FIELD_LONG, from));
            ARRAY_LONG.set(target, end - Long.BYTES, source.get(FIELD_LONG, fromEnd - Long.BYTES));
        } else {
            MemorySegment.copy(source, BYTE, from, target, targetOffset, length);
        }
    }

    private static void copyTwo(MemorySegment source, long from, byte[] target, int to) {
        ARRAY_LONG.set(target, to, source.get(FIELD_LONG, from));
        ARRAY_LONG.set(target, to + 8, source.get(FIELD_LONG, from + 8));
    }

    private static void copyFour(MemorySegment source, long from, byte[] target, int to) {
        copyTwo(source, from, target, to);
        copyTwo(source, from + TWO_BYTES, target, to + TWO_BYTES);
    }

    /**
     * Copies from the region into a segment.
     *
     * @param address address of the first byte
     * @param target segment to copy to
     * @param targetOffset offset of the first byte in the target
     * @param length number of bytes
     */
    public void copyOut(long address, MemorySegment target, long targetOffset, long length) {
        assert inside(address, length) : address;
        MemorySegment.copy(segment(address), offset(address), target, targetOffset, length);
        Reference.reachabilityFence(this);
    }

    /**
     * Compares a range with an array.
     *
     * @param address address of the first byte
     * @param array array to compare with
     * @param from index of the first byte in the array
     * @param length number of bytes
     * @return whether all bytes are equal
     */
    public boolean isEqual(long address, byte[] array, int from, int length) {
        assert inside(address, length) : address;
        final MemorySegment segment = segment(address);
        final long at = offset(address);
        boolean equal = true;
        int done = 0;
        for (; equal && done <= length - Long.BYTES; done += Long.BYTES) {
            equal = segment.get(FIELD_LONG, at + done) == (long) ARRAY_LONG.get(array, from + done);
        }
        for (; equal && done < length; done++) {
            equal = segment.get(BYTE, at + done) == array[from + done];
        }
        Reference.reachabilityFence(this);
        return equal;
    }

    /**
     * Copies an array into the region.
     *
     * @param source array to copy from
     * @param sourceOffset index of the first byte in the array
     * @param address address of the first byte
     * @param length number of bytes
     */
    public void copyIn(byte[] source, int sourceOffset, long address, int length) {
        assert inside(address, length) : address;
        MemorySegment.copy(source, sourceOffset, segment(address), BYTE, offset(address), length);
        Reference.reachabilityFence(this);
    }

    /**
     * Copies a segment into the region.
     *
     * @param source segment to copy from
     * @param sourceOffset offset of the first byte in the source
     * @param address address of the first byte
     * @param length number of bytes
     */
    public void copyIn(MemorySegment source, long sourceOffset, long address, long length) {
        assert inside(address, length) : address;
        MemorySegment.copy(source, sourceOffset, segment(address), offset(address), length);
        Reference.reachabilityFence(this);
    }

    /**
     * Copies inside the region; the ranges may overlap.
     *
     * @param source address of the first byte to read
     * @param target address of the first byte to write
     * @param length number of bytes
     */
    public void copy(long source, long target, long length) {
        assert inside(source, length) && inside(target, length) : source;
        MemorySegment.copy(segment(source), offset(source), segment(target), offset(target), length);
        Reference.reachabilityFence(this);
    }

    /**
     * Fills a range with one byte value.
     *
     * @param address address of the first byte
     * @param length number of bytes
     * @param value byte to write
     */
    public void fill(long address, long length, byte value) {
        assert inside(address, length) : address;
        MemorySegment segment = segment(address);
        long at = offset(address);
        if (length > SHORT_FILL_BYTES_MAX) {
            segment.asSlice(at, length).fill(value);
        } else { // the JIT compiler does not remove the slice of a mapped segment
            long end = at + length;
            long word = (value & 0xFFL) * EACH_BYTE;
            for (; at <= end - Long.BYTES; at += Long.BYTES) {
                segment.set(WORD_UNTESTED, at, word);
            }
            for (; at < end; at++) {
                segment.set(BYTE, at, value);
            }
        }
        Reference.reachabilityFence(this);
    }

    /**
     * Returns the machine address of an address.
     *
     * @param address address in the region
     * @return the machine address, without a guarantee how long memory is mapped there
     */
    public long machineAddress(long address) {
        assert inside(address, 0) : address;
        return segment(address).address() + offset(address);
    }

    /** Returns the block's segment from an address on, of a length. Block shape only. */
    MemorySegment blockSlice(long address, long length) {
        return segment(address).asSlice(offset(address), length);
    }
}
