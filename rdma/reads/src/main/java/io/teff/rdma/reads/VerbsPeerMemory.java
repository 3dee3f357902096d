package io.teff.rdma.reads;

import io.teff.rdma.verbs.device.Access;
import io.teff.rdma.verbs.device.MemoryRegion;
import io.teff.rdma.verbs.device.ProtectionDomain;
import io.teff.rdma.verbs.queue.CompletionQueue;
import io.teff.rdma.verbs.queue.Completions;
import io.teff.rdma.verbs.queue.QueuePair;
import io.teff.rdma.verbs.queue.SendBatch;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The memory of a store, read by RDMA READ. A fence is the flag of this name: the device begins a fenced request after
 * the end of all earlier reads. So a round is a single chain of requests and a single wait. A wait polls.
 */
public final class VerbsPeerMemory implements PeerMemory, AutoCloseable {
    private static final int READS = 8;
    private static final long READ = 1;

    private final MemoryTicket ticket;
    private final QueuePair pair;
    private final CompletionQueue queue;
    private final MemoryRegion region;
    private final long[] addresses = new long[Part.values().length];
    private final int[] keys = new int[Part.values().length];
    private final SendBatch batch = new SendBatch(READS, 1);
    private final Completions completions = new Completions(1);
    private boolean isFenced;

    /**
     * Reaches the memory of a peer.
     *
     * @param ticket of a {@link VerbsOffer}
     * @param pair a reliable queue pair, connected to a queue pair of the owner, with room for 8 sends
     * @param queue takes the completions of the queue pair, and no further completions
     * @param domain of the queue pair
     */
    public VerbsPeerMemory(MemoryTicket ticket, QueuePair pair, CompletionQueue queue, ProtectionDomain domain) {
        this.ticket = ticket;
        this.pair = pair;
        this.queue = queue;
        for (Part part : Part.values()) {
            final ByteBuffer key = ByteBuffer.wrap(ticket.key(part)).order(ByteOrder.LITTLE_ENDIAN);
            if (key.remaining() != VerbsOffer.KEY_BYTES) {
                throw new IllegalArgumentException("ticket: no keys of verbs");
            }
            addresses[part.ordinal()] = key.getLong();
            keys[part.ordinal()] = key.getInt();
        }
        region = domain.allocate(BUFFER_BYTES, Access.LOCAL_WRITE);
    }

    @Override
    public MemoryTicket ticket() {
        return ticket;
    }

    @Override
    public MemorySegment buffer() {
        return region.memory();
    }

    @Override
    public void read(Part part, long offset, int length, long target) {
        batch.read(READ, addresses[part.ordinal()] + offset, keys[part.ordinal()]).add(region, target, length);
        if (isFenced) {
            batch.fenced();
            isFenced = false;
        }
    }

    @Override
    public void fence() {
        isFenced = true;
    }

    @Override
    public void await() {
        batch.signalled();                                      // the last request ends after all requests
        isFenced = false;
        pair.post(batch);
        while (queue.poll(completions) == 0) {
            // the queue pair fails if the peer does not answer
        }
        if (!completions.isSuccess(0)) {
            throw new PeerLostException("a read has failed: " + completions.failure(0));
        }
    }

    /** Ends the buffer. The queue pair is the caller's. */
    @Override
    public void close() {
        region.close();
    }
}
