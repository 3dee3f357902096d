package io.teff.rdma.reads;

import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.memory.UcxRemoteMemory;
import io.teff.rdma.ucx.message.UcxRequest;
import io.teff.rdma.ucx.worker.UcxEndpoint;
import io.teff.rdma.ucx.worker.UcxWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory of a store, read by gets of UCX. A fence is a fence of the worker: UCX begins the operations behind the
 * fence after the end of the operations before the fence. So a round is a single wait.
 */
public final class UcxPeerMemory implements PeerMemory, AutoCloseable {
    private static final int READS = 8;

    private final MemoryTicket ticket;
    private final UcxWorker worker;
    private final long timeoutNs;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(BUFFER_BYTES, Long.BYTES);
    private final List<UcxRemoteMemory> parts = new ArrayList<>();
    private final UcxRequest[] requests = new UcxRequest[READS];
    private int count;

    /**
     * Reaches the memory of a peer.
     *
     * @param ticket of a {@link UcxOffer}
     * @param worker used by the reader's thread
     * @param endpoint of the worker, connected to a worker of the owner's context
     * @param timeout the longest time of a read; a peer that needs longer counts as lost
     */
    public UcxPeerMemory(MemoryTicket ticket, UcxWorker worker, UcxEndpoint endpoint, Duration timeout) {
        this.ticket = ticket;
        this.worker = worker;
        timeoutNs = timeout.toNanos();
        for (Part part : Part.values()) {
            parts.add(endpoint.remote(ticket.key(part)));
        }
        for (int i = 0; i < READS; i++) {
            requests[i] = worker.request();
        }
    }

    @Override
    public MemoryTicket ticket() {
        return ticket;
    }

    @Override
    public MemorySegment buffer() {
        return buffer;
    }

    @Override
    public void read(Part part, long offset, int length, long target) {
        if (count == READS) {
            await();
        }
        parts.get(part.ordinal()).get(buffer, target, length, offset, requests[count]);
        count++;
    }

    @Override
    public void fence() {
        worker.fence();
    }

    @Override
    public void await() {
        final int all = count;
        count = 0;
        for (int i = 0; i < all; i++) {
            final UcxStatus status = worker.await(requests[i], timeoutNs);
            if (status != UcxStatus.OK) {
                throw new PeerLostException("a read has failed: " + status);
            }
        }
    }

    /** Ends the remote memory and the buffer. The endpoint is the caller's. */
    @Override
    public void close() {
        parts.forEach(UcxRemoteMemory::close);
        arena.close();
    }
}
