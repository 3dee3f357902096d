package io.teff.engine.sequence;

import io.teff.engine.collect.ChunkList;

/**
 * Layout of a list's segment in its chunk: up to {@code ChunkList.SEGMENT} elements.
 * <pre>
 *  0        2          2 or 6
 *  +--------+----------+------------+--------------------+------+
 *  | head   | link (4) | ends (2 n) | elements           | room |
 *  +--------+----------+------------+--------------------+------+
 *
 *  head  15 bits: count n of the elements; highest bit: there is a link
 *  link  number of the segment behind, or {@value #LAST}, or a number that is not below the list's number of chunks:
 *        then no segment follows. Without a link, the segment with the next number follows, if there is one
 *  end   15 bits: offset of an element's end from the first element; highest bit: overflow element, a link to its chunk
 * </pre>
 * If all elements have the same size, at most {@value #FIXED_BYTES_MAX} bytes, there are no ends and no overflow
 * elements. A list that was only appended to has no links, so it has the bytes of version 1.
 */
final class ListSegmentLayout {
    /** Version of the root of a list whose segments may have links, and fewer elements than fit. */
    static final int VERSION = 2;
    static final int HEAD_BYTES = Short.BYTES;
    static final int END_BYTES = Short.BYTES;
    static final int LINK_BYTES = Integer.BYTES;
    static final int LINK_AT = HEAD_BYTES;
    static final int LINKED = 1 << 15;
    static final int COUNT_MASK = LINKED - 1;
    static final int OVERFLOW = 1 << 15;
    static final int END_MASK = OVERFLOW - 1;
    /** No segment follows. */
    static final int LAST = -1;
    /** Longer elements get a chunk of their own: 64 elements of this length end below 2^15. */
    static final int INLINE_BYTES_MAX = 504;
    /** Elements of one size up to this lie side by side without ends. */
    static final int FIXED_BYTES_MAX = 504;

    static {
        assert ChunkList.SEGMENT * INLINE_BYTES_MAX <= END_MASK : "the end of the last element must fit";
        assert LINK_AT == HEAD_BYTES : "the link must follow the head";
    }

    private ListSegmentLayout() {}

    static int count(int head) {
        return head & COUNT_MASK;
    }

    static boolean isLinked(int head) {
        return (head & LINKED) != 0;
    }

    /** Returns the offset of the ends. */
    static int endsAt(int head) {
        return HEAD_BYTES + (isLinked(head) ? LINK_BYTES : 0);
    }

    /** Returns the offset of the first element. */
    static int elementsAt(int head, int fixedBytes) {
        return endsAt(head) + (fixedBytes >= 0 ? 0 : count(head) * END_BYTES);
    }

    /** Returns the offset of an end. */
    static int endAt(int head, int index) {
        return endsAt(head) + index * END_BYTES;
    }
}
