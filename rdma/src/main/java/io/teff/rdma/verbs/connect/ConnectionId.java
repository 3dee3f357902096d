package io.teff.rdma.verbs.connect;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ffi.NativeMemory;
import io.teff.rdma.ffi.NativeObject;
import io.teff.rdma.verbs.call.ManagerLibrary;
import io.teff.rdma.verbs.call.PairMaker;
import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.device.ProtectionDomain;
import io.teff.rdma.verbs.device.RdmaContext;
import io.teff.rdma.verbs.queue.CompletionQueue;
import io.teff.rdma.verbs.queue.QueuePair;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.SharedReceiveQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a {@link ConnectionManager}, or a listener. Closing a connection closes its queue pair; a peer then
 * gets {@link ConnectionEventType#DISCONNECTED}. Thread-safe.
 */
public final class ConnectionId extends NativeObject {
    private static final int PRIVATE_DATA_MAX = 255;

    private final ConnectionManager manager;
    private final long handle;

    private ConnectionId(ConnectionManager manager, long handle) {
        super("connection", manager);
        this.manager = manager;
        this.handle = handle;
        manager.add(handle, this);
    }

    /** Makes an object for a native connection, or for a new native connection if {@code known} is 0. */
    static ConnectionId create(ConnectionManager manager, long known) {
        return create(() -> new ConnectionId(manager, known == 0 ? manager.createId() : known), manager);
    }

    /**
     * Binds to an address of this machine. {@link ConnectionManager#listen} does it for listeners.
     *
     * @param address port 0 takes a free one
     * @throws RdmaException if the address is in use (EADDRINUSE), or is of no device (ENODEV)
     */
    public void bind(InetSocketAddress address) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment struct = SocketAddresses.write(arena, address);
            enter();
            try {
                ManagerLibrary.BIND_ADDR.zero(ManagerLibrary.BIND_ADDR.call(handle, struct.address()));
            } finally {
                leave();
            }
        }
    }

    void listen(int backlog) {
        enter();
        try {
            ManagerLibrary.LISTEN.zero(ManagerLibrary.LISTEN.call(handle, backlog));
        } finally {
            leave();
        }
    }

    /**
     * Begins to look for the device and the address of a peer. Ends with {@link ConnectionEventType#ADDR_RESOLVED} or
     * {@link ConnectionEventType#ADDR_ERROR}.
     *
     * @param source the address of this side; null for any
     * @param target the listener of the peer
     * @param timeoutMs at least 1
     * @throws RdmaException if the kernel refuses
     */
    public void resolveAddress(@Nullable InetSocketAddress source, InetSocketAddress target, int timeoutMs) {
        try (Arena arena = Arena.ofConfined()) {
            final long from = source == null ? 0 : SocketAddresses.write(arena, source).address();
            final MemorySegment to = SocketAddresses.write(arena, target);
            enter();
            try {
                ManagerLibrary.RESOLVE_ADDR.zero(
                    ManagerLibrary.RESOLVE_ADDR.call(handle, from, to.address(), timeoutMs));
            } finally {
                leave();
            }
        }
    }

    /**
     * Begins to look for the route to a peer. Ends with {@link ConnectionEventType#ROUTE_RESOLVED} or {@link
     * ConnectionEventType#ROUTE_ERROR}.
     *
     * @param timeoutMs at least 1
     * @throws IllegalStateException before the address was resolved
     * @throws RdmaException if the kernel refuses
     */
    public void resolveRoute(int timeoutMs) {
        enter();
        try {
            device();
            ManagerLibrary.RESOLVE_ROUTE.zero(ManagerLibrary.RESOLVE_ROUTE.call(handle, timeoutMs));
        } finally {
            leave();
        }
    }

    /**
     * {@return the device of the connection, of which its protection domain and its completion queues are made} All
     * connections over one device have the same context.
     *
     * @throws IllegalStateException before the address was resolved
     */
    public RdmaContext context() {
        final long verbs;
        enter();
        try {
            verbs = device();
        } finally {
            leave();
        }
        return ConnectionManager.context(verbs);
    }

    /**
     * Returns the context of the library, between enter and leave. Most functions of the library use it without a check
     * for null.
     */
    private long device() {
        final long verbs = NativeMemory.getLong(handle + VerbsLayout.CM_ID_VERBS);
        if (verbs == 0) {
            throw new IllegalStateException("a connection has no device before its address was resolved");
        }
        return verbs;
    }

    /**
     * Makes the queue pair of this connection, in the state INIT. The manager moves it further.
     *
     * @param domain of the {@link #context} of this connection
     * @param settings of the type RC
     * @param sends the queue of completions of sends
     * @param receives the queue of completions of receives; may be that of sends
     * @return the queue pair
     * @throws RdmaException if the device cannot have such a queue pair, or the domain is of another context (EINVAL)
     */
    public QueuePair createQueuePair(ProtectionDomain domain, QueuePairSettings settings, CompletionQueue sends,
            CompletionQueue receives) {
        return QueuePair.create(domain, settings, sends, receives, null, new ManagerMaker());
    }

    /**
     * Makes the queue pair of this connection with a shared receive queue.
     *
     * @param domain of the {@link #context} of this connection
     * @param settings of the type RC
     * @param sends the queue of completions of sends
     * @param receives the queue of completions of receives; may be that of sends
     * @param shared of the domain
     * @return the queue pair
     * @throws RdmaException if the device cannot have such a queue pair, or the domain is of another context (EINVAL)
     */
    public QueuePair createQueuePair(ProtectionDomain domain, QueuePairSettings settings, CompletionQueue sends,
            CompletionQueue receives, SharedReceiveQueue shared) {
        return QueuePair.create(domain, settings, sends, receives, shared, new ManagerMaker());
    }

    /** Makes the queue pair by the functions of the connection manager. */
    private final class ManagerMaker implements PairMaker {
        @Override
        public NativeObject owner() {
            return ConnectionId.this;
        }

        @Override
        public long create(long domain, MemorySegment struct) {
            enter();
            try {
                device();
                ManagerLibrary.CREATE_QP.zero(ManagerLibrary.CREATE_QP.call(handle, domain, struct.address()));
                return NativeMemory.getLong(handle + VerbsLayout.CM_ID_QP);
            } finally {
                leave();
            }
        }

        @Override
        public long destroy(long pair) {
            enter();
            try {
                return ManagerLibrary.DESTROY_QP.call(handle);
            } finally {
                leave();
            }
        }
    }

    /**
     * Begins to connect. Ends with {@link ConnectionEventType#ESTABLISHED}, {@link ConnectionEventType#REJECTED},
     * {@link ConnectionEventType#UNREACHABLE} or {@link ConnectionEventType#CONNECT_ERROR}.
     *
     * @param settings what this side asks for, and tells the peer
     * @throws IllegalStateException before the address was resolved
     * @throws RdmaException if the route was not resolved (EINVAL)
     */
    public void connect(ConnectionSettings settings) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment struct = settings.struct(arena);
            enter();
            try {
                device();
                ManagerLibrary.CONNECT.zero(ManagerLibrary.CONNECT.call(handle, struct.address()));
            } finally {
                leave();
            }
        }
    }

    /**
     * Accepts a request to connect. Ends with {@link ConnectionEventType#ESTABLISHED}.
     *
     * @param settings what this side asks for, and tells the peer
     * @throws IllegalStateException before a device is known
     * @throws RdmaException if the peer has gone, or there is no request (EINVAL)
     */
    public void accept(ConnectionSettings settings) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment struct = settings.struct(arena);
            enter();
            try {
                device();
                ManagerLibrary.ACCEPT.zero(ManagerLibrary.ACCEPT.call(handle, struct.address()));
            } finally {
                leave();
            }
        }
    }

    /**
     * Rejects a request to connect. This connection must be closed afterwards.
     *
     * @param privateData for the peer, at most 148 bytes with RoCE and InfiniBand
     * @throws IllegalStateException before a device is known
     * @throws RdmaException if the peer has gone, or there is no request (EINVAL)
     */
    public void reject(byte[] privateData) {
        if (privateData.length > PRIVATE_DATA_MAX) {
            throw new IllegalArgumentException("bytes=" + privateData.length);
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment data = arena.allocate(Math.max(1, privateData.length));
            MemorySegment.copy(MemorySegment.ofArray(privateData), 0, data, 0, privateData.length);
            enter();
            try {
                device();
                ManagerLibrary.REJECT.zero(ManagerLibrary.REJECT.call(handle, data.address(), privateData.length));
            } finally {
                leave();
            }
        }
    }

    /**
     * Ends the connection: requests under way complete with {@link
     * io.teff.rdma.verbs.queue.CompletionStatus#WR_FLUSH_ERR}. Both sides must call it; the second call ends the first
     * one's wait for {@link ConnectionEventType#DISCONNECTED}.
     *
     * @throws IllegalStateException before the address was resolved
     * @throws RdmaException if there is no connection (EINVAL)
     */
    public void disconnect() {
        enter();
        try {
            device();
            ManagerLibrary.DISCONNECT.zero(ManagerLibrary.DISCONNECT.call(handle));
        } finally {
            leave();
        }
    }

    /** {@return the address of this side; null before it has one} */
    public @Nullable InetSocketAddress localAddress() {
        return address(VerbsLayout.CM_ID_SOURCE);
    }

    /** {@return the address of the peer; null before it has one} */
    public @Nullable InetSocketAddress remoteAddress() {
        return address(VerbsLayout.CM_ID_TARGET);
    }

    private @Nullable InetSocketAddress address(long offset) {
        enter();
        try {
            return SocketAddresses.read(handle + offset);
        } finally {
            leave();
        }
    }

    /** {@return the port of the device, from 1 on; 0 before the address was resolved} */
    public int devicePort() {
        enter();
        try {
            return Byte.toUnsignedInt(NativeMemory.getByte(handle + VerbsLayout.CM_ID_PORT_NUM));
        } finally {
            leave();
        }
    }

    @Override
    protected void free() {
        try {
            ManagerLibrary.DESTROY_ID.zero(ManagerLibrary.DESTROY_ID.call(handle));
        } finally {
            manager.remove(handle);
        }
    }
}
