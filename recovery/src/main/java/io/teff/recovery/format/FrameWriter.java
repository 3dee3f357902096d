package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;

/**
 * Adds the head to records that were copied from the ring to a buffer.
 * <pre>
 *  0                    8         12        16                24             32               to 4,096
 *  +--------------------+---------+---------+-----------------+--------------+------------------+--------+
 *  | stamp of number    | crc32c  | length  | first position  | number       | records (length) | zeros  |
 *  +--------------------+---------+---------+-----------------+--------------+------------------+--------+
 * </pre>
 * The checksum covers everything from the length to the end of the records: a frame counts as a whole or not at all.
 * Records are stored as in the ring, padding included; the stamp of each has its position, so records may be left out.
 * For one thread.
 */
public final class FrameWriter {
    /** Bytes of the head. */
    public static final int HEAD_BYTES = 32;

    static final int CRC_AT = 8;
    static final int LENGTH_AT = 12;
    static final int POSITION_AT = 16;
    static final int NUMBER_AT = 24;

    static {
        assert NUMBER_AT + Long.BYTES == HEAD_BYTES : "fields must tile the head";
    }

    private final MemorySegment buffer;
    private final Checksum checksum;
    private final long salt;

    /**
     * Makes a writer of frames.
     *
     * @param buffer holds one frame at a time
     * @param salt of the log
     */
    public FrameWriter(MemorySegment buffer, long salt) {
        this.buffer = buffer;
        this.checksum = new Checksum(buffer);
        this.salt = salt;
    }

    /**
     * Returns the bytes of a frame in its file.
     *
     * @param recordsBytes bytes of its records
     * @return bytes, a multiple of 4,096
     */
    public static long bytes(long recordsBytes) {
        return LittleEndian.aligned(HEAD_BYTES + recordsBytes, LittleEndian.PAGE_BYTES);
    }

    /**
     * Makes a frame of the records in the buffer.
     *
     * @param number number of the last frame plus 1
     * @param firstPosition at most the position of the first record
     * @param recordsBytes bytes of the records, a multiple of 8; they begin at {@link #HEAD_BYTES} of the buffer
     * @return number of bytes of the buffer to write: {@link #bytes}
     */
    public int finish(long number, long firstPosition, int recordsBytes) {
        assert recordsBytes % RingRecord.ALIGNMENT == 0 : recordsBytes;
        final long end = (long) HEAD_BYTES + recordsBytes;
        final long total = bytes(recordsBytes);
        LittleEndian.putLong(buffer, 0, Stamp.of(number, salt));
        LittleEndian.putInt(buffer, LENGTH_AT, recordsBytes);
        LittleEndian.putLong(buffer, POSITION_AT, firstPosition);
        LittleEndian.putLong(buffer, NUMBER_AT, number);
        LittleEndian.putInt(buffer, CRC_AT, checksum.of(LENGTH_AT, end));
        buffer.asSlice(end, total - end).fill((byte) 0);
        return (int) total;
    }
}
