package io.teff.recovery.format;

/**
 * The layout of the ring and of its records. Pure functions.
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
 * A position counts the bytes since the log was made; position modulo capacity is where the ring has it. The checksum
 * is over the record from its length to the end of its entries.
 *
 * <p><b>Abandoned room.</b> Who has claimed room and then has nothing to say gives it back as a record that says so:
 * its length is that of the room, and the checksum is over the length alone.
 *
 * <p><b>The ring's end.</b> A record lies in one piece. Where it does not fit in front of the ring's end, a record
 * without entries says that the next one is at the ring's begin; where there is no room even for that, 8 bytes, nothing
 * needs to say so: no record fits there.
 */
public final class RingRecord {
    /** LittleEndian in front of a record's entries. */
    public static final int HEAD_BYTES = 16;
    /** LittleEndian in front of an entry's payload. */
    public static final int ENTRY_BYTES = 28;
    /** Records begin at multiples of it. */
    public static final int ALIGNMENT = 8;

    static final int CRC_AT = 8;
    static final int LENGTH_AT = 12;
    /** Bit of the length: the entries are one group. */
    static final int GROUP = 1 << 31;
    /** Bit of the length: this room has no entries, and only the record's first bytes are checked. */
    static final int ABANDONED = 1 << 30;
    /** The length itself. */
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
     * What a record takes in the ring.
     *
     * @param entriesBytes all of its entries with their heads
     * @return bytes, a multiple of {@link #ALIGNMENT}
     */
    public static long bytes(long entriesBytes) {
        return LittleEndian.aligned(HEAD_BYTES + entriesBytes, ALIGNMENT);
    }

    /**
     * What is left free in front of a record, because it does not fit before the ring's end.
     *
     * @param position at which the record before it has ended
     * @param bytes what {@link #bytes} says, at most the capacity
     * @param capacity of the ring
     * @return bytes; if there are any, {@link RingWriter#fill} fills them
     */
    public static long skipped(long position, long bytes, long capacity) {
        final long room = room(position, capacity);
        return bytes <= room ? 0 : room;
    }

    /** Whether a record with this length has entries. */
    static boolean hasEntries(int lengthWord) {
        return (lengthWord & LENGTH_MASK) > HEAD_BYTES && (lengthWord & ABANDONED) == 0;
    }

    /** LittleEndian from a record's begin that its checksum covers. */
    static int checkedBytes(int lengthWord) {
        return hasEntries(lengthWord) ? lengthWord & LENGTH_MASK : HEAD_BYTES;
    }

    /** What a record takes in the ring at a position: up to the ring's end if it is nothing but a head. */
    static long roomOf(int lengthWord, long position, long capacity) {
        final int length = lengthWord & LENGTH_MASK;
        return length == HEAD_BYTES ? room(position, capacity) : LittleEndian.aligned(length, ALIGNMENT);
    }

    /** LittleEndian from a position to the ring's end. */
    static long room(long position, long capacity) {
        return capacity - (position & capacity - 1);
    }

    /** Where the ring's file has a position. */
    static long offset(long position, long capacity) {
        return FileHead.BYTES + (position & capacity - 1);
    }
}
