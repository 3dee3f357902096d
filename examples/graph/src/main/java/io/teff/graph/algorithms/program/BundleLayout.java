package io.teff.graph.algorithms.program;

/**
 * The layout of a bundle: messages to vertices of one part, in the order of the vertices. Numbers are little-endian.
 *
 * <pre>
 *  0                4          8           12
 * +----------------+----------+-----------+------------------------------------+---
 * | bytes in bundle | part     | messages  | distance (1 to 5) | message        | ...
 * +----------------+----------+-----------+------------------------------------+---
 * </pre>
 *
 * <p>A negative part is the complement of the part of the senders: the indexes are those of senders, whose messages are
 * for all of their neighbours at the receiver.
 *
 * <p>The distance is that of the index of the vertex from the index before, 7 bits in each byte; the first distance of
 * a bundle begins at index 0. Several messages to one vertex have the distance 0.
 */
final class BundleLayout {
    static final int BYTES_OFFSET = 0;
    static final int PART_OFFSET = BYTES_OFFSET + Integer.BYTES;
    static final int COUNT_OFFSET = PART_OFFSET + Integer.BYTES;
    static final int HEAD_BYTES = COUNT_OFFSET + Integer.BYTES;
    /** Longest bundle: two of them fill a batch of a compute group. */
    static final int BYTES_MAX = 32 << 10;
    static final int DISTANCE_BYTES_MAX = 5;
    /** Longest message of a program, in bytes: 16 KiB. */
    static final int MESSAGE_BYTES_MAX = 16 << 10;
    static final int DIGIT_BITS = 7;
    static final int MORE = 1 << DIGIT_BITS;

    static {
        assert HEAD_BYTES + DISTANCE_BYTES_MAX + MESSAGE_BYTES_MAX <= BYTES_MAX : "a message must fit into a bundle";
    }

    private BundleLayout() {}
}
