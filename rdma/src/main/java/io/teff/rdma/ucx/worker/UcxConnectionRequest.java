package io.teff.rdma.ucx.worker;

import io.teff.rdma.ucx.call.ContextCore;
import io.teff.rdma.ucx.call.IpAddresses;
import io.teff.rdma.ucx.call.SetupCall;
import io.teff.rdma.ucx.call.UcpLayout;
import io.teff.rdma.ucx.call.UcpLayout.PeerAddress;
import io.teff.rdma.ucx.call.WorkerProgress;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;

/**
 * The wish of a peer to connect. It has to be accepted, by {@link UcxWorker#accept}, or rejected; a listener that is
 * closed rejects the rest.
 */
public final class UcxConnectionRequest {
    private final UcxListener listener;
    /** 0 once it was accepted or rejected; guarded by the turn of the listener's worker. */
    private long pointer;

    UcxConnectionRequest(UcxListener listener, long pointer) {
        this.listener = listener;
        this.pointer = pointer;
    }

    /**
     * Returns the address of the peer.
     *
     * @return address and port
     */
    public InetSocketAddress clientAddress() {
        final WorkerProgress progress = listener.progress();
        progress.take();
        try (Arena scratch = Arena.ofConfined()) {
            requirePending();
            final MemorySegment attributes = scratch.allocate(PeerAddress.SIZE, Long.BYTES);
            attributes.set(ValueLayout.JAVA_LONG, UcpLayout.FIELD_MASK, PeerAddress.HAS_ADDRESS);
            SetupCall.CONNECTION_QUERY.run(pointer, attributes.address());
            return IpAddresses.read(attributes, PeerAddress.ADDRESS);
        } finally {
            progress.giveBack();
        }
    }

    /** Refuses the connection: the peer's endpoint fails with {@link io.teff.rdma.ucx.UcxStatus#REJECTED}. */
    public void reject() {
        final WorkerProgress progress = listener.progress();
        progress.take();
        try {
            requirePending();
            rejectNow();
        } finally {
            progress.giveBack();
        }
    }

    /** Rejects the request if it is pending. Within the turn. */
    void rejectNow() {
        if (pointer != 0) {
            listener.forget(this);
            final long request = pointer;
            pointer = 0;
            SetupCall.LISTENER_REJECT.run(listener.pointer(), request);
        }
    }

    /** Hands the request over to an accepting worker. */
    long take(ContextCore context) {
        final WorkerProgress progress = listener.progress();
        progress.take();
        try {
            requirePending();
            if (context != progress.context()) {
                throw new IllegalArgumentException("the worker belongs to another context than the listener");
            }
            listener.forget(this);
            final long request = pointer;
            pointer = 0;
            return request;
        } finally {
            progress.giveBack();
        }
    }

    private void requirePending() {
        if (pointer == 0) {
            throw new IllegalStateException("the request was accepted or rejected already");
        }
    }
}
