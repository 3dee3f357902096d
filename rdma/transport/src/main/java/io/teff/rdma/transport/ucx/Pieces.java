package io.teff.rdma.transport.ucx;

import io.teff.rdma.ucx.worker.UcxWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * The pieces of a worker. Their number grows with the messages under way at once; they are kept until the worker is
 * closed, because requests of UCX live as long.
 *
 * <p>A link has at most {@link #LINK_MAX}. When half of {@link #SHARED_MAX} are in use, as of peers that stand still, a
 * link gets one at a time, so peers that stand still take no other link's turn.
 */
final class Pieces {
    /** Pieces of one link under way. */
    static final int LINK_MAX = 16;
    /** Pieces in use at which links get one each. */
    static final int SHARED_MAX = 2_048;

    private static final int SLAB = 16;

    private final UcxWorker worker;
    private final Arena arena = Arena.ofAuto();
    private final ArrayDeque<Piece> free = new ArrayDeque<>(SLAB);
    private int inUse;

    Pieces(UcxWorker worker) {
        this.worker = worker;
    }

    /** Returns whether a link that has a number of pieces under way may take another one. */
    boolean hasRoom(int underWay) {
        return underWay < (inUse < SHARED_MAX ? LINK_MAX : 1);
    }

    Piece take() {
        if (free.isEmpty()) {
            final MemorySegment slab = arena.allocate((long) SLAB * Piece.SIZE, Long.BYTES);
            for (int i = 0; i < SLAB; i++) {
                free.add(new Piece(slab.asSlice((long) i * Piece.SIZE, Piece.SIZE), worker.request()));
            }
        }
        inUse++;
        return free.removeLast();
    }

    /** Takes a piece back whose request is done. */
    void giveBack(Piece piece) {
        assert piece.request.isDone();
        inUse--;
        free.addLast(piece);
    }

    int inUse() {
        return inUse;
    }
}
