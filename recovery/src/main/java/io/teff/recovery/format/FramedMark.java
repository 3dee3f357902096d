package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;

/**
 * The number of the last synced frame, in the head of a ring: frames up to this number must be found, unless trimmed.
 * <pre>
 *  80         88                96
 *  +----------+-----------------+
 *  | number   | its stamp       |
 *  +----------+-----------------+
 * </pre>
 * The mark is stored when the frame is synced, so the mark never claims too much, not even on a device with an old page
 * of the ring. The salt of its stamp differs from the salt of positions. A wrong stamp claims nothing: the mark of a
 * thread killed between both stores, a flipped bit, or the zeros of a log without frames.
 */
public final class FramedMark {
    /** Result of {@link #read} without a correct mark. */
    public static final long NONE = -1;

    private static final int AT = FileHead.CHECKED_END + 4 * Long.BYTES;
    private static final int STAMP_AT = AT + Long.BYTES;

    private FramedMark() {}

    /**
     * Writes the mark. For one thread, the drainer.
     *
     * @param file mapped memory
     * @param number of a synced frame
     * @param salt of the log
     */
    public static void write(MemorySegment file, long number, long salt) {
        LittleEndian.putLongRelease(file, AT, number);
        LittleEndian.putLongRelease(file, STAMP_AT, Stamp.of(number, ~salt));
    }

    /**
     * Reads the mark.
     *
     * @param file memory of the ring's file, or of its first page
     * @param salt of the log
     * @return the number, or {@link #NONE}
     */
    public static long read(MemorySegment file, long salt) {
        final long number = LittleEndian.getLong(file, AT);
        return number >= 0 && LittleEndian.getLong(file, STAMP_AT) == Stamp.of(number, ~salt) ? number : NONE;
    }
}
