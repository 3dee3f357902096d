package io.teff.cluster.zone;

/**
 * The number of a change of a zone, packed into a {@code long}.
 * <pre>
 *  63          48 47                                             0
 * +--------------+------------------------------------------------+
 * |  epoch (16)  |                  counter (48)                  |
 * +--------------+------------------------------------------------+
 * </pre>
 * The epoch is the epoch of the owner that made the change. The counter rises by one with each change of the zone, and
 * does not begin anew with an epoch. Numbers are compared as unsigned values. 0 is the number before the first change.
 */
public final class ZoneNumber {
    private static final int EPOCH_SHIFT = 48;

    /** The highest counter. At a million changes a second it is reached after eight years. */
    public static final long COUNTER_MAX = (1L << EPOCH_SHIFT) - 1;

    private ZoneNumber() {}

    /**
     * Packs a number.
     *
     * @param epoch the epoch, from 0 to 65,535
     * @param counter the counter, from 0 to {@link #COUNTER_MAX}
     * @return the number
     */
    public static long of(int epoch, long counter) {
        assert epoch >>> 16 == 0 : epoch;
        assert counter >= 0 && counter <= COUNTER_MAX : counter;
        return (long) epoch << EPOCH_SHIFT | counter;
    }

    /** {@return the epoch of a number} */
    public static int epoch(long number) {
        return (int) (number >>> EPOCH_SHIFT);
    }

    /** {@return the counter of a number} */
    public static long counter(long number) {
        return number & COUNTER_MAX;
    }

    /** {@return the number and its parts, for people} */
    public static String text(long number) {
        return epoch(number) + ":" + counter(number);
    }
}
