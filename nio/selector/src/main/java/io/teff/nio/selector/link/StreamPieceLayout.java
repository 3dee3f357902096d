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
 * <p>The size: UCX sends a message of this size in one part, so pieces of a path keep their order.
 */
final class StreamPieceLayout {
    static final int HEAD = 24;
    static final int SIZE = 8_000;
    static final int BYTES_MAX = SIZE - HEAD;

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
