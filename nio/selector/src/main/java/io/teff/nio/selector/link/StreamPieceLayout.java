package io.teff.nio.selector.link;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The layout of a piece, a single message of UCX.
 *
 * <pre>
 *  0              8                 15  16             24
 * +--------------+-------------+------+--------------+-----------
 * |   receiver   | place (56)  | kind |   consumed   | bytes ...
 * +--------------+-------------+------+--------------+-----------
 * </pre>
 *
 * <p>The receiver is the number of a link or of a path at the peer. The place counts the pieces of the link in this
 * direction, from 0. Consumed is the number of bytes that the program of the sender has read from the link. All numbers
 * are little-endian.
 *
 * <p>The head travels as the header of the message, or at the beginning of its data: a short message without a header
 * needs one copy less, and a piece with a header takes its bytes from the buffer of the program.
 *
 * <p>The size: UCX sends a message in one part if the message fits into a segment of the transport. One part is faster,
 * and keeps the order of the pieces of a path. Shared memory has segments of {@link #SEGMENT} bytes, as the provider
 * configures UCX. Other transports have segments of 8 KiB or more. A side tells the peer its limit in the first piece
 * of a path, in the place of consumed.
 */
final class StreamPieceLayout {
    static final int HEAD = 24;
    /** Bytes of a piece over any transport. */
    static final int BYTES_COMMON = 8_000 - HEAD;
    /** Bytes of a piece over shared memory. */
    static final int BYTES_MAX = 32 << 10;
    /** A piece over shared memory, its head, and what UCX adds. */
    static final int SEGMENT = BYTES_MAX + 512;

    /** Bytes of the stream. */
    static final int DATA = 1;
    /** No bytes; carries the number of consumed bytes. */
    static final int CREDIT = 2;
    /** The sender writes no more bytes. */
    static final int FIN = 3;
    /** The sender has closed the channel. */
    static final int CLOSE = 4;
    /** The sender has closed the channel with unread bytes. */
    static final int RESET = 5;
    /** The sender has seen CLOSE. */
    static final int CLOSED = 6;
    /** The program of the server has accepted the connection. */
    static final int ACCEPTED = 7;
    /** The first piece of a path, from the dialer. */
    static final int OPEN = 8;
    /** The first piece of a path, from the listener. */
    static final int OPENED = 9;
    /** The first piece of a client: the number of bytes that it has written over TCP. */
    static final int FIRST = 10;

    static final int RECEIVER = 0;
    static final int PLACE = 8;
    static final int CONSUMED = 16;
    private static final int KIND_BITS = 8;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    static {
        assert CONSUMED + Long.BYTES == HEAD : "fields must tile the head";
    }

    private StreamPieceLayout() {}

    static void writeHead(MemorySegment memory, long receiver, long place, int kind, long consumed) {
        memory.set(LONG, RECEIVER, receiver);
        memory.set(LONG, PLACE, place << KIND_BITS | kind);
        memory.set(LONG, CONSUMED, consumed);
    }

    /** Writes the number of a FIRST piece behind its head; returns the length of the number. */
    static int writeFirst(MemorySegment memory, long bytes) {
        memory.set(LONG, HEAD, bytes);
        return Long.BYTES;
    }

    static long place(long word) {
        return word >>> KIND_BITS;
    }

    static int kind(long word) {
        return (int) word & (1 << KIND_BITS) - 1;
    }
}
