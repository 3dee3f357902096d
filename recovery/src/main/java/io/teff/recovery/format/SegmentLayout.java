package io.teff.recovery.format;

/**
 * The layout of segments: a {@link FileHead}, then blocks. Stateless.
 * <pre>
 *  block   0                 8         12       16                24        28        32                to 4,096
 *          +-----------------+---------+--------+-----------------+---------+---------+-----------------+--------+
 *          | stamp of offset | crc32c  | length | first sequence  | synced  | entries | entries (length)| zeros  |
 *          +-----------------+---------+--------+-----------------+---------+---------+-----------------+--------+
 *
 *  entry   | type (1) | index (1 to 4) | generation (0 or 1) | length (0 to 3) | sequence (1 to 10) | payload | check |
 *
 *  type      7     6 5            4     3 2    0
 *          +--------+------------+-------+------+
 *          | length | generation | index | kind |   bytes of length; whether there is a generation; bytes of index - 1
 *          +--------+------------+-------+------+
 * </pre>
 * A block is the result of a single write. The checksum covers the block's head, bytes 12 to 32. Each entry has a
 * check, so that entries of a damaged block are read individually.
 *
 * <p><b>Check of an entry.</b> The CRC-32C of all its earlier bytes, exclusive-or the lower half of the stamp of its
 * sequence number, salted with the block's stamp. Sequence numbers are stored as differences, so without the stamp a
 * damaged entry would shift the numbers of the entries behind, and an entry of another segment could be accepted.
 *
 * <p><b>Synced.</b> The segment's bytes before this offset were synced when the block was made. So an incomplete part
 * is damage if a later block states the sync of this part, or if the segment is sealed. Otherwise a crash has left the
 * part, and its entries are in the primary log or were never acknowledged.
 */
final class SegmentLayout {
    static final int HEAD_BYTES = 32;
    static final int CRC_AT = 8;
    static final int LENGTH_AT = 12;
    static final int SEQUENCE_AT = 16;
    static final int SYNCED_AT = 24;
    static final int COUNT_AT = 28;

    static final int CHECK_BYTES = 4;
    /** Payload of the end: number of the entries before (8), bytes of these entries (8). */
    static final int END_BYTES = 16;
    static final int END_TOTAL_AT = 8;

    static {
        assert COUNT_AT + Integer.BYTES == HEAD_BYTES : "fields must tile the head";
    }

    private SegmentLayout() {}

    /** Returns the salt of the stamps of a segment's blocks. */
    static long salt(SegmentId id, long logSalt) {
        return Stamp.of(id.number(), logSalt);
    }

    /** Returns the check of an entry. */
    static int check(int crc, long sequence, long blockStamp) {
        return crc ^ (int) Stamp.of(sequence, blockStamp);
    }
}
