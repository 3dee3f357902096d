package io.teff.engine.hash;

/**
 * The stamps in front of the value of a cache's entry: points in time of {@value #BYTES} bytes each, little-endian.
 * <pre>
 *  0              5              10
 * +--------------+--------------+-------------------+
 * | deadline (5) | written (5)  | value, to the end |        a cache has both, the deadline only, or none
 * +--------------+--------------+-------------------+
 * </pre>
 * A stamp is a number of milliseconds modulo 2^40, which is 34.8 years. Two points in time are compared by their
 * difference, so the origin of the clock does not matter, and the points must be less than 17.4 years apart. Four bytes
 * of milliseconds would span 24.8 days; four bytes of seconds would be too coarse for short durations.
 */
public final class StampLayout {
    /** Bytes of a stamp. */
    public static final int BYTES = 5;
    /** Index of the time at which the entry expires. */
    public static final int DEADLINE = 0;
    /** Index of the time at which the value was written. */
    public static final int WRITTEN = 1;
    /** Largest number of stamps of an entry. */
    public static final int STAMPS_MAX = 2;
    /** The deadline of an entry that never expires. */
    public static final long NEVER = (1L << BYTES * Byte.SIZE) - 1;
    /** Longest duration in milliseconds, some 17.4 years; a longer one never ends. */
    public static final long DURATION_MAX_MS = (1L << BYTES * Byte.SIZE - 1) - 1;

    private static final long MASK = NEVER;

    private StampLayout() {}

    /**
     * Returns the stamp of a point in time.
     *
     * @param timeMs time in milliseconds
     * @return 0 to {@link #NEVER} - 1
     */
    public static long stamp(long timeMs) {
        long stamp = timeMs & MASK;
        return stamp == NEVER ? NEVER - 1 : stamp;
    }

    /**
     * Returns the deadline at the end of a duration.
     *
     * @param nowMs begin of the duration
     * @param durationMs at least 0
     * @return the deadline, {@link #NEVER} for durations above {@link #DURATION_MAX_MS}
     */
    public static long deadline(long nowMs, long durationMs) {
        assert durationMs >= 0 : durationMs;
        return durationMs > DURATION_MAX_MS ? NEVER : stamp(nowMs + durationMs);
    }

    /**
     * Returns the time from a stamp until now.
     *
     * @param stamp a stamp, not {@link #NEVER}
     * @param nowMs the present time
     * @return milliseconds; negative if the stamp is in the future
     */
    public static long age(long stamp, long nowMs) {
        long difference = nowMs - stamp & MASK;
        return difference <= DURATION_MAX_MS ? difference : difference - MASK - 1;
    }

    /**
     * Returns whether a deadline is reached.
     *
     * @param deadline a stamp or {@link #NEVER}
     * @param nowMs the present time
     * @return whether an entry with this deadline has expired
     */
    public static boolean isOver(long deadline, long nowMs) {
        return deadline != NEVER && age(deadline, nowMs) >= 0;
    }

    /** Reads a stamp of a value that begins at {@code from}. */
    static long read(byte[] bytes, int from, int index) {
        int at = from + index * BYTES;
        long stamp = 0;
        for (int i = BYTES - 1; i >= 0; i--) {
            stamp = stamp << Byte.SIZE | bytes[at + i] & 0xFF;
        }
        return stamp;
    }

    /** Writes a stamp of a value that begins at {@code from}. */
    static void write(byte[] bytes, int from, int index, long stamp) {
        assert (stamp & ~MASK) == 0 : stamp;
        int at = from + index * BYTES;
        for (int i = 0; i < BYTES; i++) {
            bytes[at + i] = (byte) (stamp >>> i * Byte.SIZE);
        }
    }
}
