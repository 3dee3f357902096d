package io.teff.rdma.transport.ucx;

import io.teff.rdma.ucx.worker.UcxWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * The send buffers of a worker. Their number grows with the pieces under way. The buffers live until the worker is
 * closed, because requests of UCX live as long.
 *
 * <p>A link has at most {@link #LINK_MAX} buffers. If {@link #SHARED_MAX} buffers are in use, because peers stand
 * still, each link gets a single buffer at a time. So peers that stand still take no buffers from healthy links.
 */
final class SendBuffers {
    /** Buffers of a link under way. */
    static final int LINK_MAX = 16;
    /** From this number of buffers in use on, each link gets a single buffer. */
    static final int SHARED_MAX = 2_048;

    private static final int SLAB = 16;

    private final UcxWorker worker;
    private final Arena arena = Arena.ofAuto();
    private final ArrayDeque<SendBuffer> free = new ArrayDeque<>(SLAB);
    private int inUse;

    SendBuffers(UcxWorker worker) {
        this.worker = worker;
    }

    /** Returns whether a link with a number of buffers under way may take a further buffer. */
    boolean hasRoom(int underWay) {
        return underWay < (inUse < SHARED_MAX ? LINK_MAX : 1);
    }

    SendBuffer take() {
        if (free.isEmpty()) {
            final MemorySegment slab = arena.allocate((long) SLAB * PieceLayout.SIZE, Long.BYTES);
            for (int i = 0; i < SLAB; i++) {
                free.add(new SendBuffer(slab.asSlice((long) i * PieceLayout.SIZE, PieceLayout.SIZE), worker.request()));
            }
        }
        inUse++;
        return free.removeLast();
    }

    /** Takes a buffer back. The request of the buffer is done. */
    void giveBack(SendBuffer buffer) {
        assert buffer.request().isDone();
        inUse--;
        free.addLast(buffer);
    }

    int inUse() {
        return inUse;
    }
}
