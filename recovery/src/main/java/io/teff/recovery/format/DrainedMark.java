package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;

/**
 * The position up to which a ring is drained, in the head of the ring.
 * <pre>
 *  48         56                  64         72                  80
 *  +----------+-------------------+----------+-------------------+
 *  | position | stamp of position | position | stamp of position |
 *  +----------+-------------------+----------+-------------------+
 * </pre>
 * The two places are written in turn, so a thread killed in between leaves the mark that counted before. The stamp
 * replaces a checksum: a flipped bit in either of the two shows, and the larger correct position counts.
 */
public final class DrainedMark {
    /** Result of {@link #read} when neither place is correct. */
    public static final long NONE = -1;

    private static final int FIRST_AT = FileHead.CHECKED_END;
    private static final int STAMP = 8;
    private static final int SECOND_AT = FIRST_AT + 2 * Long.BYTES;

    private DrainedMark() {}

    /**
     * Writes the mark to the place that does not count. For one thread, the drainer. When this has returned, the room
     * that the new mark frees may be claimed.
     *
     * @param file mapped memory
     * @param position a multiple of 8, not lower than the last
     * @param salt of the log
     */
    public static void write(MemorySegment file, long position, long salt) {
        final int at = at(file, FIRST_AT, salt) > at(file, SECOND_AT, salt) ? SECOND_AT : FIRST_AT;
        LittleEndian.putLongRelease(file, at, position);
        LittleEndian.putLongRelease(file, at + STAMP, Stamp.of(position, salt));
    }

    /**
     * Reads the mark.
     *
     * @param file memory of the ring's file, or of its first page
     * @param salt of the log
     * @return the position, or {@link #NONE} if both places are damaged
     */
    public static long read(MemorySegment file, long salt) {
        return Math.max(at(file, FIRST_AT, salt), at(file, SECOND_AT, salt));
    }

    /**
     * Returns whether a place holds neither a mark nor the remains of a thread killed while writing one: a new
     * position before the stamp of an older mark. The lost mark may have been the larger one.
     *
     * @param file memory of the ring's file, or of its first page
     * @param salt of the log
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
