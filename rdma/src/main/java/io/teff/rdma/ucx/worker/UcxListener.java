package io.teff.rdma.ucx.worker;

import io.teff.rdma.ffi.NativeObject;
import io.teff.rdma.ucx.UcxException;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.call.Callbacks;
import io.teff.rdma.ucx.call.IpAddresses;
import io.teff.rdma.ucx.call.SetupCall;
import io.teff.rdma.ucx.call.UcpLayout;
import io.teff.rdma.ucx.call.UcpLayout.Listener;
import io.teff.rdma.ucx.call.UcpLayout.PeerAddress;
import io.teff.rdma.ucx.call.WorkerProgress;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A socket address at which peers ask for connections. UCX reports their requests while the worker makes progress;
 * {@link #poll} hands them out.
 *
 * <p>Threads: as the worker. Closing a listener rejects all unanswered requests.
 */
public final class UcxListener extends NativeObject {
    /** Requests that may wait for an answer; further ones are rejected. */
    public static final int PENDING_MAX = 1024;

    private final WorkerProgress progress;
    /** The registry of callbacks holds this object weakly. */
    private final Callbacks.ConnectionTarget target = this::wanted;
    private final int callback;
    private final long pointer;
    private final Queue<UcxConnectionRequest> arrived = new ArrayDeque<>();
    /** Neither accepted nor rejected. */
    private final Set<UcxConnectionRequest> pending = new LinkedHashSet<>();

    private UcxListener(NativeObject worker, WorkerProgress progress, int callback, long pointer) {
        super("UCX listener", worker);
        this.progress = progress;
        this.callback = callback;
        this.pointer = pointer;
        Callbacks.set(callback, target);
    }

    static UcxListener make(NativeObject worker, WorkerProgress progress, InetSocketAddress address) {
        progress.take();
        try (Arena scratch = Arena.ofConfined()) {
            progress.requireNoHandler();
            final MemorySegment own = IpAddresses.write(address, scratch);
            final int callback = Callbacks.reserve();
            final MemorySegment parameters = scratch.allocate(Listener.SIZE, Long.BYTES);
            parameters.set(ValueLayout.JAVA_LONG, UcpLayout.FIELD_MASK,
                Listener.HAS_SOCKET_ADDRESS | Listener.HAS_CALLBACK);
            parameters.set(ValueLayout.JAVA_LONG, Listener.SOCKET_ADDRESS, own.address());
            parameters.set(ValueLayout.JAVA_INT, Listener.SOCKET_ADDRESS_LENGTH, (int) own.byteSize());
            parameters.set(ValueLayout.JAVA_LONG, Listener.CALLBACK, Callbacks.Stubs.CONNECTION_WANTED);
            parameters.set(ValueLayout.JAVA_LONG, Listener.ARGUMENT, callback);
            final MemorySegment out = scratch.allocate(ValueLayout.JAVA_LONG);
            final int code = SetupCall.LISTENER_CREATE.call(progress.pointer(), parameters.address(), out.address());
            if (code != 0) {
                Callbacks.remove(callback);
                throw new UcxException(SetupCall.LISTENER_CREATE.function(), UcxStatus.of(code), "at " + address);
            }
            return new UcxListener(worker, progress, callback, out.get(ValueLayout.JAVA_LONG, 0));
        } finally {
            progress.giveBack();
        }
    }

    /**
     * Returns the address, with the port that was chosen.
     *
     * @return address and port
     */
    public InetSocketAddress address() {
        progress.take();
        try (Arena scratch = Arena.ofConfined()) {
            requireOpen();
            final MemorySegment attributes = scratch.allocate(PeerAddress.SIZE, Long.BYTES);
            attributes.set(ValueLayout.JAVA_LONG, UcpLayout.FIELD_MASK, PeerAddress.HAS_ADDRESS);
            SetupCall.LISTENER_QUERY.run(pointer, attributes.address());
            return IpAddresses.read(attributes, PeerAddress.ADDRESS);
        } finally {
            progress.giveBack();
        }
    }

    /**
     * Returns the next request of a peer.
     *
     * @return null if there is none
     */
    public @Nullable UcxConnectionRequest poll() {
        progress.take();
        try {
            requireOpen();
            return arrived.poll();
        } finally {
            progress.giveBack();
        }
    }

    WorkerProgress progress() {
        return progress;
    }

    long pointer() {
        return pointer;
    }

    /** Keeps a request that UCX reports, within the progress of the worker; never throws. */
    private void wanted(long connection) {
        final UcxConnectionRequest request = new UcxConnectionRequest(this, connection);
        try {
            if (pending.size() >= PENDING_MAX || !isOpen()) {
                request.rejectNow();
            } else {
                pending.add(request);
                arrived.add(request);
            }
        } catch (RuntimeException | Error e) {
            progress.handlerFailed(e);
        }
    }

    void forget(UcxConnectionRequest request) {
        pending.remove(request);
    }

    @Override
    protected void free() {
        progress.takeToClose();
        try {
            progress.requireNoHandler();
            for (UcxConnectionRequest request : Set.copyOf(pending)) {
                request.rejectNow();
            }
            SetupCall.LISTENER_DESTROY.run(pointer);
        } finally {
            Callbacks.remove(callback);
            progress.giveBack();
        }
    }
}
