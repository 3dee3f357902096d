package io.teff.rdma.verbs.connect;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ffi.CallState;
import io.teff.rdma.ffi.Descriptors;
import io.teff.rdma.ffi.NativeMemory;
import io.teff.rdma.ffi.NativeObject;
import io.teff.rdma.verbs.call.DeviceCore;
import io.teff.rdma.verbs.call.EventWait;
import io.teff.rdma.verbs.call.LayoutCheck;
import io.teff.rdma.verbs.call.ManagerLibrary;
import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.device.RdmaContext;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Connections by IP address and port, for InfiniBand, RoCE and iWARP alike: the event channel of librdmacm. Every step
 * of a connection ends with an event, which {@link #await} brings.
 *
 * <pre>{@code
 *   active side                                   passive side
 *   connection()                                  listen(address, backlog)
 *   resolveAddress  -> ADDR_RESOLVED
 *   resolveRoute    -> ROUTE_RESOLVED
 *   createQueuePair, post receives
 *   connect         ----------------------------> CONNECT_REQUEST with a new connection
 *                                                 createQueuePair, post receives
 *   ESTABLISHED     <---------------------------- accept -> ESTABLISHED       (or reject -> REJECTED)
 *   disconnect      ----------------------------> DISCONNECTED
 *   DISCONNECTED    <---------------------------- disconnect: both sides must call it
 * }</pre>
 *
 * Thread-safe. With iWARP the active side must send first.
 */
public final class ConnectionManager extends NativeObject {
    private static final int EAGAIN = 11;
    /** Reliable connections. */
    private static final long PORT_SPACE_TCP = 0x0106;
    /** The contexts of librdmacm, by address; the library keeps contexts as long as the process lives. */
    private static final Map<Long, RdmaContext> CONTEXTS = new ConcurrentHashMap<>();

    private final long handle;
    private final int descriptor;
    private final MemorySegment event = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final Map<Long, ConnectionId> connections = new ConcurrentHashMap<>();

    private ConnectionManager(long handle) {
        super("connection manager");
        this.handle = handle;
        descriptor = NativeMemory.getInt(handle + VerbsLayout.CM_CHANNEL_FD);
        Descriptors.setNonBlocking(descriptor);
    }

    /** {@return whether librdmacm is installed} There may be no device nevertheless. */
    public static boolean isAvailable() {
        return ManagerLibrary.LIBRARY.isPresent();
    }

    /**
     * Opens an event channel.
     *
     * @return the manager
     * @throws io.teff.rdma.RdmaUnavailableException without librdmacm
     * @throws RdmaException if the kernel has no connection manager (ENODEV, ENOENT)
     */
    public static ConnectionManager open() {
        return create(() -> {
            final long handle = ManagerLibrary.CREATE_EVENT_CHANNEL.pointer(ManagerLibrary.CREATE_EVENT_CHANNEL.call());
            try {
                LayoutCheck.of(ManagerLibrary.CREATE_EVENT_CHANNEL.name(), handle)
                    .hasIntFrom(VerbsLayout.CM_CHANNEL_FD, 0);
                return new ConnectionManager(handle);
            } catch (RdmaException e) {
                ManagerLibrary.DESTROY_EVENT_CHANNEL.call(handle);
                throw e;
            }
        });
    }

    /**
     * Makes a connection of the active side.
     *
     * @return the connection
     * @throws RdmaException if the kernel refuses
     */
    public ConnectionId connection() {
        return ConnectionId.create(this, 0);
    }

    /**
     * Makes a listener.
     *
     * @param address port 0 takes a free one: {@link ConnectionId#localAddress}
     * @param backlog requests that wait at a time
     * @return the connection
     * @throws RdmaException if the address is in use (EADDRINUSE), or is of no device (ENODEV)
     */
    public ConnectionId listen(InetSocketAddress address, int backlog) {
        final ConnectionId listener = ConnectionId.create(this, 0);
        try {
            listener.bind(address);
            listener.listen(backlog);
            return listener;
        } catch (RdmaException e) {
            listener.close();
            throw e;
        }
    }

    /**
     * Waits for an event of any connection of this manager. The thread waits inside of a native call; a virtual thread
     * keeps its carrier.
     *
     * @param timeoutNs 0 looks once
     * @return null when the time is over
     * @throws RdmaException if the kernel refuses
     * @throws IllegalStateException if this manager is or becomes closed
     */
    public @Nullable ConnectionEvent await(long timeoutNs) {
        final EventWait wait = new EventWait(timeoutNs);
        do {
            final ConnectionEvent taken = take();
            if (taken != null) {
                return taken;
            }
        } while (wait.slice(descriptor));
        return null;
    }

    /** A copy of a native event, which is given back at once: closing a connection waits for its events. */
    private record Copy(ConnectionEventType type, int status, long id, long listenId, byte[] privateData,
            int readsServed, int readsInitiated, int queuePairNumber) {
        private static Copy of(long struct) {
            final int length = Byte.toUnsignedInt(NativeMemory.getByte(
                struct + VerbsLayout.CM_EVENT_PRIVATE_DATA_LEN));
            final long data = NativeMemory.getLong(struct + VerbsLayout.CM_EVENT_PRIVATE_DATA);
            return new Copy(ConnectionEventType.of(NativeMemory.getInt(struct + VerbsLayout.CM_EVENT_TYPE)),
                NativeMemory.getInt(struct + VerbsLayout.CM_EVENT_STATUS),
                NativeMemory.getLong(struct + VerbsLayout.CM_EVENT_ID),
                NativeMemory.getLong(struct + VerbsLayout.CM_EVENT_LISTEN_ID),
                data == 0 ? new byte[0] : NativeMemory.bytes(data, length),
                Byte.toUnsignedInt(NativeMemory.getByte(struct + VerbsLayout.CM_EVENT_RESPONDER)),
                Byte.toUnsignedInt(NativeMemory.getByte(struct + VerbsLayout.CM_EVENT_INITIATOR)),
                NativeMemory.getInt(struct + VerbsLayout.CM_EVENT_QP_NUM));
        }
    }

    private @Nullable ConnectionEvent take() {
        final Copy copy;
        enter();
        try {
            if (ManagerLibrary.GET_CM_EVENT.call(handle, event.address()) != 0) {
                if (CallState.errno() == EAGAIN) {
                    return null;
                }
                throw new RdmaException(ManagerLibrary.GET_CM_EVENT.name(), CallState.errno());
            }
            final long found = event.get(ValueLayout.JAVA_LONG, 0);
            copy = Copy.of(found);
            ManagerLibrary.ACK_CM_EVENT.zero(ManagerLibrary.ACK_CM_EVENT.call(found));
        } finally {
            leave();
        }
        // Outside of the call: objects are not made within one. If the manager is closed right now, this throws, and
        // the native object of a new connection stays until the process ends: freeing it needs the manager's
        // descriptor.
        final boolean isNew = copy.type == ConnectionEventType.CONNECT_REQUEST;
        final ConnectionId connection = isNew ? ConnectionId.create(this, copy.id) : connections.get(copy.id);
        return new ConnectionEvent(copy.type, copy.status, connection,
            isNew ? connections.get(copy.listenId) : null, copy.privateData, copy.readsServed, copy.readsInitiated,
            copy.queuePairNumber);
    }

    /** {@return a descriptor that can be read when an event waits, for programs that watch many} */
    public int descriptor() {
        requireOpen();
        return descriptor;
    }

    /** Returns the object of a context of the library. */
    static RdmaContext context(long verbs) {
        return CONTEXTS.compute(verbs, (address, known) -> known != null && known.isOpen() ? known
            : RdmaContext.ofManager(new DeviceCore(address)));
    }

    /** Makes a native object of a connection. */
    long createId() {
        final long id;
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment found = arena.allocate(Long.BYTES, Long.BYTES);
            ManagerLibrary.CREATE_ID.zero(ManagerLibrary.CREATE_ID.call(handle, found.address(), 0, PORT_SPACE_TCP));
            id = found.get(ValueLayout.JAVA_LONG, 0);
        }
        LayoutCheck.of(ManagerLibrary.CREATE_ID.name(), id).hasLong(VerbsLayout.CM_ID_CHANNEL, handle);
        return id;
    }

    void add(long id, ConnectionId connection) {
        connections.put(id, connection);
    }

    void remove(long id) {
        connections.remove(id);
    }

    @Override
    protected void free() {
        ManagerLibrary.DESTROY_EVENT_CHANNEL.call(handle);
    }
}
