package io.teff.test.bench.collect;

/**
 * A permutation of all numbers below a count, in an order that defeats prefetchers and is unfavourable for trees. Takes
 * no memory: each step of the mixing is invertible in a given number of bits, so no two numbers get the same place; a
 * result outside of the count is mixed again, which leads back into it (cycle walking). Immutable.
 */
final class Shuffle {
    private static final long ODD = 0x9E37_79B9_7F4A_7C15L;
    private static final long OTHER_ODD = 0xD6E8_FEB8_6659_FD93L;
    private static final int BITS_MIN = 2;

    private final long count;
    private final long mask;
    private final int half;

    Shuffle(long count) {
        this.count = count;
        int bits = Math.max(Long.SIZE - Long.numberOfLeadingZeros(count - 1), BITS_MIN);
        mask = -1L >>> Long.SIZE - bits;
        half = (bits + 1) / 2;
    }

    long at(long place) {
        long mixed = place;
        do {
            mixed = mixed * ODD + half & mask;
            mixed ^= mixed >>> half;
            mixed = mixed * OTHER_ODD & mask;
            mixed ^= mixed >>> half;
        } while (mixed >= count);
        return mixed;
    }
}
