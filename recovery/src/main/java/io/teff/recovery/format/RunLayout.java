package io.teff.recovery.format;

import io.teff.engine.Cid;
import java.lang.foreign.MemorySegment;

/**
 * The layout of a run: consecutive records of a zone of a cluster, shipped by the owner to the backups. Stateless.
 * <pre>
 *  record   0                8          12                16
 *           +----------------+----------+-----------------+----------------------+
 *           | number         | entries  | bytes of these  | entries              |   the next one follows at once
 *           +----------------+----------+-----------------+----------------------+
 *
 *  entry    0        8      9         12       16         24
 *           +--------+------+---------+--------+----------+-------------+---------+
 *           | CID    | kind | zeros   | length | number   | content     | zeros   |   to a multiple of 8
 *           +--------+------+---------+--------+----------+-------------+---------+
 * </pre>
 * All offsets are relative to the run. The number of an entry is 0 if equal to the record's number. Only a removal has
 * a number of its own, lower than the record's number.
 */
public final class RunLayout {
    /** Records and entries begin at multiples of this. */
    public static final int ALIGNMENT = 8;
    /** Bytes of a record's head. */
    public static final int RECORD_BYTES = 16;
    /** Bytes of an entry's head. */
    public static final int ENTRY_BYTES = 24;
    /** Longest content of an entry in bytes. */
    public static final int CONTENT_BYTES_MAX = 1 << 20;
    /** Limit of the bytes of a run, and so of a record: the longest content, and room for heads or more entries. */
    public static final int RUN_BYTES_MAX = CONTENT_BYTES_MAX + (1 << 16);
    /** Limit of an index in a zone of a cluster. */
    public static final long INDEX_MAX = (1L << 32) - 1;
    /** Bits of a number below its epoch. */
    public static final int COUNTER_BITS = 48;

    private static final int ENTRIES_AT = 8;
    private static final int REST_AT = 12;
    private static final int KIND_AT = 8;
    private static final int LENGTH_AT = 12;
    private static final int ENTRY_NUMBER_AT = 16;
    private static final int KIND_MASK = 0xFF;

    static {
        assert REST_AT + Integer.BYTES == RECORD_BYTES : "fields must tile the record's head";
        assert ENTRY_NUMBER_AT + Long.BYTES == ENTRY_BYTES : "fields must tile the entry's head";
    }

    private RunLayout() {}

    /**
     * Returns the bytes of an entry.
     *
     * @param length of its content in bytes
     * @return bytes of head, content and zeros
     */
    public static long entryBytes(int length) {
        return ENTRY_BYTES + LittleEndian.aligned(length, ALIGNMENT);
    }

    /** {@return the counter of a number, without its epoch} */
    public static long counter(long number) {
        return number & (1L << COUNTER_BITS) - 1;
    }

    /**
     * Returns whether an entry of a run can have a kind and a length.
     *
     * @param kind any number
     * @param length any number
     * @return whether the kind is {@link EntryKind#PUT} to {@link EntryKind#RESERVED}, with a possible content
     */
    public static boolean fits(int kind, int length) {
        return kind <= EntryKind.RESERVED && EntryKind.fits(kind, length) && length <= CONTENT_BYTES_MAX;
    }

    /** {@return whether a zone of a cluster can have issued a CID} */
    public static boolean isOf(long cid, int zone) {
        return Cid.nid(cid) == zone && Cid.index(cid) <= INDEX_MAX;
    }

    // ---- writing ----

    /** Writes the head of a record. */
    public static void record(MemorySegment bytes, long at, long number, int entries, int restBytes) {
        LittleEndian.putLong(bytes, at, number);
        LittleEndian.putInt(bytes, at + ENTRIES_AT, entries);
        LittleEndian.putInt(bytes, at + REST_AT, restBytes);
    }

    /** Writes the head of an entry, and the zeros behind its content; these lie within the entry's bytes. */
    public static void entry(MemorySegment bytes, long at, long cid, int kind, int length, long number) {
        LittleEndian.putLong(bytes, at, cid);
        LittleEndian.putInt(bytes, at + KIND_AT, kind);
        LittleEndian.putInt(bytes, at + LENGTH_AT, length);
        LittleEndian.putLong(bytes, at + ENTRY_NUMBER_AT, number);
        for (long zero = at + ENTRY_BYTES + length; zero < at + entryBytes(length); zero++) {
            LittleEndian.putByte(bytes, zero, 0);
        }
    }

    /** Replaces the number of an entry. */
    public static void entryNumber(MemorySegment bytes, long at, long number) {
        LittleEndian.putLong(bytes, at + ENTRY_NUMBER_AT, number);
    }

    /** Copies a content. */
    public static void copy(MemorySegment source, long from, MemorySegment target, long at, long length) {
        MemorySegment.copy(source, from, target, at, length);
    }

    // ---- reading ----

    /** {@return number of the record} */
    public static long number(MemorySegment bytes, long at) {
        return LittleEndian.getLong(bytes, at);
    }

    /** {@return number of its entries, as it is there} */
    public static int entries(MemorySegment bytes, long at) {
        return LittleEndian.getInt(bytes, at + ENTRIES_AT);
    }

    /** {@return bytes of its entries, as it is there} */
    public static int restBytes(MemorySegment bytes, long at) {
        return LittleEndian.getInt(bytes, at + REST_AT);
    }

    /** {@return CID of the entry} */
    public static long cid(MemorySegment bytes, long at) {
        return LittleEndian.getLong(bytes, at);
    }

    /** {@return kind of the entry} */
    public static int kind(MemorySegment bytes, long at) {
        return LittleEndian.getInt(bytes, at + KIND_AT) & KIND_MASK;
    }

    /** {@return length of its content, as it is there} */
    public static int length(MemorySegment bytes, long at) {
        return LittleEndian.getInt(bytes, at + LENGTH_AT);
    }

    /** {@return number of the entry, 0 for that of its record} */
    public static long entryNumber(MemorySegment bytes, long at) {
        return LittleEndian.getLong(bytes, at + ENTRY_NUMBER_AT);
    }

    /**
     * Returns whether all bytes of an entry that must be zero are zero.
     *
     * @param bytes hold the entry
     * @param at offset of its head
     * @param length of its content
     * @return whether they are
     */
    public static boolean hasZeros(MemorySegment bytes, long at, int length) {
        return LittleEndian.getInt(bytes, at + KIND_AT) >>> Byte.SIZE == 0
            && LittleEndian.isZero(bytes, at + ENTRY_BYTES + length, at + entryBytes(length));
    }
}
