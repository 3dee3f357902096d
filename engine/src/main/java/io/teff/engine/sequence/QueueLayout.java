package io.teff.engine.sequence;

/**
 * Layout of a queue in chunks: a root and a chain of segments.
 * <pre>
 *  root      0           4          8                       16
 *            +-----------+----------+-----------------------+-----------------------+
 *            | magic (4) | version  | first segment (8)     | last segment (8)      |
 *            +-----------+----------+-----------------------+-----------------------+
 *
 *  segment   0                   8          12         16
 *            +-------------------+----------+----------+---------------------------------------------+------+
 *            | next segment (8)  | from (4) | end (4)  | records; those before from are taken        | room |
 *            +-------------------+----------+----------+---------------------------------------------+------+
 *
 *  record    | removed (1 bit), overflow (1 bit), length (14 bits) | bytes, or the CID of an overflow chunk     |
 * </pre>
 * Segments are named by CID. Only the last segment receives records; its next segment is 0. The last segment of the
 * root may be outdated and have a next one; then the last segment is found by following the chain.
 */
final class QueueLayout {
    static final int MAGIC = 0x4F46_4946;
    static final int VERSION = 1;
    static final long HEAD = MAGIC | (long) VERSION << Integer.SIZE;
    static final int HEAD_AT = 0;
    static final int FIRST_AT = 8;
    static final int LAST_AT = 16;
    static final int ROOT_BYTES = 24;

    static final int NEXT_AT = 0;
    static final int FROM_AT = 8;
    static final int END_AT = 12;
    static final int RECORDS_AT = 16;
    /**
     * Length of a segment's chunk: the maximum of the lengths that fit into a table entry and leave no waste in the
     * slot.
     */
    static final int SEGMENT_BYTES = 2040;

    static final int RECORD_BYTES = Short.BYTES;
    static final int REMOVED = 1 << 15;
    static final int OVERFLOW = 1 << 14;
    static final int LENGTH_MASK = OVERFLOW - 1;
    /** Longer elements get a chunk of their own. */
    static final int INLINE_BYTES_MAX = 512;

    private QueueLayout() {}

    /** Returns whether a record's element lies in a chunk of its own. */
    static boolean isOverflow(int record) {
        return (record & OVERFLOW) != 0;
    }

    /** Returns the bytes of a record in its segment. */
    static int length(int record) {
        return record & LENGTH_MASK;
    }
}
