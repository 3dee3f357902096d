package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;

/**
 * When the file of a ring came into being, in its head: a copy of the file has another birth than the birth in its
 * head.
 * <pre>
 *  96         104               112
 *  +----------+-----------------+
 *  | birth    | its stamp       |
 *  +----------+-----------------+
 * </pre>
 * The mark is written and synced before the log is opened. The salt of its stamp differs from the salts of positions
 * and frames. A wrong stamp claims nothing: a flipped bit, or the zeros of a file system without times of birth.
 */
public final class BirthMark {
    /** Result of {@link #read} without a correct mark. */
    public static final long NONE = 0;

    private static final int AT = FileHead.CHECKED_END + 6 * Long.BYTES;
    private static final int STAMP_AT = AT + Long.BYTES;

    private BirthMark() {}

    /**
     * Writes the mark.
     *
     * @param page the first page of the ring's file
     * @param birth of the file, or {@link #NONE}: then there is no mark
     * @param salt of the log
     */
    public static void write(MemorySegment page, long birth, long salt) {
        LittleEndian.putLong(page, AT, birth);
        LittleEndian.putLong(page, STAMP_AT, birth == NONE ? 0 : Stamp.of(birth, Long.reverse(salt)));
    }

    /**
     * Reads the mark.
     *
     * @param page the first page of the ring's file
     * @param salt of the log
     * @return the birth, or {@link #NONE}
     */
    public static long read(MemorySegment page, long salt) {
        final long birth = LittleEndian.getLong(page, AT);
        return LittleEndian.getLong(page, STAMP_AT) == Stamp.of(birth, Long.reverse(salt)) ? birth : NONE;
    }
}
