package io.teff.rdma.verbs.queue;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ffi.NativeMemory;
import io.teff.rdma.ffi.NativeObject;
import io.teff.rdma.verbs.call.DataPath;
import io.teff.rdma.verbs.call.Handles;
import io.teff.rdma.verbs.call.LayoutCheck;
import io.teff.rdma.verbs.call.PairMaker;
import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.call.VerbsLibrary;
import io.teff.rdma.verbs.call.VerbsObject;
import io.teff.rdma.verbs.device.Access;
import io.teff.rdma.verbs.device.PathAddress;
import io.teff.rdma.verbs.device.PathMtu;
import io.teff.rdma.verbs.device.ProtectionDomain;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A queue of sends and a queue of receives, and their state ({@link QueuePairState}).
 *
 * <p>Thread-safe: several threads may post to a queue pair, each with a batch of its own; the chain of a batch stays
 * together. A batch belongs to one thread at a time. Closing a queue pair ends its requests without completions;
 * requests under way may still change memory of the peer.
 */
public final class QueuePair extends VerbsObject {
    private static final int QUERY_MASK = 0x1f_ffff;

    private final ProtectionDomain domain;
    private final DataPath path;
    private final int number;
    private final QueuePairSettings settings;
    private final PairMaker maker;
    private volatile boolean isLastReceiveReached;

    private QueuePair(NativeObject[] owners, ProtectionDomain domain, long handle, QueuePairSettings settings,
            PairMaker maker) {
        super("queue pair", Handles.device(domain), handle, owners);
        this.domain = domain;
        this.settings = settings;
        this.maker = maker;
        path = device().path();
        number = NativeMemory.getInt(handle + VerbsLayout.QP_NUM);
        device().add(this);
    }

    /** Makes queue pairs by the functions of the verbs. */
    private record VerbsMaker(NativeObject owner) implements PairMaker {
        @Override
        public long create(long domain, MemorySegment struct) {
            return VerbsLibrary.CREATE_QP.pointer(VerbsLibrary.CREATE_QP.call(domain, struct.address()));
        }

        @Override
        public long destroy(long pair) {
            return VerbsLibrary.DESTROY_QP.call(pair);
        }
    }

    /**
     * Makes a queue pair, in the state RESET.
     *
     * @param domain of the memory that requests will name
     * @param settings its service and its sizes
     * @param sends the queue of completions of sends
     * @param receives the queue of completions of receives; may be the queue of sends
     * @return the queue pair
     * @throws RdmaException if the device cannot have such a queue pair
     */
    public static QueuePair create(ProtectionDomain domain, QueuePairSettings settings, CompletionQueue sends,
            CompletionQueue receives) {
        return create(domain, settings, sends, receives, null, new VerbsMaker(domain));
    }

    /**
     * Makes a queue pair, in the state RESET, whose receives come from a shared queue.
     *
     * @param domain of the memory that requests will name
     * @param settings its service and its sizes
     * @param sends the queue of completions of sends
     * @param receives the queue of completions of receives; may be the queue of sends
     * @param shared of the same domain
     * @return the queue pair
     * @throws RdmaException if the device cannot have such a queue pair
     */
    public static QueuePair create(ProtectionDomain domain, QueuePairSettings settings, CompletionQueue sends,
            CompletionQueue receives, SharedReceiveQueue shared) {
        return create(domain, settings, sends, receives, shared, new VerbsMaker(domain));
    }

