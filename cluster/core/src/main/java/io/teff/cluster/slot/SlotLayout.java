package io.teff.cluster.slot;

import io.teff.engine.Cid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Layout of an entry with the result of a change, in the record of the change, or with a lock. Numbers are
 * little-endian.
 * <pre>
 *  0          4        6      7     8          16
 * +----------+--------+------+-----+----------+-----------------------------------------------+
 * | session  | part   | kind | 0   | ticket   | results                                       |
 * +----------+--------+------+-----+----------+-----------------------------------------------+
 *
 *  kind   results
 *  1      of one change: the result (8); nothing if the result is 0
 *  2      of a range of reserved CIDs: the first one (8), how many of them are reserved (8)
 *  3      of entries of a batch: a bit for each entry of the part that is done (8); their results are 0
 *  4      the same, and the first result (8); each further result is one more
 *  5      the same bits, and the result of each of these (8 each)
 *  6      no result but a lock: its chunk (8), its lease in nanoseconds (8); the part is 1 for a write lock, 0 for a
 *         read lock, and the ticket is the token
 *  7      of one change of a collection: the length of a value (8), the value, zeros up to a multiple of 8
 * </pre>
 * A part are 64 consecutive entries of a batch; other changes have part 0 only. The entry is a put. The CID has
 * generation 0 and an index among the highest 2^20 indexes of a zone's log. These indexes are never issued to chunks: a
 * table with as many indexes has 32 GiB.
 */
public final class SlotLayout {
    /** Index of the first slot. */
    public static final long INDEX_FIRST = (1L << 32) - (1L << 20);
    /** Slots of a zone. */
    public static final int INDEXES = 1 << 20;
    /** Entries of a batch in one part. */
    public static final int PART_ENTRIES = Long.SIZE;

    static final int ONE = 1;
    static final int RANGE = 2;
    static final int MANY = 3;
    static final int MANY_FROM = 4;
    static final int MANY_EACH = 5;
    static final int LOCK = 6;
    static final int VALUE = 7;

    static final int HEAD_BYTES = 16;
    /** Length of the content of a lock. */
    static final int LOCK_BYTES = HEAD_BYTES + 2 * Long.BYTES;
    /** Length of the result of one change if it is not 0. */
    public static final int ONE_BYTES = HEAD_BYTES + Long.BYTES;
    /** Length of rising results of a batch. */
    public static final int MANY_FROM_BYTES = HEAD_BYTES + 2 * Long.BYTES;
    /** Longest value in the result of a change of a collection. */
    public static final int VALUE_BYTES_MAX = 1 << 10;
    /** Longest content of an entry of a batch. */
    static final int PART_BYTES_MAX = HEAD_BYTES + Long.BYTES + PART_ENTRIES * Long.BYTES;
    /** Longest content of an entry. */
    static final int BYTES_MAX = HEAD_BYTES + Long.BYTES + VALUE_BYTES_MAX;

    private static final int PART_AT = 4;
    private static final int KIND_AT = 6;
    private static final int TICKET_AT = 8;
    private static final int ZONE_SHIFT = 48;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
        ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    static {
        assert TICKET_AT + Long.BYTES == HEAD_BYTES : "fields must tile the head";
        assert BYTES_MAX >= PART_BYTES_MAX && VALUE_BYTES_MAX % Long.BYTES == 0 : "lengths of entries";
    }

    private SlotLayout() {}

    /** {@return whether a CID is that of a slot, and never one of a chunk} */
    public static boolean isSlot(long cid) {
        return Cid.index(cid) >= INDEX_FIRST;
    }

    /**
     * {@return the CID of a slot}
     *
     * @param zone NID of the zone
     * @param place of the slot in the zone's log, 0 to {@link #INDEXES} - 1
     */
    public static long cid(int zone, int place) {
        return (long) zone << ZONE_SHIFT | INDEX_FIRST + place;
    }

