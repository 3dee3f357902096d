package io.teff.nio.selector.link;

import io.teff.rdma.ucx.worker.UcxWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The send buffers of all links of a worker, in two sizes. Their number grows with the pieces under way. Any thread.
 */
final class SendPool {
    /** Bytes of a stream in a small buffer. */
    static final int SMALL_BYTES = 1_000;
    private static final int SMALL_SLAB = 16;
    private static final int LARGE_SLAB = 4;

    private final UcxWorker worker;
    private final int largeSize;
    private final Arena arena = Arena.ofAuto();
    /** A small buffer, without a lock: most pieces are done at once, and give back what they have taken. */
    private final AtomicReference<@Nullable SendSlab> spare = new AtomicReference<>();
    private final ArrayDeque<SendSlab> small = new ArrayDeque<>(SMALL_SLAB);
    private final ArrayDeque<SendSlab> large = new ArrayDeque<>(LARGE_SLAB);

    SendPool(UcxWorker worker, int pieceBytesMax) {
        this.worker = worker;
        largeSize = StreamPieceLayout.HEAD + pieceBytesMax;
    }

    /** Takes a buffer for a head and a number of bytes. */
    SendSlab take(int bytes) {
        final SendSlab found = bytes <= SMALL_BYTES ? spare.getAndSet(null) : null;
        return found == null ? takeSlow(bytes) : found;
    }

    private synchronized SendSlab takeSlow(int bytes) {
        if (bytes <= SMALL_BYTES) {
            if (small.isEmpty()) {
                fill(small, SMALL_SLAB, StreamPieceLayout.HEAD + SMALL_BYTES);
            }
            return small.removeLast();
        }
        if (large.isEmpty()) {
            fill(large, LARGE_SLAB, largeSize);
        }
        return large.removeLast();
    }

    private void fill(ArrayDeque<SendSlab> pool, int count, int size) {
        final MemorySegment slab = arena.allocate((long) count * size, Long.BYTES);
        for (int i = 0; i < count; i++) {
            pool.add(new SendSlab(slab.asSlice((long) i * size, size), worker.request()));
        }
    }

    void giveBack(SendSlab buffer) {
        if (buffer.memory().byteSize() == largeSize || !spare.compareAndSet(null, buffer)) {
            giveBackSlow(buffer);
        }
    }

    private synchronized void giveBackSlow(SendSlab buffer) {
        (buffer.memory().byteSize() == largeSize ? large : small).addLast(buffer);
    }
}
