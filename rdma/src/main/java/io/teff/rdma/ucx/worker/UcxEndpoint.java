package io.teff.rdma.ucx.worker;

import io.teff.rdma.ffi.NativeObject;
import io.teff.rdma.ucx.UcxException;
import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxMessageMode;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.call.Callbacks;
import io.teff.rdma.ucx.call.DataCalls;
import io.teff.rdma.ucx.call.EndpointCore;
import io.teff.rdma.ucx.call.IpAddresses;
import io.teff.rdma.ucx.call.Native;
import io.teff.rdma.ucx.call.Operations;
import io.teff.rdma.ucx.call.RequestState;
import io.teff.rdma.ucx.call.SetupCall;
import io.teff.rdma.ucx.call.UcpLayout;
import io.teff.rdma.ucx.call.UcpLayout.Endpoint;
import io.teff.rdma.ucx.call.UcpLayout.EndpointAttributes;
import io.teff.rdma.ucx.call.WorkerProgress;
import io.teff.rdma.ucx.memory.UcxRemoteMemory;
import io.teff.rdma.ucx.message.UcxRequest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a worker to a worker of a peer.
 *
 * <p>If the peer dies, or the connection breaks, the endpoint fails (with {@link UcxErrorMode#PEER}): operations end
 * with a status, {@link #failure} has the reason, and later operations have the status at once. A failed endpoint has
 * to be closed; a new one may connect again.
 *
 * <p>Threads: as the worker. Closing an endpoint destroys its remote memory.
 */
public final class UcxEndpoint extends NativeObject {
    private final EndpointCore core;
    private final WorkerProgress progress;
    private final UcxErrorMode errorMode;
    private final int callback;
    private final long pointer;
    private UcxCloseMode closeMode = UcxCloseMode.FLUSH;
    private boolean hasSentMessage;

    private UcxEndpoint(NativeObject worker, EndpointCore core, UcxErrorMode errorMode, int callback) {
        super("UCX endpoint", worker);
        this.core = core;
        this.errorMode = errorMode;
        this.callback = callback;
        progress = core.progress();
        pointer = core.pointer();
        Callbacks.set(callback, core);
    }

    // ---- creation ----

    static UcxEndpoint toWorker(NativeObject worker, WorkerProgress progress, byte[] address, UcxErrorMode mode) {
        try (Arena scratch = Arena.ofConfined()) {
            final MemorySegment parameters = scratch.allocate(Endpoint.SIZE, Long.BYTES);
            parameters.set(ValueLayout.JAVA_LONG, Endpoint.ADDRESS,
                Native.copyOf(address, 0, address.length, scratch).address());
            return make(worker, progress, mode, parameters, Endpoint.HAS_ADDRESS);
        }
    }

    static UcxEndpoint toListener(NativeObject worker, WorkerProgress progress, InetSocketAddress address,
            UcxErrorMode mode) {
        try (Arena scratch = Arena.ofConfined()) {
            final MemorySegment peer = IpAddresses.write(address, scratch);
            final MemorySegment parameters = scratch.allocate(Endpoint.SIZE, Long.BYTES);
            parameters.set(ValueLayout.JAVA_INT, Endpoint.FLAGS, Endpoint.CLIENT_SERVER);
            parameters.set(ValueLayout.JAVA_LONG, Endpoint.SOCKET_ADDRESS, peer.address());
            parameters.set(ValueLayout.JAVA_INT, Endpoint.SOCKET_ADDRESS_LENGTH, (int) peer.byteSize());
            return make(worker, progress, mode, parameters, Endpoint.HAS_FLAGS | Endpoint.HAS_SOCKET_ADDRESS);
        }
    }

    static UcxEndpoint toClient(NativeObject worker, WorkerProgress progress, UcxConnectionRequest request,
            UcxErrorMode mode) {
        try (Arena scratch = Arena.ofConfined()) {
            final MemorySegment parameters = scratch.allocate(Endpoint.SIZE, Long.BYTES);
            parameters.set(ValueLayout.JAVA_LONG, Endpoint.CONNECTION_REQUEST, request.take(progress.context()));
            return make(worker, progress, mode, parameters, Endpoint.HAS_CONNECTION_REQUEST);
        }
    }

    private static UcxEndpoint make(NativeObject worker, WorkerProgress progress, UcxErrorMode mode,
            MemorySegment parameters, long mask) {
        progress.take();
        try (Arena scratch = Arena.ofConfined()) {
            progress.requireNoHandler();
            final int callback = Callbacks.reserve();
            parameters.set(ValueLayout.JAVA_LONG, UcpLayout.FIELD_MASK,
                mask | Endpoint.HAS_ERROR_MODE | Endpoint.HAS_ERROR_HANDLER);
            parameters.set(ValueLayout.JAVA_INT, Endpoint.ERROR_MODE, mode.code());
            parameters.set(ValueLayout.JAVA_LONG, Endpoint.ERROR_CALLBACK, Callbacks.Stubs.ENDPOINT_FAILED);
            parameters.set(ValueLayout.JAVA_LONG, Endpoint.ERROR_ARGUMENT, callback);
            final MemorySegment out = scratch.allocate(ValueLayout.JAVA_LONG);
            final int code = SetupCall.ENDPOINT_CREATE.call(progress.pointer(), parameters.address(), out.address());
            if (code != 0) {
                Callbacks.remove(callback);
                throw new UcxException(SetupCall.ENDPOINT_CREATE.function(), UcxStatus.of(code), hint(mode));
            }
            final EndpointCore core = new EndpointCore(progress, out.get(ValueLayout.JAVA_LONG, 0));
            return new UcxEndpoint(worker, core, mode, callback);
        } finally {
            progress.giveBack();
        }
    }

    private static String hint(UcxErrorMode mode) {
        return mode == UcxErrorMode.PEER
            ? "shared memory detects dead peers only with the setting MM_ERROR_HANDLING=y" : "";
    }

    // ---- messages ----

    /**
     * Begins to send a tagged message. The request is done when the buffer can be used again. Needs {@link
     * UcxFeature#TAG}.
     *
     * @param buffer outside of the heap; belongs to UCX until the request is done
     * @param offset in the buffer, in bytes
     * @param length in bytes
     * @param tag of the message
     * @param request that is idle
     */
    public void tagSend(MemorySegment buffer, long offset, long length, long tag, UcxRequest request) {
        progress.take();
        try {
            final long source = Native.source(buffer, offset, length);
            final RequestState state = RequestState.of(request);
            if (isReady(UcxFeature.TAG, RequestState.Kind.PLAIN, buffer, state)) {
                state.started(DataCalls.tagSend(pointer, source, length, tag, Operations.PLAIN));
            }
        } finally {
            progress.giveBack();
        }
    }

    /**
     * Begins to send a tagged message. The request is done when a receive of the peer has met the message. Needs {@link
     * UcxFeature#TAG}.
     *
     * @param buffer outside of the heap; belongs to UCX until the request is done
     * @param offset in the buffer, in bytes
     * @param length in bytes
     * @param tag of the message
     * @param request that is idle
     */
    public void tagSendSync(MemorySegment buffer, long offset, long length, long tag, UcxRequest request) {
        progress.take();
        try {
            final long source = Native.source(buffer, offset, length);
            final RequestState state = RequestState.of(request);
            if (isReady(UcxFeature.TAG, RequestState.Kind.PLAIN, buffer, state)) {
                state.started(DataCalls.tagSendSync(pointer, source, length, tag, Operations.PLAIN));
            }
        } finally {
            progress.giveBack();
        }
    }

    /**
     * Begins to send an active message to the peer's handler. The request is done when both buffers can be used again.
     * Needs {@link UcxFeature#ACTIVE_MESSAGE}.
     *
     * <p>The first active message of an endpoint leaves when both workers know each other: UCX has got the answer to
     * its request for the connection. So a peer that connects back behind this message may close its endpoint at any
     * time.
     *
     * @param id number of the handler
     * @param header outside of the heap; belongs to UCX until the request is done
     * @param headerOffset in the header's segment, in bytes
     * @param headerLength in bytes, at most {@link UcxWorker#headerMax}
     * @param buffer the data, as the header
     * @param offset in the buffer, in bytes
     * @param length in bytes
     * @param mode how the data travels
     * @param request that is idle
     */
    public void send(int id, MemorySegment header, long headerOffset, long headerLength, MemorySegment buffer,
            long offset, long length, UcxMessageMode mode, UcxRequest request) {
        if (id < 0 || id >= WorkerProgress.MESSAGE_IDS) {
            throw new IllegalArgumentException("id=" + id);
        }
        if (headerLength > progress.headerMax()) {
            throw new IllegalArgumentException("headerLength=" + headerLength + ", limit " + progress.headerMax());
        }
        progress.take();
        try {
            final long head = Native.source(header, headerOffset, headerLength);
            final long source = Native.source(buffer, offset, length);
            final RequestState state = RequestState.of(request);
            if (isReady(UcxFeature.ACTIVE_MESSAGE, RequestState.Kind.PLAIN, buffer, state)) {
                state.alsoUses(header);
                final long operation =
                    hasSentMessage ? Operations.activeMessage(mode) : Operations.firstActiveMessage(mode);
                hasSentMessage = true;
                state.started(DataCalls.activeSend(pointer, id, head, headerLength, source, length, operation));
            }
        } finally {
            progress.giveBack();
        }
    }

    /**
     * Begins to send bytes of the stream to the peer. Needs {@link UcxFeature#STREAM}.
     *
     * @param buffer outside of the heap; belongs to UCX until the request is done
     * @param offset in the buffer, in bytes
     * @param length in bytes
     * @param request that is idle
     */
    public void streamSend(MemorySegment buffer, long offset, long length, UcxRequest request) {
        progress.take();
        try {
            final long source = Native.source(buffer, offset, length);
            final RequestState state = RequestState.of(request);
            if (isReady(UcxFeature.STREAM, RequestState.Kind.PLAIN, buffer, state)) {
                state.started(DataCalls.streamSend(pointer, source, length, Operations.PLAIN));
            }
        } finally {
            progress.giveBack();
        }
    }

    /**
     * Begins to receive bytes of the stream from the peer. Needs {@link UcxFeature#STREAM}.
     *
     * @param buffer outside of the heap; belongs to UCX until the request is done
     * @param offset in the buffer, in bytes
     * @param length in bytes
     * @param isWholeWanted whether the request is done with {@code length} bytes only; else it is done with any bytes
     * @param request that is idle; its {@link UcxRequest#length} counts the bytes
     */
    public void streamReceive(MemorySegment buffer, long offset, long length, boolean isWholeWanted,
            UcxRequest request) {
        progress.take();
        try {
            final long target = Native.target(buffer, offset, length);
            final RequestState state = RequestState.of(request);
            if (isReady(UcxFeature.STREAM, RequestState.Kind.STREAM_RECEIVE, buffer, state)) {
                state.started(DataCalls.streamReceive(pointer, target, length, state.lengthAddress(),
                    isWholeWanted ? Operations.STREAM_WAIT_ALL : Operations.PLAIN));
            }
        } finally {
            progress.giveBack();
        }
    }

    /**
     * Begins to wait for the operations of this endpoint: when the request is done, they are complete at the peer.
     *
     * @param request that is idle
     */
    public void flush(UcxRequest request) {
        progress.take();
        try {
            requireOpen();
            final RequestState state = RequestState.of(request);
            if (core.begin(state, RequestState.Kind.PLAIN, null)) {
                state.started(DataCalls.endpointFlush(pointer, Operations.PLAIN));
            }
        } finally {
            progress.giveBack();
        }
    }

    /** Makes a request busy; false if the endpoint has failed, which is then the request's outcome. */
    private boolean isReady(UcxFeature feature, RequestState.Kind kind, MemorySegment buffer, RequestState request) {
        requireOpen();
        progress.context().require(feature);
        return core.begin(request, kind, buffer);
    }

    // ---- remote memory and state ----

    /**
     * Opens memory of the peer. Needs {@link UcxFeature#REMOTE_MEMORY} or an atomic one.
     *
     * @param key of a {@link io.teff.rdma.ucx.memory.UcxMemory} of the peer
     * @return open until it or this endpoint is closed
     * @throws IllegalArgumentException if the bytes are damaged
     * @throws UcxException if the memory cannot be reached, for example because it was closed
     */
    public UcxRemoteMemory remote(byte[] key) {
        return create(() -> UcxRemoteMemory.open(this, core, key), this);
    }

    /**
     * Returns why the endpoint has failed.
     *
     * @return null if it has not
     */
    public @Nullable UcxStatus failure() {
        return core.failure();
    }

    /**
     * Returns the own address of a connection that was made by socket addresses.
     *
     * @return address and port
     * @throws UcxException if the connection has no such address, or no address yet
     */
    public InetSocketAddress localAddress() {
        return address(EndpointAttributes.HAS_LOCAL_ADDRESS, EndpointAttributes.LOCAL_ADDRESS);
    }

    /**
     * Returns the peer's address of a connection that was made by socket addresses.
     *
     * @return address and port
     * @throws UcxException if the connection has no such address, or no address yet
     */
    public InetSocketAddress remoteAddress() {
        return address(EndpointAttributes.HAS_REMOTE_ADDRESS, EndpointAttributes.REMOTE_ADDRESS);
    }

    private InetSocketAddress address(long mask, long offset) {
        progress.take();
        try (Arena scratch = Arena.ofConfined()) {
            requireOpen();
            final MemorySegment attributes = scratch.allocate(EndpointAttributes.SIZE, Long.BYTES);
            attributes.set(ValueLayout.JAVA_LONG, UcpLayout.FIELD_MASK, mask);
            SetupCall.ENDPOINT_QUERY.run(pointer, attributes.address());
            return IpAddresses.read(attributes, offset);
        } finally {
            progress.giveBack();
        }
    }

    /**
     * Closes the endpoint in a given way; {@link #close()} flushes.
     *
     * @param mode what happens to operations under way
     */
    public void close(UcxCloseMode mode) {
        closeMode = mode;
        close();
    }

    @Override
    protected void free() {
        progress.takeToClose();
        try {
            progress.requireNoHandler();
            boolean isForced = errorMode == UcxErrorMode.PEER
                && (core.failure() != null || closeMode == UcxCloseMode.FORCE);
            if (!isForced) {
                final UcxStatus flushed = progress.settle(DataCalls.endpointFlush(pointer, Operations.PLAIN));
                final boolean isIdle = flushed == UcxStatus.OK && progress.settleAllOf(core);
                isForced = errorMode == UcxErrorMode.PEER && !isIdle;
            }
            progress.settle(DataCalls.endpointClose(pointer, isForced ? Operations.CLOSE_FORCE : Operations.PLAIN));
        } finally {
            Callbacks.remove(callback);
            progress.giveBack();
        }
    }
}
