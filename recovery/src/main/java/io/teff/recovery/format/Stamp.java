package io.teff.recovery.format;

/**
 * Stamps of numbers: a number mixed with the log's salt, as 64 bits that cannot be guessed without the salt. Stateless.
 *
 * <p>A record carries the stamp of its position, a frame the stamp of its number, a block the stamp of its offset. So a
 * reader sees at once whether the bytes at a place were written for this place and this time. For the same salt no two
 * numbers have the same stamp, so remains of an earlier lap of a ring are never taken for new records; a payload
 * matches a given stamp once in 2^64. A stamp is not a proof: everything found by a stamp is checked by its checksum.
 *
 * <p>The mix is the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
 * 2014) with the constants that Stafford found best, his variant 13. Each step is invertible, so the number can be
 * computed from the stamp, and no two numbers collide.
 */
public final class Stamp {
    private static final long FIRST_FACTOR = 0xBF58_476D_1CE4_E5B9L;
    private static final long SECOND_FACTOR = 0x94D0_49BB_1331_11EBL;
    private static final long FIRST_INVERSE = inverse(FIRST_FACTOR);
    private static final long SECOND_INVERSE = inverse(SECOND_FACTOR);
    private static final int FIRST_SHIFT = 30;
    private static final int SECOND_SHIFT = 27;
    private static final int THIRD_SHIFT = 31;

    private Stamp() {}

    /**
     * Returns the stamp of a number.
     *
     * @param number any number
     * @param salt of the log, or of a part of the log, which is a stamp itself
     * @return 64 bits
     */
    public static long of(long number, long salt) {
        long mixed = number ^ salt;
        mixed = (mixed ^ mixed >>> FIRST_SHIFT) * FIRST_FACTOR;
        mixed = (mixed ^ mixed >>> SECOND_SHIFT) * SECOND_FACTOR;
        return mixed ^ mixed >>> THIRD_SHIFT;
    }

    /**
     * Returns the number of a stamp.
     *
     * @param stamp any 64 bits
     * @param salt of the stamp
     * @return the number; meaningless if this is not a stamp
     */
    public static long number(long stamp, long salt) {
        long mixed = unshifted(stamp, THIRD_SHIFT) * SECOND_INVERSE;
        mixed = unshifted(mixed, SECOND_SHIFT) * FIRST_INVERSE;
        return unshifted(mixed, FIRST_SHIFT) ^ salt;
    }

    /** Inverts {@code value ^ value >>> shift}, for shifts of more than a third of the bits. */
    private static long unshifted(long value, int shift) {
        return value ^ value >>> shift ^ value >>> 2 * shift;
    }

    /** Returns the odd inverse: the product of both numbers is 1. Each of Newton's steps doubles the correct bits. */
    private static long inverse(long odd) {
        long inverse = odd;
        for (int bits = 3; bits < Long.SIZE; bits *= 2) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }
}
