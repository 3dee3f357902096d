package io.teff.nio.selector.link;

import io.teff.rdma.ucx.worker.UcxWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/** The send buffers of all links of a worker. Their number grows with the pieces under way. Any thread. */
final class SendPool {
    private static final int SLAB = 16;

    private final UcxWorker worker;
    private final Arena arena = Arena.ofAuto();
    private final ArrayDeque<SendSlab> free = new ArrayDeque<>(SLAB);

    SendPool(UcxWorker worker) {
        this.worker = worker;
    }

    synchronized SendSlab take() {
        if (free.isEmpty()) {
            final MemorySegment slab = arena.allocate((long) SLAB * StreamPieceLayout.SIZE, Long.BYTES);
            for (int i = 0; i < SLAB; i++) {
                free.add(new SendSlab(slab.asSlice((long) i * StreamPieceLayout.SIZE, StreamPieceLayout.SIZE),
                    worker.request()));
            }
        }
        return free.removeLast();
    }

    synchronized void giveBack(SendSlab buffer) {
        free.addLast(buffer);
    }
}
