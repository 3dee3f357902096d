package io.teff.rdma.transport.ucx;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The layout of a piece, a single message of UCX.
 *
 * <pre>
 *  0                8                       16
 * +----------------+---------------------+-+------------
 * |  link number   |      place (63)     |C| bytes ...
 * +----------------+---------------------+-+------------
 * </pre>
 *
 * <p>The link number is the number of the receiver. The place counts the pieces of the link in this direction, from 0.
 * C marks CLOSE, the last piece, without bytes. All numbers are little-endian.
 *
 * <p>The size: UCX copies a message once if the message and the heads of UCX fit into a segment of shared memory (8,256
 * B) or of TCP (8 KiB). A message of this size is never put together from parts.
 */
final class PieceLayout {
    static final int HEAD = 16;
    static final int SIZE = 8_000;
    static final int BYTES_MAX = SIZE - HEAD;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int LINK = 0;
    private static final int PLACE = 8;
    private static final long CLOSE = 1;

    static {
        assert PLACE + Long.BYTES == HEAD : "fields must tile the head";
    }

    private PieceLayout() {}

    static void writeHead(MemorySegment memory, long link, long place, boolean isClose) {
        memory.set(LONG, LINK, link);
        memory.set(LONG, PLACE, place << 1 | (isClose ? CLOSE : 0));
    }

    static long link(MemorySegment memory, long from) {
        return memory.get(LONG, from + LINK);
    }

    static long place(MemorySegment memory, long from) {
        return memory.get(LONG, from + PLACE) >>> 1;
    }

    static boolean isClose(MemorySegment memory, long from) {
        return (memory.get(LONG, from + PLACE) & CLOSE) != 0;
    }
}
