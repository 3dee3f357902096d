package io.teff.cluster.net.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The layout of a frame.
 * <pre>
 *  0        4        8      10    11     12       16                 24
 *  +--------+--------+------+-----+------+--------+------------------+----------------+-----+
 *  | length | place  | type | lane| flags| crc    | correlation      | payload        | pad |
 *  +--------+--------+------+-----+------+--------+------------------+----------------+-----+
 *   first word                                     with REQUEST, RESPONSE, FRAGMENT only
 * </pre>
 * A frame begins at a multiple of 8 of the stream and occupies the length of the frame rounded up to a multiple of 8.
 * The place of a frame is the low half of the position, counted in units of 8 bytes: the place shows a reader that no
 * frame was lost or doubled. The first word is stored last, with release, where zero was before: this store is the
 * whole commit.
 */
public final class Frame {
    /** Bytes of a head without correlation; the payload of a frame without correlation follows the head. */
    public static final int HEAD_BYTES = 16;
    /** Bytes of a head with correlation. */
    public static final int LONG_HEAD_BYTES = 24;
    /** Largest length. */
    public static final int BYTES_MAX = 128 << 10;
    /** Smallest payload of a fragment other than the last fragment. */
    public static final int FRAGMENT_BYTES_MIN = 1 << 10;
    /** Frames begin at multiples of this. */
    public static final int ALIGNMENT = 8;
    /** Largest type and, as a mask, all type bits. */
    public static final int TYPE_MAX = 0xFFFF;
    /** Largest lane. */
    public static final int LANE_MAX = 0xFF;

    /** An answer is expected. */
    public static final int REQUEST = 1;
    /** An answer. */
    public static final int RESPONSE = 2;
    /** An answer with the reason why the request failed. */
    public static final int FAILED = 4;
    /** A fragment of a message. */
    public static final int FRAGMENT = 8;
    /** The last fragment. */
    public static final int LAST = 16;
    /** Nothing is to be handled; with FRAGMENT and LAST, the whole message of the fragments before. */
    public static final int SKIPPED = 32;
    /** The frame is not part of the stream; see {@link Control}. */
    public static final int CONTROL = 64;
    /** The frame has a checksum. */
    public static final int CHECKED = 128;

    /**
     * The end of a request that was put completely into this stream: the caller has given up, so the request need not
     * be handled.
     */
    public static final int WITHDRAWN = REQUEST | FRAGMENT | LAST | SKIPPED;

    static final int PLACE_AT = 4;
    private static final int TYPE_AT = 8;
    private static final int LANE_AT = 10;
    static final int FLAGS_AT = 11;
    static final int CRC_AT = 12;
    private static final int CORRELATION_AT = 16;