    static int place(long cid) {
        return (int) (Cid.index(cid) - INDEX_FIRST);
    }

    static void putHead(MemorySegment to, long at, int session, int part, int kind, long ticket) {
        to.set(INT, at, session);
        to.set(SHORT, at + PART_AT, (short) part);
        to.set(SHORT, at + KIND_AT, (short) kind);
        to.set(LONG, at + TICKET_AT, ticket);
    }

    /**
     * Writes the result of one change.
     *
     * @param to receives the content of the entry
     * @param at offset of the content
     * @param session the client's session
     * @param ticket of the change
     * @param result of the change
     * @return bytes of the content: {@link #ONE_BYTES}, or fewer if the result is 0
     */
    public static int putOne(MemorySegment to, long at, int session, long ticket, long result) {
        putHead(to, at, session, 0, ONE, ticket);
        if (result == 0) {
            return HEAD_BYTES;
        }
        putResult(to, at, 0, result);
        return ONE_BYTES;
    }

    /**
     * Writes results of entries of a batch. Each result is one more than the result before.
     *
     * @param to receives the content of the entry
     * @param at offset of the content
     * @param session the client's session
     * @param part of the batch
     * @param ticket of the batch
     * @param bits a bit for each entry of the part that is done
     * @param first result of the first done entry
     * @return bytes of the content: {@link #MANY_FROM_BYTES}
     */
    public static int putManyFrom(MemorySegment to, long at, int session, int part, long ticket, long bits,
                                  long first) {
        putHead(to, at, session, part, MANY_FROM, ticket);
        putResult(to, at, 0, bits);
        putResult(to, at, 1, first);
        return MANY_FROM_BYTES;
    }

    /** Returns the bytes of the content with a value of a length. */
    static int valueBytes(int length) {
        return HEAD_BYTES + Long.BYTES + (length + Long.BYTES - 1 & -Long.BYTES);
    }

    /** Writes the result of one change of a collection: a value; returns the bytes of the content. */
    static int putValue(MemorySegment to, long at, int session, long ticket, byte[] value) {
        putHead(to, at, session, 0, VALUE, ticket);
        putResult(to, at, 0, value.length);
        final int bytes = valueBytes(value.length);
        if (value.length > 0) {
            putResult(to, at, (bytes - HEAD_BYTES) / Long.BYTES - 1, 0);    // zeros behind the value
        }
        MemorySegment.copy(value, 0, to, ValueLayout.JAVA_BYTE, at + HEAD_BYTES + Long.BYTES, value.length);
        return bytes;
    }

    /** Returns the value of a content, or null if the content is not whole. */
    static byte @Nullable [] value(MemorySegment from, long at, long length) {
        final long bytes = result(from, at, 0);
        if (bytes < 0 || bytes > VALUE_BYTES_MAX || length != valueBytes((int) bytes)) {
            return null;
        }
        return from.asSlice(at + HEAD_BYTES + Long.BYTES, bytes).toArray(ValueLayout.JAVA_BYTE);
    }

    static int session(MemorySegment from, long at) {
        return from.get(INT, at);
    }

    static int part(MemorySegment from, long at) {
        return from.get(SHORT, at + PART_AT) & 0xFFFF;
    }

    static int kind(MemorySegment from, long at) {
        return from.get(SHORT, at + KIND_AT) & 0xFFFF;
    }

    static long ticket(MemorySegment from, long at) {
        return from.get(LONG, at + TICKET_AT);
    }

    static void putResult(MemorySegment to, long at, int index, long value) {
        to.set(LONG, at + HEAD_BYTES + (long) index * Long.BYTES, value);
    }

    static long result(MemorySegment from, long at, int index) {
        return from.get(LONG, at + HEAD_BYTES + (long) index * Long.BYTES);
    }

    static long getLong(MemorySegment from, long at) {
        return from.get(LONG, at);
    }

    static int getInt(MemorySegment from, long at) {
        return from.get(INT, at);
    }
}
