package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;

/**
 * The payload of a link: a piece of a chunk too long for a single entry.
 * <pre>
 *  0        4        8                16
 *  +--------+--------+----------------+----------------------------------+
 *  | number | count  | chunk's length | piece: 1 MiB, or the rest        |
 *  +--------+--------+----------------+----------------------------------+
 * </pre>
 * Numbers begin at 0. All links of a chain have one sequence number; a chain with a missing link does not count.
 */
public final class ChainLink {
    /** Bytes of a piece of the chunk, but for the last one's. */
    public static final int PIECE_BYTES = 1 << 20;
    /** Bytes in front of a piece. */
    public static final int HEAD_BYTES = 16;

    private static final int COUNT_AT = 4;
    private static final int LENGTH_AT = 8;

    private ChainLink() {}

    /**
     * Returns the number of links of a chunk.
     *
     * @param chunkBytes length of the chunk, 1 to 2^51
     * @return links
     */
    public static int count(long chunkBytes) {
        return Math.toIntExact((chunkBytes + PIECE_BYTES - 1) / PIECE_BYTES);
    }

    /**
     * Returns the bytes of a link's piece.
     *
     * @param number of the link
     * @param chunkBytes length of the chunk
     * @return 1 to {@link #PIECE_BYTES}
     */
    public static int pieceBytes(int number, long chunkBytes) {
        return (int) Math.min(PIECE_BYTES, chunkBytes - (long) number * PIECE_BYTES);
    }

    /**
     * Writes the head of a link.
     *
     * @param target receives the head
     * @param at offset there, of {@link #HEAD_BYTES} bytes
     * @param number of the link, from 0
     * @param chunkBytes length of the chunk
     */
    public static void writeHead(MemorySegment target, long at, int number, long chunkBytes) {
        LittleEndian.putInt(target, at, number);
        LittleEndian.putInt(target, at + COUNT_AT, count(chunkBytes));
        LittleEndian.putLong(target, at + LENGTH_AT, chunkBytes);
    }

    /**
     * Returns the number of a link.
     *
     * @param bytes hold the link
     * @param at offset of its head
     * @return number, from 0
     */
    public static int number(MemorySegment bytes, long at) {
        return LittleEndian.getInt(bytes, at);
    }

    /**
     * Returns the length of the whole chunk.
     *
     * @param bytes hold the link
     * @param at offset of its head
     * @return bytes
     */
    public static long chunkBytes(MemorySegment bytes, long at) {
        return LittleEndian.getLong(bytes, at + LENGTH_AT);
    }

    /**
     * Returns whether a link is valid: its number, count, length and size agree. Readers show no other.
     *
     * @param bytes hold the link
     * @param at offset of its head
     * @param length of head and piece
     * @return whether it is valid
     */
    static boolean isPossible(MemorySegment bytes, long at, int length) {
        final long chunkBytes = chunkBytes(bytes, at);
        final int number = number(bytes, at);
        final int count = LittleEndian.getInt(bytes, at + COUNT_AT);
        return chunkBytes > 0 && chunkBytes <= (long) Integer.MAX_VALUE * PIECE_BYTES && count == count(chunkBytes)
            && number >= 0 && number < count && length == HEAD_BYTES + pieceBytes(number, chunkBytes);
    }
}