    private static final int LANE_SHIFT = 16;
    private static final int FLAGS_SHIFT = 24;
    private static final int PLACE_SHIFT = 32;
    private static final int PLACE_STEP = 3;
    private static final long INT_MASK = 0xFFFF_FFFFL;
    /** Long enough for long copies, and short enough for the nearest cache. */
    private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[4 << 10]).asReadOnly();

    private Frame() {}

    // ---- sizes ----

    /**
     * Returns the bytes occupied by a frame in its stream.
     *
     * @param length of the frame
     * @return the next multiple of 8
     */
    public static int taken(int length) {
        return length + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /**
     * Returns where the payload begins.
     *
     * @param flags of the frame
     * @return bytes of the head
     */
    public static int headBytes(int flags) {
        return (flags & (REQUEST | RESPONSE | FRAGMENT)) == 0 ? HEAD_BYTES : LONG_HEAD_BYTES;
    }

    // ---- writing ----

    /**
     * Writes a head without the first word and the checksum.
     *
     * @param memory to write to
     * @param at offset of the frame
     * @param type of the message
     * @param lane of the message
     * @param flags of the frame, without CHECKED
     * @param correlation of the message, if required by the flags
     */
    public static void begin(MemorySegment memory, long at, int type, int lane, int flags, long correlation) {
        assert (type & ~TYPE_MAX) == 0 && (lane & ~LANE_MAX) == 0 : type + " " + lane;
        Bytes.putInt(memory, at + TYPE_AT, type | lane << LANE_SHIFT | flags << FLAGS_SHIFT);
        Bytes.putInt(memory, at + CRC_AT, 0);
        if (headBytes(flags) == LONG_HEAD_BYTES) {
            Bytes.putLong(memory, at + CORRELATION_AT, correlation);
        }
    }

    /**
     * Writes the first word, with release: the frame is complete.
     *
     * @param memory to write to
     * @param at offset of the frame, a multiple of 8
     * @param length from the first byte of the head to the last of the payload
     * @param position of the frame in the stream; 0 for a control frame
     */
    public static void commit(MemorySegment memory, long at, int length, long position) {
        Bytes.putWord(memory, at, word(length, position));
    }

    private static long word(int length, long position) {
        return length | place(position) << PLACE_SHIFT;
    }

    /** Returns the place of a position, as stored in a head. */
    static long place(long position) {
        return position >>> PLACE_STEP & INT_MASK;
    }

    /**
     * Counts the messages of a frame.
     *
     * @param memory of the frame
     * @param at offset of the frame
     * @return 1 if a message ends with the frame, else 0
     */
    public static int messages(MemorySegment memory, long at) {
        final int flags = flags(memory, at);
        return (flags & SKIPPED) == 0 && (flags & (FRAGMENT | LAST)) != FRAGMENT ? 1 : 0;
    }

    /**
     * Returns whether a frame is complete, with acquire.
     *
     * @param memory of the frame
     * @param at offset of the frame, a multiple of 8
     * @return length of the frame, or 0
     */
    public static int committed(MemorySegment memory, long at) {
        return (int) Bytes.getWord(memory, at);
    }

    // ---- reading ----

    /**
     * Copies bytes out.
     *
     * @param memory to copy from
     * @param from first byte
     * @param target to copy to
     * @param at first byte there
     * @param bytes number of bytes
     */
    public static void copyOut(MemorySegment memory, long from, byte[] target, int at, int bytes) {
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, from, target, at, bytes);
    }

    /**
     * Copies bytes in.
     *
     * @param source to copy from
     * @param from first byte
     * @param memory to copy to
     * @param at first byte there
     * @param bytes number of bytes
     */
    public static void copyIn(byte[] source, int from, MemorySegment memory, long at, int bytes) {
        MemorySegment.copy(source, from, memory, ValueLayout.JAVA_BYTE, at, bytes);
    }

    /**
     * Sets bytes to zero; by a copy, because a segment can fill only itself as a whole, and slicing allocates.
     *
     * @param memory to write to
     * @param from first byte
     * @param bytes number of bytes
     */
    public static void clear(MemorySegment memory, long from, long bytes) {
        for (long done = 0; done < bytes; done += ZEROS.byteSize()) {
            MemorySegment.copy(ZEROS, 0, memory, from + done, Math.min(bytes - done, ZEROS.byteSize()));
        }
    }

    /**
     * Returns the length of a frame, unchecked.
     *
     * @param memory of the frame
     * @param at offset of the frame
     * @return the first four bytes
     */
    public static int length(MemorySegment memory, long at) {
        return Bytes.getInt(memory, at);
    }

    /**
     * Returns the type of a frame.
     *
     * @param memory of the frame
     * @param at offset of the frame
     * @return 0 to 65,535
     */
    public static int type(MemorySegment memory, long at) {
        return Bytes.getShort(memory, at + TYPE_AT);
    }

    /**
     * Returns the lane of a frame.
     *
     * @param memory of the frame
     * @param at offset of the frame
     * @return 0 to 255
     */
    public static int lane(MemorySegment memory, long at) {
        return Bytes.getByte(memory, at + LANE_AT);
    }

    /**
     * Returns the flags of a frame.
     *
     * @param memory of the frame
     * @param at offset of the frame
     * @return a combination of REQUEST and the further flags
     */
    public static int flags(MemorySegment memory, long at) {
        return Bytes.getByte(memory, at + FLAGS_AT);
    }

    /**
     * Returns the correlation of a frame.
     *
     * @param memory of the frame
     * @param at offset of a frame with a correlation
     * @return the number
     */
    public static long correlation(MemorySegment memory, long at) {
        return Bytes.getLong(memory, at + CORRELATION_AT);
    }

    /**
     * Checks a length, before anything behind the length is trusted.
     *
     * @param length from the first four bytes
     * @throws ProtocolException if no frame has this length
     */
    public static void checkLength(int length) throws ProtocolException {
        if (length < HEAD_BYTES || length > BYTES_MAX) {
            throw new ProtocolException("a frame's length is " + length + ", not in " + HEAD_BYTES + " to "
                + BYTES_MAX);
        }
    }
}
