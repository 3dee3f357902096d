package io.teff.rdma.verbs.queue;

import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.device.MemoryRegion;
import java.lang.foreign.ValueLayout;

/**
 * Receives that are posted together, built in place: begin one by {@link #receive}, and say by {@link #add} where its
 * bytes go. Allocates nothing after its creation. Belongs to one thread at a time.
 *
 * <p>A receive takes one message of the peer. The batch may be used again at once after posting; the named memory
 * belongs to the device until the completion.
 */
public final class ReceiveBatch extends RequestChain {
    /**
     * Creates a batch.
     *
     * @param capacity receives that have room
     * @param segments pieces of memory of each receive
     */
    public ReceiveBatch(int capacity, int segments) {
        super("ibv_post_recv", capacity, segments, VerbsLayout.RECV_SIZE, 0, VerbsLayout.RECV_NEXT);
    }

    /** Forgets all receives that were not posted. */
    public void clear() {
        reset();
    }

    /**
     * Begins a receive. Without {@link #add} it takes a message without bytes, such as that of a write with immediate
     * data.
     *
     * @param workId comes back with the completion
     * @return this batch
     * @throws IllegalStateException if the batch is full
     */
    public ReceiveBatch receive(long workId) {
        final long base = begin();
        memory().set(ValueLayout.JAVA_LONG, base + VerbsLayout.RECV_WR_ID, workId);
        memory().set(ValueLayout.JAVA_LONG, base + VerbsLayout.RECV_SG_LIST, segments(base));
        memory().set(ValueLayout.JAVA_INT, base + VerbsLayout.RECV_NUM_SGE, 0);
        return this;
    }

    /**
     * Adds a piece of memory to the newest receive.
     *
     * @param region with the right to write locally
     * @param offset of the first byte
     * @param length in bytes
     * @return this batch
     * @throws IndexOutOfBoundsException if it is not within the region
     * @throws IllegalStateException if the receive has no room for it, or the region is closed
     */
    public ReceiveBatch add(MemoryRegion region, long offset, int length) {
        final int count = segment(region.part(offset, length), length, region.localKey());
        memory().set(ValueLayout.JAVA_INT, current() + VerbsLayout.RECV_NUM_SGE, count);
        return this;
    }
}
