package io.teff.cluster.ship;

import io.teff.cluster.meta.NodeRef;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The answer of a backup to a run.
 * <pre>
 *  0       2      3         4          8          12           16           20         24          32           40
 * +-------+------+---------+----------+----------+------------+------------+----------+-----------+------------+
 * | zone  | kind | version | copy     | epoch    | incarnation| incarnation| checksum | logged    | synced     |
 * |       |      |         |          |          | of backup  | of owner   |          |           |            |
 * +-------+------+---------+----------+----------+------------+------------+----------+-----------+------------+
 * </pre>
 * Little-endian, at any alignment. The checksum is the CRC-32C of the answer as if the checksum were 0: a damaged
 * number would acknowledge changes without any backup. A message has one answer, or several behind each other.
 *
 * @param kind what it says
 * @param zone number of the zone
 * @param copy number of the copy
 * @param epoch the highest epoch that the backup has seen
 * @param backup node that answers
 * @param owner incarnation of the owner that it is for
 * @param logged number of the last change in the backup's log
 * @param synced number of the last change that the backup's disk has
 */
public record RunAnswer(Kind kind, int zone, int copy, int epoch, NodeRef backup, int owner, long logged,
                        long synced) {
    /** Bytes of an answer. */
    public static final int BYTES = 40;

    private static final int KIND_AT = 2;
    private static final int VERSION_AT = 3;
    private static final int COPY_AT = 4;
    private static final int EPOCH_AT = 8;
    private static final int BACKUP_AT = 12;
    private static final int OWNER_AT = 16;
    private static final int SUM_AT = 20;
    private static final int LOGGED_AT = 24;
    private static final int SYNCED_AT = 32;
    private static final int UNSIGNED = 0xFFFF;
    private static final Kind[] KINDS = Kind.values();

    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfShort SHORT =
        ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    static {
        assert SYNCED_AT + Long.BYTES == BYTES : "fields must tile the answer";
    }

    /** Kinds of answers; their order is that of their numbers in messages. */
    public enum Kind {
        /** Everything up to {@code logged} is in the log. */
        ACKNOWLEDGED,
        /** Changes behind {@code logged} are missing: the owner ships from there. */
        GAP,
        /** The log has no room now: the owner ships from {@code logged} on, a little later. */
        LATER,
        /** The run is of an old epoch, an earlier copy, or for an earlier life of the backup. */
        STALE,
        /** The records are not those that were sent: the owner ships from {@code logged} on, a little later. */
        DAMAGED
    }

    /** {@return the answer when the disk has what the log has} */
    public RunAnswer whenSynced() {
        return new RunAnswer(kind, zone, copy, epoch, backup, owner, logged, logged);
    }

    /**
     * Writes the answer.
     *
     * @param target receives it
     * @param at its first byte
     */
    public void write(MemorySegment target, long at) {
        target.set(SHORT, at, (short) zone);
        target.set(BYTE, at + KIND_AT, (byte) kind.ordinal());
        target.set(BYTE, at + VERSION_AT, RunMessage.VERSION);
        target.set(INT, at + COPY_AT, copy);
        target.set(INT, at + EPOCH_AT, epoch);
        target.set(INT, at + BACKUP_AT, backup.incarnation());
        target.set(INT, at + OWNER_AT, owner);
        target.set(LONG, at + LOGGED_AT, logged);
        target.set(LONG, at + SYNCED_AT, synced);
        target.set(INT, at + SUM_AT, RunChecksum.without(target, at, BYTES, SUM_AT));
    }

    /**
     * {@return whether a message has an answer here, as it was sent}
     *
     * @param source has the message
     * @param at first byte of the answer
     * @param left bytes from there to the end of the message
     */
    public static boolean isValid(MemorySegment source, long at, long left) {
        return left >= BYTES && source.get(INT, at + SUM_AT) == RunChecksum.without(source, at, BYTES, SUM_AT)
            && source.get(BYTE, at + VERSION_AT) == RunMessage.VERSION && source.get(BYTE, at + KIND_AT) >= 0
            && source.get(BYTE, at + KIND_AT) < KINDS.length;
    }

    /**
     * Reads an answer.
     *
     * @param source has it
     * @param at its first byte
     * @param nid the backup
     * @return the answer
     */
    public static RunAnswer read(MemorySegment source, long at, int nid) {
        return new RunAnswer(KINDS[source.get(BYTE, at + KIND_AT)], source.get(SHORT, at) & UNSIGNED,
            source.get(INT, at + COPY_AT), source.get(INT, at + EPOCH_AT),
            new NodeRef(nid, source.get(INT, at + BACKUP_AT)), source.get(INT, at + OWNER_AT),
            source.get(LONG, at + LOGGED_AT), source.get(LONG, at + SYNCED_AT));
    }
}
