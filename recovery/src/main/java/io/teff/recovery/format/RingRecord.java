package io.teff.recovery.format;

/**
 * The layout of the ring and of its records. Stateless.
 * <pre>
 *  record   0                   8         12                16                              to a multiple of 8
 *           +-------------------+---------+-----------------+-------------------------------+-----------------+
 *           | stamp of position | crc32c  | length, 2 bits  | entries                       | anything        |
 *           +-------------------+---------+-----------------+-------------------------------+-----------------+
 *
 *  entry    0        8          16      18      20       24       28
 *           +--------+----------+-------+-------+--------+--------+-----------------+
 *           | CID    | sequence | owner | kind  | zone   | length | payload         |
 *           +--------+----------+-------+-------+--------+--------+-----------------+
 * </pre>
 * A position counts the bytes since the log was created; position modulo capacity is its place in the ring. The
 * checksum covers the record from its length to the end of its entries.
 *
 * <p><b>Abandoned room.</b> A thread with claimed but unneeded room commits a record with the mark of abandoned room.
 * The length of the record is the length of the room, and the checksum covers the length alone.
 *
 * <p><b>The ring's end.</b> A record is contiguous. If a record does not fit before the ring's end, a record without
 * entries fills the rest, and the next record is at the ring's begin. If the rest is 8 bytes, too short for any record,
 * the rest is skipped without a mark.
 */
public final class RingRecord {
    /** Bytes of a record's head. */
    public static final int HEAD_BYTES = 16;
    /** Bytes of an entry's head. */
    public static final int ENTRY_BYTES = 28;
    /** Records begin at multiples of this. */
    public static final int ALIGNMENT = 8;

    static final int CRC_AT = 8;
    static final int LENGTH_AT = 12;
    /** Bit of the length: the entries form one group. */
    static final int GROUP = 1 << 31;
    /** Bit of the length: this room has no entries, and the checksum covers only the record's first bytes. */
    static final int ABANDONED = 1 << 30;
    /** Mask of the length itself. */
    static final int LENGTH_MASK = ABANDONED - 1;

    static final int SEQUENCE_AT = 8;
    static final int OWNER_AT = 16;
    static final int KIND_AT = 18;
    static final int ZONE_AT = 20;
    static final int PAYLOAD_LENGTH_AT = 24;

    static {
        assert PAYLOAD_LENGTH_AT + Integer.BYTES == ENTRY_BYTES : "fields must tile the entry's head";
    }

    private RingRecord() {}

    /**
     * Returns the bytes of a record in the ring.
     *
     * @param entriesBytes all entries of the record with their heads
     * @return bytes, a multiple of {@link #ALIGNMENT}
     */
    public static long bytes(long entriesBytes) {
        return LittleEndian.aligned(HEAD_BYTES + entriesBytes, ALIGNMENT);
    }

    /**
     * Returns the bytes skipped before a record that does not fit before the ring's end.
     *
     * @param position end of the record before
     * @param bytes result of {@link #bytes}, at most the capacity
     * @param capacity of the ring
     * @return bytes; unless 0, {@link RingWriter#fill} fills them
     */
    public static long skipped(long position, long bytes, long capacity) {
        final long room = room(position, capacity);
        return bytes <= room ? 0 : room;
    }

    /** Returns whether a record with this length has entries. */
    static boolean hasEntries(int lengthWord) {
        return (lengthWord & LENGTH_MASK) > HEAD_BYTES && (lengthWord & ABANDONED) == 0;
    }

    /** Returns the end of the bytes covered by the checksum, from the begin of the record. */
    static int checkedBytes(int lengthWord) {
        return hasEntries(lengthWord) ? lengthWord & LENGTH_MASK : HEAD_BYTES;
    }

    /** Returns the bytes of a record at a position: up to the ring's end if it has nothing but a head. */
    static long roomOf(int lengthWord, long position, long capacity) {
        final int length = lengthWord & LENGTH_MASK;
        return length == HEAD_BYTES ? room(position, capacity) : LittleEndian.aligned(length, ALIGNMENT);
    }

    /** Returns the bytes from a position to the ring's end. */
    static long room(long position, long capacity) {
        return capacity - (position & capacity - 1);
    }

    /** Returns the offset of a position in the ring's file. */
    static long offset(long position, long capacity) {
        return FileHead.BYTES + (position & capacity - 1);
    }
}
