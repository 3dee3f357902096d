package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;

/**
 * The position up to which a ring is drained, in the ring's head.
 * <pre>
 *  48         56                  64         72                  80
 *  +----------+-------------------+----------+-------------------+
 *  | position | stamp of position | position | stamp of position |
 *  +----------+-------------------+----------+-------------------+
 * </pre>
 * It is written to the two places in turn, so a thread that is killed in between leaves the one that counted so far.
 * The stamp is there instead of a checksum: a flipped bit of either shows, and the larger of what is right counts.
 */
public final class DrainedMark {
    /** Result of {@link #read} when none of the two is right. */
    public static final long NONE = -1;

    private static final int FIRST_AT = FileHead.CHECKED_END;
    private static final int STAMP = 8;
    private static final int SECOND_AT = FIRST_AT + 2 * Long.BYTES;

    private DrainedMark() {}

    /**
     * Writes the mark to the place that does not count. For one thread, the one that drains. Room in the ring may be
     * given away by the new mark when this has returned.
     *
     * @param file mapped
     * @param position a multiple of 8, not lower than the last
     * @param salt the log's
     */
    public static void write(MemorySegment file, long position, long salt) {
        final int at = at(file, FIRST_AT, salt) > at(file, SECOND_AT, salt) ? SECOND_AT : FIRST_AT;
        LittleEndian.putLongRelease(file, at, position);
        LittleEndian.putLongRelease(file, at + STAMP, Stamp.of(position, salt));
    }

    /**
     * Reads the mark.
     *
     * @param file the ring's file, or its first page
     * @param salt the log's
     * @return the position, or {@link #NONE} if both places are damaged
     */
    public static long read(MemorySegment file, long salt) {
        return Math.max(at(file, FIRST_AT, salt), at(file, SECOND_AT, salt));
    }

    /**
     * Tells whether a place has neither a mark nor what a thread leaves there that is killed while it writes one: a
     * new position in front of an older mark's stamp. The mark that is gone may have been the larger one.
     *
     * @param file the ring's file, or its first page
     * @param salt the log's
     * @return whether a place is damaged
     */
    public static boolean isDamaged(MemorySegment file, long salt) {
        return isDamaged(file, FIRST_AT, SECOND_AT, salt) || isDamaged(file, SECOND_AT, FIRST_AT, salt);
    }

    private static boolean isDamaged(MemorySegment file, int at, int otherAt, long salt) {
        final long stamp = LittleEndian.getLong(file, at + STAMP);
        final long before = Stamp.number(stamp, salt);
        final boolean isOlder = stamp == 0 || before >= 0 && before < at(file, otherAt, salt);
        return at(file, at, salt) == NONE && !isOlder;
    }

    private static long at(MemorySegment file, int at, long salt) {
        final long position = LittleEndian.getLong(file, at);
        final boolean right = position >= 0 && position % RingRecord.ALIGNMENT == 0
            && LittleEndian.getLong(file, at + STAMP) == Stamp.of(position, salt);
        return right ? position : NONE;
    }
}
