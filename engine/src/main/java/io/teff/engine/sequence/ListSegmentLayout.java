package io.teff.engine.sequence;

/**
 * Layout of a list's segment in its chunk: {@code ChunkList.SEGMENT} elements, or fewer in the last segment.
 * <pre>
 *  0         2        2 + 2 n
 *  +---------+----------+--------------------+------+
 *  | count n | ends     | elements           | room |
 *  +---------+----------+--------------------+------+
 *
 *  end   highest bit: overflow element, a link to its chunk; 15 bits: offset of its end from the first element
 * </pre>
 * If all elements have the same size, at most {@value #FIXED_BYTES_MAX} bytes, there are no ends and no overflow
 * elements.
 */
final class ListSegmentLayout {
    static final int COUNT_BYTES = Short.BYTES;
    static final int END_BYTES = Short.BYTES;
    static final int OVERFLOW = 1 << 15;
    static final int END_MASK = OVERFLOW - 1;
    /** Longer elements get a chunk of their own: 64 elements of this length end below 2^15. */
    static final int INLINE_BYTES_MAX = 504;
    /** Elements of one size up to this lie side by side without ends. */
    static final int FIXED_BYTES_MAX = 504;

    private ListSegmentLayout() {}

    /** Returns the offset of the first element. */
    static int elementsAt(int count, int fixedBytes) {
        return fixedBytes >= 0 ? COUNT_BYTES : COUNT_BYTES + count * END_BYTES;
    }

    /** Returns the offset of an end. */
    static int endAt(int index) {
        return COUNT_BYTES + index * END_BYTES;
    }
}
