package io.teff.rdma.transport.ucx;

import io.teff.rdma.ucx.message.UcxRequest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Memory of one message, and the request of the operation that uses it.
 *
 * <pre>
 *  0                8                       16
 * +----------------+---------------------+-+------------
 * |  link number   |      place (63)     |C| bytes ...
 * +----------------+---------------------+-+------------
 * </pre>
 *
 * <p>The number is the receiver's. The place counts the messages of the link in this direction, from 0. C marks CLOSE,
 * the last message, which has no bytes. All numbers are little-endian.
 *
 * <p>The size: a message that fits into one segment of shared memory (8,256 B) or of TCP (8 KiB), with UCX's own heads,
 * is copied once, and no message is ever put together from parts.
 */
final class Piece {
    static final int HEAD = 16;
    static final int SIZE = 8_000;
    static final int BYTES_MAX = SIZE - HEAD;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int PLACE = 8;
    private static final long CLOSE = 1;

    final MemorySegment memory;
    final UcxRequest request;

    Piece(MemorySegment memory, UcxRequest request) {
        this.memory = memory;
        this.request = request;
    }

    /** Writes the head of a message. */
    void head(long link, long place, boolean isClose) {
        memory.set(LONG, 0, link);
        memory.set(LONG, PLACE, place << 1 | (isClose ? CLOSE : 0));
    }

    static long link(MemorySegment memory, long from) {
        return memory.get(LONG, from);
    }

    static long place(MemorySegment memory, long from) {
        return memory.get(LONG, from + PLACE) >>> 1;
    }

    static boolean isClose(MemorySegment memory, long from) {
        return (memory.get(LONG, from + PLACE) & CLOSE) != 0;
    }
}
