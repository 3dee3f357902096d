package io.teff.rdma.transport.ucx;

import io.teff.rdma.ucx.message.UcxMessage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The messages of a single call of progress, in the order of arrival. UCX hands out each message in a call during which
 * no endpoint may be made or closed. Events of links make and close endpoints. So messages are copied, and handed on
 * after the call.
 *
 * <pre>
 *  0            8                      8 + length      next multiple of 8
 * +------------+----------------------+---------------+
 * |  length    |  message             |  padding      |
 * +------------+----------------------+---------------+
 * </pre>
 *
 * <p>A call brings the content of the queues of UCX, mostly less than {@link #KEPT}. A message behind {@link #SIZE_MAX}
 * bytes is dropped, and the next message of the link finds a gap.
 */
final class Arrivals {
    static final int HEAD = 8;
    /** Bytes of memory for reuse. */
    private static final long KEPT = 512 << 10;
    private static final long SIZE_MAX = 64 << 20;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private MemorySegment memory = Arena.ofAuto().allocate(KEPT, Long.BYTES);
    private long end;

    /** Copies a message. Called in the handler of the message. */
    void add(UcxMessage message) {
        final long length = message.length();
        if (length < PieceLayout.HEAD || length > PieceLayout.SIZE || message.isRendezvous()) {
            return;                                             // the peer does not speak the protocol
        }
        final long next = end + HEAD + padded(length);
        if (next > memory.byteSize() && !grow(next)) {
            return;
        }
        memory.set(LONG, end, length);
        message.copyData(0, memory, end + HEAD, length);
        end = next;
    }

    private static long padded(long length) {
        return length + Long.BYTES - 1 & -Long.BYTES;
    }

    private boolean grow(long needed) {
        if (needed > SIZE_MAX) {
            return false;
        }
        final MemorySegment larger = Arena.ofAuto().allocate(Math.max(needed, 2 * memory.byteSize()), Long.BYTES);
        MemorySegment.copy(memory, 0, larger, 0, end);
        memory = larger;
        return true;
    }

    boolean isEmpty() {
        return end == 0;
    }

    MemorySegment memory() {
        return memory;
    }

    /** Returns the end of the last message; the first begins at 0. */
    long end() {
        return end;
    }

    /** Returns the length of the message at a place. The bytes of the message follow after {@link #HEAD}. */
    long length(long at) {
        return memory.get(LONG, at);
    }

    /** Returns the place of the next message behind a place. */
    long next(long at) {
        return at + HEAD + padded(length(at));
    }

    /** Forgets all messages. */
    void clear() {
        end = 0;
        if (memory.byteSize() > KEPT) {
            memory = Arena.ofAuto().allocate(KEPT, Long.BYTES);
        }
    }
}
