package io.teff.cluster.ship;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.zone.Run;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Layout of a message with runs behind each other. A run is a head, and behind the head the records. Stateless.
 * <pre>
 *  0       2       3         4          8          12         16              24
 * +-------+-------+---------+----------+----------+----------+---------------+
 * | zone  | flags | version | copy     | epoch    | count    | first number  |
 * +-------+-------+---------+----------+----------+----------+---------------+
 *  24           28           32            36         40         44         48
 * +------------+------------+-------------+----------+----------+----------+-----------
 * | incarnation| incarnation| checksum of | bytes of | 0        | checksum | records ...
 * | of owner   | of backup  | the records | these    |          | of this  |
 * +------------+------------+-------------+----------+----------+----------+-----------
 * </pre>
 * Little-endian, at any alignment. A run without records, of count 0, asks a backup for its position: {@code first} is
 * then the next number for the backup. Flag 1 asks for another acknowledgement as soon as the device has everything.
 * Flag 2, of a run without records, begins the copy of a learner: {@code first} is then the number of the last change
 * that it does not need. Other flags are zero.
 *
 * <p>Both checksums are CRC-32C; the second one is that of the bytes in front of it. The first checksum belongs to the
 * run and the second checksum to the message, because a run goes to several backups, and is sent again, under different
 * heads.
 */
public final class RunMessage {
    /** Bytes of the head. */
    public static final int HEAD_BYTES = 48;

    /** Version of runs and their answers. */
    static final byte VERSION = 3;

    private static final int FLAGS_AT = 2;
    private static final int VERSION_AT = 3;
    private static final int COPY_AT = 4;
    private static final int EPOCH_AT = 8;
    private static final int COUNT_AT = 12;
    private static final int FIRST_AT = 16;
    private static final int OWNER_AT = 24;
    private static final int BACKUP_AT = 28;
    private static final int RECORDS_SUM_AT = 32;
    private static final int BYTES_AT = 36;
    private static final int ZERO_AT = 40;
    private static final int SUM_AT = 44;
    private static final int SYNCED = 1;
    private static final int BEGIN = 2;
    private static final int UNSIGNED = 0xFFFF;

    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT =
        ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    static {
        assert SUM_AT + Integer.BYTES == HEAD_BYTES : "fields must tile the head";
    }

    private RunMessage() {}

    /**
     * Writes a head.
     *
     * @param target receives it
     * @param at its first byte
     * @param run head of the run
     * @param owner incarnation of the owner
     * @param backup incarnation of the backup
     * @param isSynced whether the backup is to acknowledge the device, too
     * @param bytes bytes of the records behind the head
     * @param recordsSum checksum of the records, see {@link #recordsSum}; 0 if there are none
     */
    public static void write(MemorySegment target, long at, Run run, int owner, int backup, boolean isSynced,
                             int bytes, int recordsSum) {
        write(target, at, run, owner, backup, (byte) (isSynced ? SYNCED : 0), bytes, recordsSum);
    }

    /**
     * Writes the message that begins the copy of a learner.
     *
     * @param target receives it
     * @param at its first byte
     * @param run zone, copy and epoch, and as its first number that of the last change that the learner does not need
     * @param owner incarnation of the owner
     * @param backup incarnation of the learner
     */
    public static void writeBegin(MemorySegment target, long at, Run run, int owner, int backup) {
        write(target, at, run, owner, backup, (byte) BEGIN, 0, 0);
    }

    private static void write(MemorySegment target, long at, Run run, int owner, int backup, byte flags,
                              int bytes, int recordsSum) {
        target.set(SHORT, at, (short) run.zone());
        target.set(BYTE, at + FLAGS_AT, flags);
        target.set(BYTE, at + VERSION_AT, VERSION);
        target.set(INT, at + COPY_AT, run.copy());
        target.set(INT, at + EPOCH_AT, run.epoch());
        target.set(INT, at + COUNT_AT, run.count());
        target.set(LONG, at + FIRST_AT, run.first());
        target.set(INT, at + OWNER_AT, owner);
        target.set(INT, at + BACKUP_AT, backup);
        target.set(INT, at + RECORDS_SUM_AT, recordsSum);
        target.set(INT, at + BYTES_AT, bytes);
        target.set(INT, at + ZERO_AT, 0);
        target.set(INT, at + SUM_AT, RunChecksum.of(target, at, SUM_AT));
    }

    /**
     * {@return the checksum of records}
     *
     * @param memory has them
     * @param offset the first byte
     * @param bytes their length
     */
    public static int recordsSum(MemorySegment memory, long offset, long bytes) {
        return RunChecksum.of(memory, offset, bytes);
    }

    /**
     * {@return whether the head is the one that was written; to be checked before anything is read from it}
     *
     * @param source has the message
     * @param at first byte of the run
     * @param left bytes from there to the end of the message
     */
    public static boolean isIntact(MemorySegment source, long at, long left) {
        return left >= HEAD_BYTES && source.get(INT, at + SUM_AT) == RunChecksum.of(source, at, SUM_AT);
    }

    /** {@return whether the records of a valid run are those that were sent, if there are any} */
    public static boolean hasIntactRecords(MemorySegment source, long at) {
        final int bytes = recordBytes(source, at);
        return source.get(INT, at + RECORDS_SUM_AT) == (bytes == 0 ? 0 : recordsSum(source, at + HEAD_BYTES, bytes));
    }

    /** {@return whether a message can have this run, as {@link #isIntact}} */
    public static boolean isValid(MemorySegment source, long at, long left) {
        return left >= HEAD_BYTES && (source.get(BYTE, at + FLAGS_AT) & ~(SYNCED | BEGIN)) == 0
            && recordBytes(source, at) >= 0 && recordBytes(source, at) <= left - HEAD_BYTES
            && (!isBegin(source, at) || recordBytes(source, at) == 0)
            && source.get(BYTE, at + VERSION_AT) == VERSION && source.get(INT, at + ZERO_AT) == 0
            && source.get(INT, at + COUNT_AT) >= 0 && source.get(INT, at + COPY_AT) >= 0
            && (source.get(INT, at + COUNT_AT) == 0) == (recordBytes(source, at) == 0)
            && source.get(INT, at + EPOCH_AT) >>> Short.SIZE == 0;
    }

    /** {@return the bytes of the records behind the head} */
    public static int recordBytes(MemorySegment source, long at) {
        return source.get(INT, at + BYTES_AT);
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

    /** {@return the run} */
    public static Run run(MemorySegment source, long at) {
        return new Run(source.get(SHORT, at) & UNSIGNED, source.get(INT, at + COPY_AT), source.get(INT, at + EPOCH_AT),
            source.get(LONG, at + FIRST_AT), source.get(INT, at + COUNT_AT));
    }

    /** {@return whether the message begins the copy of a learner} */
    public static boolean isBegin(MemorySegment source, long at) {
        return (source.get(BYTE, at + FLAGS_AT) & BEGIN) != 0;
    }

    /** {@return whether the backup is to acknowledge the device, too} */
    public static boolean isSynced(MemorySegment source, long at) {
        return (source.get(BYTE, at + FLAGS_AT) & SYNCED) != 0;
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
