package io.teff.rdma.ucx.worker;

import io.teff.rdma.ffi.NativeObject;
import io.teff.rdma.ucx.UcxException;
import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.call.Callbacks;
import io.teff.rdma.ucx.call.ContextCore;
import io.teff.rdma.ucx.call.DataCalls;
import io.teff.rdma.ucx.call.Envelope;
import io.teff.rdma.ucx.call.Native;
import io.teff.rdma.ucx.call.Operations;
import io.teff.rdma.ucx.call.RequestState;
import io.teff.rdma.ucx.call.SetupCall;
import io.teff.rdma.ucx.call.UcpLayout;
import io.teff.rdma.ucx.call.UcpLayout.Handler;
import io.teff.rdma.ucx.call.UcpLayout.Worker;
import io.teff.rdma.ucx.call.UcpLayout.WorkerAttributes;
import io.teff.rdma.ucx.call.WorkerProgress;
import io.teff.rdma.ucx.message.UcxMessage;
import io.teff.rdma.ucx.message.UcxMessageHandler;
import io.teff.rdma.ucx.message.UcxRequest;
import io.teff.rdma.ucx.message.UcxTagMessage;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A worker of UCX: an independent engine of communication with its own queues, endpoints and events.
 *
 * <p>No thread of UCX moves operations: {@link #progress} does it, and has to be called again and again by the owner.
 * Threads: see {@link UcxThreadMode}. {@link #signal} is for any thread.
 *
 * <p>Closing a worker closes its listeners and endpoints, cancels receives, and waits for other operations as long as
 * the close timeout. All its requests are done afterwards. If UCX still has operations then, because a peer stalls, the
 * worker stays in memory and close throws {@link UcxException}: UCX ends the process if a worker is destroyed too
 * early.
 */
public final class UcxWorker extends NativeObject {
    /** The limit of the numbers of active messages. */
    public static final int MESSAGE_IDS = WorkerProgress.MESSAGE_IDS;

    private final ContextCore context;
    private final WorkerProgress progress;
    private final Arena arena;
    private final WorkerEvents events;
    private final Map<Integer, Callbacks.MessageTarget> handlers = new HashMap<>();
    /** Ids below this limit have a handler in UCX; the handler may be empty. */
    private int messageIdsEnd;
    private final List<Integer> callbacks = new ArrayList<>();
    private final long pointer;

    private UcxWorker(NativeObject owner, ContextCore context, UcxThreadMode mode, Arena arena, long pointer,
            long headerMax) {
        super("UCX worker", owner);
        this.context = context;
        this.arena = arena;
        this.pointer = pointer;
        progress = new WorkerProgress(this, context, mode, pointer, headerMax);
        events = new WorkerEvents(progress);
    }

    static UcxWorker make(NativeObject owner, ContextCore context, UcxThreadMode mode) {
        try (Arena scratch = Arena.ofConfined()) {
            final MemorySegment parameters = scratch.allocate(Worker.SIZE, Long.BYTES);
            parameters.set(ValueLayout.JAVA_LONG, UcpLayout.FIELD_MASK, Worker.HAS_THREAD_MODE);
            parameters.set(ValueLayout.JAVA_INT, Worker.THREAD_MODE, mode.code());
            final MemorySegment out = scratch.allocate(ValueLayout.JAVA_LONG);
            SetupCall.WORKER_CREATE.run(context.pointer(), parameters.address(), out.address());
            final long pointer = out.get(ValueLayout.JAVA_LONG, 0);
            final MemorySegment attributes = scratch.allocate(WorkerAttributes.SIZE, Long.BYTES);
            attributes.set(ValueLayout.JAVA_LONG, UcpLayout.FIELD_MASK, WorkerAttributes.HAS_HEADER_MAX);
            SetupCall.WORKER_QUERY.run(pointer, attributes.address());
            return new UcxWorker(owner, context, mode, Arena.ofShared(), pointer,
                attributes.get(ValueLayout.JAVA_LONG, WorkerAttributes.HEADER_MAX));
        }
    }

    // ---- requests and progress ----

    /**
     * Makes a request, which lives as long as this worker.
     *
     * @return idle
     */
    public UcxRequest request() {
        take();
        try {
            final RequestState state = new RequestState(progress, arena);
            progress.add(state);
            return new UcxRequest(state);
        } finally {
            giveBack();
        }
    }

    /**
     * Moves all operations, and runs handlers.
     *
     * @return how many events there were; 0 if there was nothing to do
     * @throws IllegalStateException within a handler
     */
    public int progress() {
        return progress.run();
    }

    /**
     * Makes progress as {@link #progress}, unless another thread uses the worker at this moment.
     *
     * @return how many events there were; -1 if another thread uses the worker
     * @throws IllegalStateException within a handler
     */
    public int tryProgress() {
        return progress.tryRun();
    }

    /**
     * Makes progress until an operation is done.
     *
     * @param request of this worker
     * @param timeoutNs in nanoseconds
     * @return the outcome; {@link UcxStatus#IN_PROGRESS} if the time is over
     */
    public UcxStatus await(UcxRequest request, long timeoutNs) {
        final long begin = progress.clock().nowNs();
        int rounds = 0;
        while (!request.isDone()) {
            if (progress() == 0) {
                if (progress.clock().nowNs() - begin >= timeoutNs) {
                    return UcxStatus.IN_PROGRESS;
                }
                rounds = WorkerProgress.pause(rounds);
            }
        }
        return request.status();
    }

    /**
     * Orders operations: later operations of an endpoint reach the peer after earlier operations of the same endpoint.
     *
     * @throws UcxException if UCX cannot do that
     */
    public void fence() {
        take();
        try {
            UcxException.check("ucp_worker_fence", DataCalls.fence(pointer));
        } finally {
            giveBack();
        }
    }

    /**
     * Begins to wait for all operations of all endpoints: when the request is done, the operations are complete at the
     * peers.
     *
     * @param request that is idle
     */
    public void flush(UcxRequest request) {
        take();
        try {
            final RequestState state = RequestState.of(request);
            state.begin(progress, RequestState.Kind.PLAIN, null);
            state.started(DataCalls.workerFlush(pointer, Operations.PLAIN));
        } finally {
            giveBack();
        }
    }

    // ---- events ----

    /**
     * Returns a descriptor that becomes readable at the next event after {@link #arm}, for poll or epoll. It belongs to
     * the worker. Needs {@link UcxFeature#WAKEUP}.
     *
     * @return a file descriptor
     */
    public int eventDescriptor() {
        return events.descriptor();
    }

    /**
     * Prepares for sleep. Needs {@link UcxFeature#WAKEUP}.
     *
     * @return false if there are events, so that {@link #progress} must be called before
     */
    public boolean arm() {
        return events.arm();
    }

    /**
     * Sleeps until there are events, and makes progress. Needs {@link UcxFeature#WAKEUP}. Meanwhile the worker is free
     * for all threads that the mode allows.
     *
     * @param timeoutNs in nanoseconds; a part of a millisecond counts as one
     * @return whether there was anything to do, or a {@link #signal}; false if the time is over
     */
    public boolean sleep(long timeoutNs) {
        return events.sleep(timeoutNs, WorkerEvents.NONE);
    }

    /**
     * Sleeps as {@link #sleep(long)}, and ends also when another descriptor becomes readable.
     *
     * @param timeoutNs in nanoseconds; a part of a millisecond counts as one
     * @param descriptor an open file descriptor for which poll works, such as that of an epoll
     * @return whether there was anything to do, or a {@link #signal}; false if the descriptor is readable, or the time
     *     is over
     */
    public boolean sleep(long timeoutNs, int descriptor) {
        if (descriptor < 0) {
            throw new IllegalArgumentException("descriptor=" + descriptor);
        }
        return events.sleep(timeoutNs, descriptor);
    }

    /** Ends a {@link #sleep}, or makes the event descriptor readable. For any thread. */
    public void signal() {
        events.signal();
    }

    // ---- peers ----

    /**
     * Returns the address by which peers connect to this worker.
     *
     * @return some hundred bytes, with a checksum
     */
    public byte[] address() {
        take();
        try (Arena scratch = Arena.ofConfined()) {
            final MemorySegment out = scratch.allocate(ValueLayout.JAVA_LONG);
            final MemorySegment length = scratch.allocate(ValueLayout.JAVA_LONG);
            SetupCall.WORKER_ADDRESS.run(pointer, out.address(), length.address());
            final long bytes = out.get(ValueLayout.JAVA_LONG, 0);
            try {
                return Envelope.seal(Envelope.Kind.ADDRESS,
                    Native.bytes(bytes, Math.toIntExact(length.get(ValueLayout.JAVA_LONG, 0))));
            } finally {
                SetupCall.WORKER_ADDRESS_RELEASE.run(pointer, bytes);
            }
        } finally {
            giveBack();
        }
    }

    /**
     * Connects to a worker by its address. The connection is made while both sides make progress.
     *
     * @param address of the peer's worker
     * @param mode how a peer that dies is treated; the peer must use the same mode
     * @return usable at once
     * @throws IllegalArgumentException if the bytes are damaged
     * @throws UcxException if no transport reaches the peer in this mode
     */
    public UcxEndpoint connect(byte[] address, UcxErrorMode mode) {
        final byte[] body = Envelope.open(Envelope.Kind.ADDRESS, address);
        return create(() -> UcxEndpoint.toWorker(this, progress, body, mode), this);
    }

    /**
     * Checks the address of a worker before anything is connected.
     *
     * @param address as from {@link #address}
     * @throws IllegalArgumentException if the bytes are no address, or were damaged on their way
     */
    public static void checkAddress(byte[] address) {
        Envelope.open(Envelope.Kind.ADDRESS, address);
    }

    /**
     * Connects to a listener. Whether it is there shows later: see {@link UcxEndpoint#failure}.
     *
     * @param address of the listener
     * @param mode how a peer that dies is treated; the peer must use the same mode
     * @return usable at once
     */
    public UcxEndpoint connect(InetSocketAddress address, UcxErrorMode mode) {
        return create(() -> UcxEndpoint.toListener(this, progress, address, mode), this);
    }

    /**
     * Accepts a connection. The worker need not be the worker of the listener.
     *
     * @param request that was neither accepted nor rejected
     * @param mode how a peer that dies is treated; the peer must use the same mode
     * @return usable at once
     */
    public UcxEndpoint accept(UcxConnectionRequest request, UcxErrorMode mode) {
        return create(() -> UcxEndpoint.toClient(this, progress, request, mode), this);
    }

    /**
     * Listens for connections.
     *
     * @param address port 0 for any free one
     * @return open until it or this worker is closed
     */
    public UcxListener listen(InetSocketAddress address) {
        return create(() -> UcxListener.make(this, progress, address), this);
    }

    /**
     * Returns how many endpoints of this worker have failed so far, closed ones included. Whoever has many endpoints
     * looks at {@link UcxEndpoint#failure} of each only when this number has changed.
     *
     * @return counts from 0, and rises within calls of the worker
     */
    public long failureCount() {
        return progress.failureCount();
    }

    // ---- tagged messages ----

    /**
     * Begins to receive a tagged message of any peer. Needs {@link UcxFeature#TAG}.
     *
     * @param buffer outside of the heap; belongs to UCX until the request is done
     * @param offset in the buffer, in bytes
     * @param length limit of the message, in bytes
     * @param tag that the message must have
     * @param mask bits of the tag that count
     * @param request that is idle; its {@link UcxRequest#tag} and {@link UcxRequest#length} describe the message
     */
    public void tagReceive(MemorySegment buffer, long offset, long length, long tag, long mask, UcxRequest request) {
        take();
        try {
            context.require(UcxFeature.TAG);
            final long target = Native.target(buffer, offset, length);
            final RequestState state = RequestState.of(request);
            state.begin(progress, RequestState.Kind.TAG_RECEIVE, buffer);
            state.started(DataCalls.tagReceive(pointer, target, length, tag, mask, Operations.TAG_RECEIVE));
        } finally {
            giveBack();
        }
    }

    /**
     * Makes a place for messages of probes. The place lives as long as this worker.
     *
     * @return without a message
     */
    public UcxTagMessage tagMessage() {
        take();
        try {
            return new UcxTagMessage(progress, arena);
        } finally {
            giveBack();
        }
    }

    /**
     * Looks for an arrived message without a receive. The message stays.
     *
     * @param tag that the message must have
     * @param mask bits of the tag that count
     * @param message gets tag and length
     * @return whether there is one
     */
    public boolean tagProbe(long tag, long mask, UcxTagMessage message) {
        return probe(tag, mask, message, false);
    }

    /**
     * Takes an arrived message without a receive: no receive can meet the message afterwards.
     *
     * @param tag that the message must have
     * @param mask bits of the tag that count
     * @param message without a taken message; gets this one
     * @return whether there is one
     */
    public boolean tagTake(long tag, long mask, UcxTagMessage message) {
        return probe(tag, mask, message, true);
    }

    private boolean probe(long tag, long mask, UcxTagMessage message, boolean isTaking) {
        take();
        try {
            context.require(UcxFeature.TAG);
            return message.probe(progress, tag, mask, isTaking);
        } finally {
            giveBack();
        }
    }

    /**
     * Begins to receive a message that was taken.
     *
     * @param message taken from this worker
     * @param buffer outside of the heap; belongs to UCX until the request is done
     * @param offset in the buffer, in bytes
     * @param length limit of the message, in bytes
     * @param request that is idle
     */
    public void tagReceive(UcxTagMessage message, MemorySegment buffer, long offset, long length,
            UcxRequest request) {
        take();
        try {
            message.receive(progress, buffer, offset, length, request);
        } finally {
            giveBack();
        }
    }

    // ---- active messages ----

    /**
     * Sets the handler of the active messages with a number. Messages without a handler are dropped. Needs {@link
     * UcxFeature#ACTIVE_MESSAGE}.
     *
     * @param id below {@link #MESSAGE_IDS}; low numbers take less memory
     * @param handler for all messages from now on; it can be set once
     */
    public void onMessage(int id, UcxMessageHandler handler) {
        if (id < 0 || id >= MESSAGE_IDS) {
            throw new IllegalArgumentException("id=" + id);
        }
        take();
        try (Arena scratch = Arena.ofConfined()) {
            context.require(UcxFeature.ACTIVE_MESSAGE);
            final Callbacks.MessageTarget message = UcxMessage.target(progress, id, handler);
            if (handlers.putIfAbsent(id, message) != null) {
                throw new IllegalStateException("messages " + id + " have a handler");
            }
            final int number = Callbacks.add(message);
            callbacks.add(number);
            final MemorySegment parameters = scratch.allocate(Handler.SIZE, Long.BYTES);
            while (messageIdsEnd < id) {                        // UCX would call what is in memory that it has not set
                setHandler(parameters, messageIdsEnd++, 0, 0);
            }
            messageIdsEnd = Math.max(messageIdsEnd, id + 1);
            setHandler(parameters, id, Callbacks.Stubs.MESSAGE_ARRIVED, number);
        } finally {
            giveBack();
        }
    }

    private void setHandler(MemorySegment parameters, int id, long callback, long number) {
        parameters.set(ValueLayout.JAVA_LONG, UcpLayout.FIELD_MASK,
            Handler.HAS_ID | Handler.HAS_CALLBACK | Handler.HAS_ARGUMENT);
        parameters.set(ValueLayout.JAVA_INT, Handler.ID, id);
        parameters.set(ValueLayout.JAVA_LONG, Handler.CALLBACK, callback);
        parameters.set(ValueLayout.JAVA_LONG, Handler.ARGUMENT, number);
        SetupCall.HANDLER_SET.run(pointer, parameters.address());
    }

    /**
     * Returns the limit of an active message's header.
     *
     * @return bytes
     */
    public long headerMax() {
        return progress.headerMax();
    }

    private void take() {
        progress.take();
    }

    private void giveBack() {
        progress.giveBack();
    }

    @Override
    protected void free() {
        events.wakeSleeper();
        if (!progress.takeAtEnd()) {
            context.leak();
            throw new IllegalStateException("another thread uses the worker, so it is not freed");
        }
        try {
            if (progress.isInHandler()) {
                context.leak();
                throw new IllegalStateException("the worker is closed within a handler, so it is not freed");
            }
            final boolean isIdle = progress.settleAll();
            events.end();
            callbacks.forEach(Callbacks::remove);
            if (!isIdle) {                                      // UCX would end the process in that call
                context.leak();
                throw new UcxException(SetupCall.WORKER_DESTROY.function(), UcxStatus.TIMED_OUT,
                    "operations are under way, so UCX keeps the worker");
            }
            SetupCall.WORKER_DESTROY.run(pointer);
            arena.close();
        } finally {
            giveBack();
        }
    }
}
