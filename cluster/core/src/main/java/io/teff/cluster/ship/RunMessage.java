package io.teff.cluster.ship;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.zone.Run;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Layout of a message with runs, one behind the other: of each a head, and behind it the records. Stateless.
 * <pre>
 *  0       2       4          8          12         16              24           28           32         36    40
 * +-------+-------+----------+----------+----------+---------------+------------+------------+----------+-----+--------
 * | zone  | flags | copy     | epoch    | count    | first number  | incarnation| incarnation| bytes of | 0   | records
 * |       |       |          |          |          |               | of owner   | of backup  | records  |     | ...
 * +-------+-------+----------+----------+----------+---------------+------------+------------+----------+-----+--------
 * </pre>
 * Little-endian, at any alignment. A run without records, of count 0, asks a backup where it stands: {@code first} is
 * then the number that it would need next. Flag 1 asks for another acknowledgement as soon as the device has
 * everything. Other flags are zero.
 */
public final class RunMessage {
    /** Bytes of the head. */
    public static final int HEAD_BYTES = 40;

    private static final int FLAGS_AT = 2;
    private static final int COPY_AT = 4;
    private static final int EPOCH_AT = 8;
    private static final int COUNT_AT = 12;
    private static final int FIRST_AT = 16;
    private static final int OWNER_AT = 24;
    private static final int BACKUP_AT = 28;
    private static final int BYTES_AT = 32;
    private static final int ZERO_AT = 36;
    private static final int SYNCED = 1;
    private static final int UNSIGNED = 0xFFFF;

    private static final ValueLayout.OfShort SHORT =
        ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    static {
        assert ZERO_AT + Integer.BYTES == HEAD_BYTES : "fields must tile the head";
    }

    private RunMessage() {}

    /**
     * Writes a head.
     *
     * @param target receives it
     * @param at its first byte
     * @param run the run
     * @param owner incarnation of the owner
     * @param backup incarnation of the backup
     * @param isSynced whether the backup is to acknowledge the device, too
     * @param bytes bytes of the records behind the head
     */
    public static void write(MemorySegment target, long at, Run run, int owner, int backup, boolean isSynced,
                             int bytes) {
        target.set(SHORT, at, (short) run.zone());
        target.set(SHORT, at + FLAGS_AT, (short) (isSynced ? SYNCED : 0));
        target.set(INT, at + COPY_AT, run.copy());
        target.set(INT, at + EPOCH_AT, run.epoch());
        target.set(INT, at + COUNT_AT, run.count());
        target.set(LONG, at + FIRST_AT, run.first());
        target.set(INT, at + OWNER_AT, owner);
        target.set(INT, at + BACKUP_AT, backup);
        target.set(INT, at + BYTES_AT, bytes);
        target.set(INT, at + ZERO_AT, 0);
    }

    /**
     * {@return whether a message can have a run here}
     *
     * @param source has the message
     * @param at first byte of the run
     * @param left bytes from there to the end of the message
     */
    public static boolean isValid(MemorySegment source, long at, long left) {
        return left >= HEAD_BYTES && (source.get(SHORT, at + FLAGS_AT) & ~SYNCED) == 0
            && source.get(INT, at + COUNT_AT) >= 0 && source.get(INT, at + COPY_AT) >= 0
            && recordBytes(source, at) >= 0 && recordBytes(source, at) <= left - HEAD_BYTES
            && (source.get(INT, at + COUNT_AT) == 0) == (recordBytes(source, at) == 0)
            && source.get(INT, at + EPOCH_AT) >>> Short.SIZE == 0 && source.get(INT, at + ZERO_AT) == 0;
    }

    /**
     * Copies a run with its head.
     *
     * @param run has the run, from offset 0 on
     * @param target receives it
     * @param at its first byte there
     * @param length its bytes
     */
    public static void copy(MemorySegment run, MemorySegment target, long at, int length) {
        ShipLayout.copy(run, 0, target, at, length);
    }

    /** {@return the bytes of the records behind the head} */
    public static int recordBytes(MemorySegment source, long at) {
        return source.get(INT, at + BYTES_AT);
    }

    /** {@return the run} */
    public static Run run(MemorySegment source, long at) {
        return new Run(source.get(SHORT, at) & UNSIGNED, source.get(INT, at + COPY_AT), source.get(INT, at + EPOCH_AT),
            source.get(LONG, at + FIRST_AT), source.get(INT, at + COUNT_AT));
    }

    /** {@return whether the backup is to acknowledge the device, too} */
    public static boolean isSynced(MemorySegment source, long at) {
        return (source.get(SHORT, at + FLAGS_AT) & SYNCED) != 0;
    }

    /** {@return the life of the owner that has sent it} */
    public static NodeRef owner(MemorySegment source, long at, int nid) {
        return new NodeRef(nid, source.get(INT, at + OWNER_AT));
    }

    /** {@return the incarnation of the backup that it is for} */
    public static int backupIncarnation(MemorySegment source, long at) {
        return source.get(INT, at + BACKUP_AT);
    }
}
