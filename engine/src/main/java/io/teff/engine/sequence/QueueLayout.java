package io.teff.engine.sequence;

/**
 * How a queue lies in chunks: a root and a chain of segments.
 * <pre>
 *  root      0           4          8                       16
 *            +-----------+----------+-----------------------+-----------------------+
 *            | magic (4) | version  | CID of the first one  | CID of the last one   |
 *            +-----------+----------+-----------------------+-----------------------+
 *
 *  segment   0                   8          12         16
 *            +-------------------+----------+----------+---------------------------------------------+------+
 *            | CID of the next   | from (4) | end (4)  | records, of which those before from are gone | room |
 *            +-------------------+----------+----------+---------------------------------------------+------+
 *
 *  record    | removed (1 bit), outside (1 bit), length (14 bits) | bytes, or the CID of a chunk that has them |
 * </pre>
 * Only the last segment gets records; its next is 0. The root may name a last one that has a next: then that is the
 * last.
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
    /** The longest chunk whose length stands in its table entry, and of which the slot has no waste. */
    static final int SEGMENT_BYTES = 2040;

    static final int RECORD_BYTES = Short.BYTES;
    static final int REMOVED = 1 << 15;
    static final int OVERFLOW = 1 << 14;
    static final int LENGTH_MASK = OVERFLOW - 1;
    /** Longer elements have a chunk of their own. */
    static final int INSIDE_BYTES_MAX = 512;

    private QueueLayout() {}

    /** Whether an element lies in a chunk of its own. */
    static boolean isOverflow(int record) {
        return (record & OVERFLOW) != 0;
    }

    /** Bytes of an element in its segment. */
    static int length(int record) {
        return record & LENGTH_MASK;
    }
}
