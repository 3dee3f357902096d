package io.teff.cluster.ship;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Layout of a record in the ring: a head, and behind it a record of a run.
 * <pre>
 *  0                  8          12         16          20         24
 * +------------------+----------+----------+-----------+----------+-----------------------+
 * | end word         | room     | zone     | entries   | used     | record of a run ...   |
 * +------------------+----------+----------+-----------+----------+-----------------------+
 *
 *  end word: 0, or   63     34   33      32   31                    0
 *                   +---------+------+-------+------------------------+
 *                   | 0       | skip | ended | bytes to the next one  |
 *                   +---------+------+-------+------------------------+
 * </pre>
 * {@code room} is what was claimed, head included, {@code used} the offset behind the last entry. Room that holds no
 * record, in front of the ring's end, has the bit {@code skip} and may be as short as the end word. Records begin at
 * multiples of 8. All room that is not claimed is zero, so the end word of a record is 0 until it is written.
 */
final class ShipLayout {
    /** Bytes of the head of a record. */
    static final int HEAD_BYTES = 24;
    /** Records begin at multiples of this. */
    static final int ALIGNMENT = 8;

    private static final int ROOM_AT = 8;
    private static final int ZONE_AT = 12;
    private static final int ENTRIES_AT = 16;
    private static final int USED_AT = 20;
    private static final long ENDED = 1L << Integer.SIZE;
    private static final long SKIP = ENDED << 1;
    private static final long BYTES_MASK = ENDED - 1;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle WORD = LONG.varHandle();

    static {
        assert USED_AT + Integer.BYTES == HEAD_BYTES : "fields must tile the head";
        assert HEAD_BYTES % ALIGNMENT == 0 : "the record behind it is aligned";
    }

    private ShipLayout() {}

    // ---- the end word ----

    /** Returns the end word, 0 if the record has not ended; what was written before it is visible. */
    static long wordAcquire(MemorySegment memory, long at) {
        return (long) WORD.getAcquire(memory, at);
    }

    /** Ends a record whose other bytes are written. */
    static void endRelease(MemorySegment memory, long at, long bytes) {
        WORD.setRelease(memory, at, ENDED | bytes);
    }

    /** Ends room that holds no record. */
    static void skipRelease(MemorySegment memory, long at, long bytes) {
        WORD.setRelease(memory, at, ENDED | SKIP | bytes);
    }

    /** Returns the bytes to the next record. */
    static long bytes(long word) {
        return word & BYTES_MASK;
    }

    /** Returns whether there is no record. */
    static boolean isSkip(long word) {
        return (word & SKIP) != 0;
    }

    // ---- the other fields ----

    /** Writes the head of a record without entries, except for the end word. */
    static void begin(MemorySegment memory, long at, long room, int zone) {
        memory.set(INT, at + ROOM_AT, (int) room);
        memory.set(INT, at + ZONE_AT, zone);
        memory.set(INT, at + ENTRIES_AT, 0);
        memory.set(INT, at + USED_AT, 0);
    }

    /** Counts an entry that ends at an offset in the memory. */
    static void entry(MemorySegment memory, long at, long end) {
        memory.set(INT, at + ENTRIES_AT, memory.get(INT, at + ENTRIES_AT) + 1);
        memory.set(INT, at + USED_AT, (int) (end - at));
    }

    static int room(MemorySegment memory, long at) {
        return memory.get(INT, at + ROOM_AT);
    }

    static int zone(MemorySegment memory, long at) {
        return memory.get(INT, at + ZONE_AT);
    }

    static int entries(MemorySegment memory, long at) {
        return memory.get(INT, at + ENTRIES_AT);
    }

    /** Returns the offset in the memory behind the last entry. */
    static long used(MemorySegment memory, long at) {
        return at + memory.get(INT, at + USED_AT);
    }

    // ---- numbers of records ----

    /** Keeps the number of a record where the record of the run will have it. */
    static void putNumber(MemorySegment memory, long at, long number) {
        memory.set(LONG, at + HEAD_BYTES, number);
    }

    static long number(MemorySegment memory, long at) {
        return memory.get(LONG, at + HEAD_BYTES);
    }

    /** Makes room zero again. */
    static void clear(MemorySegment memory, long at, long bytes) {
        memory.asSlice(at, bytes).fill((byte) 0);
    }

    /** Copies bytes. */
    static void copy(MemorySegment source, long from, MemorySegment target, long at, long bytes) {
        MemorySegment.copy(source, from, target, at, bytes);
    }
}