    /**
     * Makes a queue pair by the functions of a maker. For the connection manager alone.
     *
     * @param domain of the memory that requests will name
     * @param settings its service and its sizes
     * @param sends the queue of completions of sends
     * @param receives the queue of completions of receives; may be the queue of sends
     * @param shared of the same domain; null if the queue pair has receives of its own
     * @param maker makes and destroys the native queue pair
     * @return the queue pair
     * @throws RdmaException if the device cannot have such a queue pair
     */
    public static QueuePair create(ProtectionDomain domain, QueuePairSettings settings, CompletionQueue sends,
            CompletionQueue receives, @Nullable SharedReceiveQueue shared, PairMaker maker) {
        final Set<NativeObject> owners = new LinkedHashSet<>(List.of(domain, sends));
        owners.add(receives);
        if (shared != null) {
            owners.add(shared);
        }
        owners.add(maker.owner());
        final NativeObject[] all = owners.toArray(NativeObject[]::new);
        return create(() -> {
            try (Arena arena = Arena.ofConfined()) {
                final MemorySegment struct = arena.allocate(VerbsLayout.QP_INIT_SIZE, Long.BYTES);
                final long sharedHandle = shared == null ? 0 : Handles.of(shared);
                struct.set(ValueLayout.JAVA_LONG, VerbsLayout.QP_INIT_SEND_CQ, Handles.of(sends));
                struct.set(ValueLayout.JAVA_LONG, VerbsLayout.QP_INIT_RECV_CQ, Handles.of(receives));
                struct.set(ValueLayout.JAVA_LONG, VerbsLayout.QP_INIT_SRQ, sharedHandle);
                settings.write(struct);
                final long handle = maker.create(Handles.of(domain), struct);
                try {
                    LayoutCheck.of(VerbsLibrary.CREATE_QP.name(), handle)
                        .hasLong(VerbsLayout.QP_CONTEXT, Handles.device(domain).context())
                        .hasLong(VerbsLayout.QP_PD, Handles.of(domain))
                        .hasLong(VerbsLayout.QP_SEND_CQ, Handles.of(sends))
                        .hasLong(VerbsLayout.QP_RECV_CQ, Handles.of(receives))
                        .hasLong(VerbsLayout.QP_SRQ, sharedHandle)
                        .hasInt(VerbsLayout.QP_TYPE, settings.type().code());
                } catch (RdmaException e) {
                    maker.destroy(handle);
                    throw e;
                }
                return new QueuePair(all, domain, handle, settings.granted(struct, VerbsLayout.QP_INIT_CAP),
                    maker);
            }
        }, all);
    }

    /** {@return the number that peers and completions name} */
    public int number() {
        return number;
    }

    /** {@return the service, and the sizes that the device has given} */
    public QueuePairSettings settings() {
        return settings;
    }

    /** {@return the protection domain} */
    public ProtectionDomain domain() {
        return domain;
    }

    // ---- state ----

    /**
     * Changes state and attributes.
     *
     * @param change the new state, and the attributes
     * @throws IllegalStateException if the queue pair is in a state that has no such move; the message names both
     * @throws RdmaException if an attribute is missing, not allowed for this move, or not possible for the device
     */
    public void modify(QueuePairChange change) {
        enter();
        try {
            final QueuePairState before = knownState();
            if (!before.mayMoveTo(change.state())) {
                throw new IllegalStateException("a queue pair cannot move from " + before + " to " + change.state());
            }
            VerbsLibrary.MODIFY_QP.zero(VerbsLibrary.MODIFY_QP.call(handle(), change.address(), change.mask()));
        } finally {
            leave();
        }
    }

    /** Returns the state after the last move that a program has made; between enter and leave. */
    private QueuePairState knownState() {
        return QueuePairState.of(NativeMemory.getInt(handle() + VerbsLayout.QP_STATE));
    }

