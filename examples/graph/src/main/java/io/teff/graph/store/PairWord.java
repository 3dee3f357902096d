package io.teff.graph.store;

/**
 * Two numbers of 1 to 5 bytes at the beginning of 8 bytes, decoded without a branch for their lengths. Pure functions.
 *
 * <pre>
 *  byte    0          1          2          3          4 ...
 *        |1 digit 0 |0 digit 1 |1 digit 0 |0 digit 1 | other numbers
 *         first number          second number
 * </pre>
 *
 * <p>A byte has 7 bits of a number, lowest digit first, and a top bit that tells of another byte. Lengths change from
 * number to number, and a processor guesses a branch on a length wrongly every few numbers. So the ends of both numbers
 * come from the top bits of all 8 bytes, and the digits of both are pushed together by three shifts, in steps of 7, 14
 * and 28 bits. A pair of more than 8 bytes has no second end, and the caller decodes byte by byte.
 */
final class PairWord {
    /** The top bit of each byte. */
    private static final long TOPS = 0x8080_8080_8080_8080L;
    private static final long LOW_7 = 0x007F_007F_007F_007FL;
    private static final long HIGH_7 = 0x7F00_7F00_7F00_7F00L;
    private static final long LOW_14 = 0x0000_3FFF_0000_3FFFL;
    private static final long HIGH_14 = 0x3FFF_0000_3FFF_0000L;
    private static final long LOW_28 = 0x0000_0000_0FFF_FFFFL;
    private static final long HIGH_28 = 0x0FFF_FFFF_0000_0000L;

    static {
        assert (LOW_7 | HIGH_7) == ~TOPS : "digits of one byte and top bits must tile the word";
        assert (LOW_14 | HIGH_14) == (LOW_7 | (HIGH_7 >>> 1)) : "digits of two bytes";
        assert (LOW_28 | HIGH_28) == (LOW_14 | (HIGH_14 >>> 2)) : "digits of four bytes";
    }

    private PairWord() {}

    /** Returns the top bits of the last bytes of all numbers in a word; the lowest bit ends the first number. */
    static long ends(long word) {
        return ~word & TOPS;
    }

    /** Returns the ends behind the first end; 0 if there is no second number. */
    static long behind(long ends) {
        return ends & ends - 1;
    }

    /** Returns the digits up to the lowest of some ends, without gaps: at most 56 bits. */
    static long digits(long word, long ends) {
        long x = word & (ends ^ ends - 1) & ~TOPS;
        x = x & LOW_7 | (x & HIGH_7) >>> 1;
        x = x & LOW_14 | (x & HIGH_14) >>> 2;
        return x & LOW_28 | (x & HIGH_28) >>> 4;
    }

    /** Returns the number of bits of the digits up to the lowest of some ends. */
    static int digitBits(long ends) {
        return bytes(ends) * RunBytes.VAR_BITS;
    }

    /** Returns the number of bytes up to the lowest of some ends. */
    static int bytes(long ends) {
        return Long.numberOfTrailingZeros(ends) + 1 >>> 3;
    }

    /** Returns the number whose digits are the lower bits. */
    static int low(long digits, int bits) {
        return (int) (digits & (1L << bits) - 1);
    }

    /** Returns the number whose digits are the other bits. */
    static int high(long digits, int bits) {
        return (int) (digits >>> bits);
    }
}
