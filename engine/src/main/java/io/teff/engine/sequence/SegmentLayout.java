package io.teff.engine.sequence;

/**
 * How a segment of a list lies in its chunk: {@code ChunkList.SEGMENT} elements, or fewer in the last one.
 * <pre>
 *  0         2        2 + 2 n
 *  +---------+----------+--------------------+------+
 *  | count n | ends     | elements           | room |
 *  +---------+----------+--------------------+------+
 *
 *  end   1 bit: the element lies in a chunk of its own, and here is its CID; 15 bits: where it ends, from the first one
 * </pre>
 * If all elements have the same size, at most {@value #FIXED_BYTES_MAX} bytes, there are no ends, and no element lies
 * outside.
 */
final class SegmentLayout {
    static final int COUNT_BYTES = Short.BYTES;
    static final int END_BYTES = Short.BYTES;
    static final int OVERFLOW = 1 << 15;
    static final int END_MASK = OVERFLOW - 1;
    /** Longer elements have a chunk of their own: 64 of that length end below 2^15. */
    static final int INSIDE_BYTES_MAX = 504;
    /** Elements of one size up to that lie side by side. */
    static final int FIXED_BYTES_MAX = 504;

    private SegmentLayout() {}

    /** Where the first element is. */
    static int elementsAt(int count, int fixedBytes) {
        return fixedBytes >= 0 ? COUNT_BYTES : COUNT_BYTES + count * END_BYTES;
    }

    /** Where an end is. */
    static int endAt(int index) {
        return COUNT_BYTES + index * END_BYTES;
    }
}