    /**
     * Asks the device for the state and the attributes.
     *
     * @return what the device says
     * @throws RdmaException if the device does not answer
     */
    public QueuePairInfo query() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment found = arena.allocate(VerbsLayout.QP_ATTR_SIZE, Long.BYTES);
            final MemorySegment init = arena.allocate(VerbsLayout.QP_INIT_SIZE, Long.BYTES);
            enter();
            try {
                VerbsLibrary.QUERY_QP.zero(VerbsLibrary.QUERY_QP.call(handle(), found.address(), QUERY_MASK,
                    init.address()));
            } finally {
                leave();
            }
            return new QueuePairInfo(QueuePairState.of(found.get(ValueLayout.JAVA_INT, VerbsLayout.QP_ATTR_STATE)),
                found.get(ValueLayout.JAVA_INT, VerbsLayout.QP_ATTR_DEST_QP_NUM),
                found.get(ValueLayout.JAVA_INT, VerbsLayout.QP_ATTR_SQ_PSN),
                found.get(ValueLayout.JAVA_INT, VerbsLayout.QP_ATTR_RQ_PSN),
                found.get(ValueLayout.JAVA_INT, VerbsLayout.QP_ATTR_ACCESS_FLAGS),
                found.get(ValueLayout.JAVA_BYTE, VerbsLayout.QP_ATTR_SQ_DRAINING) != 0,
                settings.granted(found, VerbsLayout.QP_ATTR_CAP));
        }
    }

    /**
     * Asks the device for the state.
     *
     * @return the state
     * @throws RdmaException if the device does not answer
     */
    public QueuePairState state() {
        return query().state();
    }

    /**
     * Moves a connected queue pair from RESET to INIT; then receives can be posted.
     *
     * @param port from 1 on
     * @param rights what the peer may do
     * @throws IllegalStateException in another state
     * @throws RdmaException if the device refuses
     */
    public void initialize(int port, Access... rights) {
        modify(QueuePairChange.to(QueuePairState.INIT).partition(0).port(port).access(rights));
    }

    /**
     * Moves a queue pair for datagrams from RESET through INIT and RTR to RTS.
     *
     * @param port from 1 on
     * @param queueKey the key of datagrams for the queue pair
     * @param sequence the number of the first packet, 24 bits
     * @throws IllegalStateException in another state
     * @throws RdmaException if the device refuses
     */
    public void activate(int port, int queueKey, int sequence) {
        modify(QueuePairChange.to(QueuePairState.INIT).partition(0).port(port).queueKey(queueKey));
        modify(QueuePairChange.to(QueuePairState.RTR));
        modify(QueuePairChange.to(QueuePairState.RTS).sendSequence(sequence));
    }

    /**
     * Moves a queue pair from INIT through RTR to RTS: the queue pair is then connected to the queue pair of the peer.
     * The peer must do the same. The payload of packets is the smallest of the settings and of both ports.
     *
     * @param own this queue pair, as the peer knows it
     * @param peer the one of the peer
     * @param port of this side
     * @param gidIndex of this side
     * @param connect how to send, wait and try again
     * @throws IllegalStateException in another state
     * @throws RdmaException if the device refuses
     */
    public void connect(QueuePairAddress own, QueuePairAddress peer, int port, int gidIndex, ConnectSettings connect) {
        final PathAddress to = own.lid() == 0 ? PathAddress.of(peer.gid(), port, gidIndex)
            : new PathAddress(peer.gid(), peer.lid(), port, gidIndex, 1, 0, 0, 0);
        connect(to, peer.number(), peer.sequence(), own.sequence(), smallest(own, peer, connect));
    }

    private static ConnectSettings smallest(QueuePairAddress own, QueuePairAddress peer, ConnectSettings connect) {
        final int code = Math.min(connect.mtu().code(), Math.min(own.mtu().code(), peer.mtu().code()));
        return new ConnectSettings(PathMtu.of(code), connect.readsInitiated(), connect.readsServed(),
            connect.timeoutCode(), connect.retries(), connect.receiverRetries(), connect.receiverWaitCode());
    }

    /**
     * Moves a queue pair from INIT through RTR to RTS, along any path.
     *
     * @param to the path to the peer
     * @param peerNumber its queue pair
     * @param peerSequence the number of its first packet
     * @param ownSequence the number of the first packet of this side
     * @param connect how to send, wait and try again
     * @throws IllegalStateException in another state
     * @throws RdmaException if the device refuses
     */
    public void connect(PathAddress to, int peerNumber, int peerSequence, int ownSequence, ConnectSettings connect) {
        final boolean isReliable = settings.type() == QueuePairType.RC;
        final QueuePairChange receive = QueuePairChange.to(QueuePairState.RTR).path(to).mtu(connect.mtu())
            .peer(peerNumber).receiveSequence(peerSequence);
        final QueuePairChange send = QueuePairChange.to(QueuePairState.RTS).sendSequence(ownSequence);
        if (isReliable) {
            receive.readsServed(connect.readsServed()).receiverWait(connect.receiverWaitCode());
            send.timeout(connect.timeoutCode()).retries(connect.retries()).receiverRetries(connect.receiverRetries())
                .readsInitiated(connect.readsInitiated());
        }
        modify(receive);
        modify(send);
    }

    /**
     * Moves to ERR: all requests under way complete with {@link CompletionStatus#WR_FLUSH_ERR}.
     *
     * @throws RdmaException if the device refuses
     */
    public void fail() {
        modify(QueuePairChange.to(QueuePairState.ERR));
    }

    /**
     * Moves to RESET: requests under way are forgotten without completions.
     *
     * @throws RdmaException if the device refuses
     */
    public void reset() {
        modify(QueuePairChange.to(QueuePairState.RESET));
    }

    /**
     * {@return whether the device has said that this queue pair, which is in the state ERR, takes no receive of its
     * shared receive queue any more} Completions of receives may still wait in the completion queue. Known after {@link
     * io.teff.rdma.verbs.device.RdmaContext#awaitEvent}, in whatever thread, has taken the event {@link
     * io.teff.rdma.verbs.device.AsyncEventType#QP_LAST_WQE_REACHED}.
     */
    public boolean isLastReceiveReached() {
        return isLastReceiveReached;
    }

    @Override
    protected void lastReceiveReached() {
        isLastReceiveReached = true;
    }

    // ---- work ----

    /**
     * Posts the requests of a batch, in order, and removes them from the batch. Allocates nothing.
     *
     * @param batch belongs to the calling thread during the call
     * @return how many; fewer than there were if the queue is full: the rest stays in the batch, to be posted again
     *     after completions
     * @throws IllegalArgumentException if a request does not fit the service or the sizes of this queue pair
     * @throws IllegalStateException if this queue pair, or an address handle, is closed; in the states RESET, INIT, RTR
     * @throws RdmaException if the device refuses a request; the requests before were posted, and the batch is empty
     */
    public int post(SendBatch batch) {
        if (batch.count() == 0) {
            return 0;
        }
        batch.check(settings);
        final int error;
        enter();
        try {
            final int state = NativeMemory.getInt(handle() + VerbsLayout.QP_STATE);
            if (state < QueuePairState.RTS.ordinal()) {
                throw new IllegalStateException("sends need the state RTS, not " + QueuePairState.of(state));
            }
            error = settings.type() == QueuePairType.UD ? postDatagrams(batch)
                : path.postSend(handle(), batch.chain(), batch.bad());
        } finally {
            leave();
        }
        return batch.posted(error);
    }

    /** Posts while no address handle can be freed. */
    private int postDatagrams(SendBatch batch) {
        Handles.addressLock(domain).lock();
        try {
            batch.checkHandles(domain);
            return path.postSend(handle(), batch.chain(), batch.bad());
        } finally {
            Handles.addressLock(domain).unlock();
        }
    }

    /**
     * Posts the receives of a batch, in order, and removes them from the batch. Allocates nothing.
     *
     * @param batch belongs to the calling thread during the call
     * @return how many; fewer than there were if the queue is full: the rest stays in the batch
     * @throws IllegalArgumentException if a receive has more segments than this queue pair allows
     * @throws IllegalStateException if this queue pair is closed, has a shared receive queue, or is in the state RESET
     * @throws RdmaException if the device refuses a receive; the receives before were posted, and the batch is empty
     */
    public int post(ReceiveBatch batch) {
        if (batch.count() == 0) {
            return 0;
        }
        if (batch.segmentsUsed() > settings.receiveSegments()) {
            throw new IllegalArgumentException("segments=" + batch.segmentsUsed() + " of "
                + settings.receiveSegments());
        }
        final int error;
        enter();
        try {
            if (NativeMemory.getInt(handle() + VerbsLayout.QP_STATE) == QueuePairState.RESET.ordinal()) {
                throw new IllegalStateException("receives need the state INIT, not RESET");
            }
            if (NativeMemory.getLong(handle() + VerbsLayout.QP_SRQ) != 0) {
                throw new IllegalStateException("receives of this queue pair come from a shared receive queue");
            }
            error = path.postReceive(handle(), batch.chain(), batch.bad());
        } finally {
            leave();
        }
        return batch.posted(error);
    }

    @Override
    protected void free() {
        try {
            VerbsLibrary.DESTROY_QP.zero(maker.destroy(handle()));
        } finally {
            device().remove(handle());
        }
    }
}
