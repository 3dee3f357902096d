package io.teff.rdma.transport.verbs;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.rdma.RdmaException;
import io.teff.rdma.transport.RdmaLink;
import io.teff.rdma.transport.RdmaTransport;
import io.teff.rdma.verbs.connect.ConnectionId;
import io.teff.rdma.verbs.queue.CompletionStatus;
import io.teff.rdma.verbs.queue.QueuePair;
import io.teff.rdma.verbs.queue.SendBatch;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A link over a reliable connection. Used by the agent's thread only.
 *
 * <pre>
 *  NAMED ──found──> CONNECTING ──ESTABLISHED──> OPEN ──close──> CLOSING ──all acknowledged, or late──> OVER
 *    └─────────────────┴───────failure, close───┴───DISCONNECTED───────────────────────────────────────┘
 * </pre>
 */
final class VerbsLink extends RdmaLink {
    /** The way of a link; see the class. */
    private enum State { NAMED, CONNECTING, OPEN, CLOSING, OVER }

    /** A completion is asked for with each so many messages, and with the last of a write. */
    private static final int SIGNALLED_EACH = 4;

    private final VerbsTransport transport;
    private State state = State.NAMED;
    private @Nullable ConnectionId connection;
    private @Nullable VerbsDevice device;
    private @Nullable QueuePair pair;
    private @Nullable IOException failure;
    private boolean isBlocked;
    /** Whether a receive has failed, and so returned: the queue pair holds no other one. */
    private boolean hasReturned;
    private boolean hasReceived;
    private int unsignalled;
    private long deadlineNs;
    private final SendBatch batch = new SendBatch(1, 1);
    /** Pieces that are not acknowledged, the oldest first. */
    private final ArrayDeque<Piece> sending = new ArrayDeque<>(4);

    private VerbsLink(VerbsTransport transport, String peer, @Nullable Acceptor acceptor,
            @Nullable LinkEvents events) {
        super(peer, acceptor, events);
        this.transport = transport;
    }

    /** Makes a link to a listener. */
    static VerbsLink dialed(VerbsTransport transport, String peer, LinkEvents events) {
        return new VerbsLink(transport, peer, null, events);
    }

    /** Makes a link whose dialer asks for a connection. */
    static VerbsLink accepted(VerbsTransport transport, String peer, Acceptor acceptor) {
        return new VerbsLink(transport, peer, acceptor, null);
    }

    // ---- connecting ----

    @Override
    public boolean isOver() {
        return state == State.OVER;
    }

    boolean isConnecting() {
        return state == State.CONNECTING;
    }

    boolean isLate(long nowNs) {
        return nowNs - deadlineNs > 0;
    }

    /** Takes the connection, whose events lead further. */
    void connecting(ConnectionId made, long endNs) {
        connection = made;
        deadlineNs = endNs;
        state = State.CONNECTING;
    }

    /** Makes the queue pair. */
    void pairWith(VerbsDevice with) {
        device = with;
        pair = with.add(this, connection());
    }

    ConnectionId connection() {
        return Objects.requireNonNull(connection);
    }

    /** The connection is made, or a message has come over it. */
    void established() {
        if (state != State.CONNECTING) {
            return;
        }
        state = State.OPEN;
        transport.opened(this);
        handOut();
        if (state == State.OPEN) {                              // the acceptor may have closed it
            events().connected();
        }
    }

    // ---- events ----

    void received(MemorySegment memory, long from, int bytes) {
        if (state == State.CONNECTING && isAccepted()) {
            established();                                      // the first message was faster than the event
        }
        if (state == State.OPEN && failure == null && bytes > 0) {
            events().bytes(memory, from, bytes);
        }
    }

    /** A message was acknowledged, and with it all earlier ones; or it has failed. */
    void sent(Piece piece, CompletionStatus status) {
        final VerbsDevice its = Objects.requireNonNull(device);
        Piece done;
        do {
            done = sending.remove();
            its.giveBack(done);
        } while (!done.equals(piece));
        if (status != CompletionStatus.SUCCESS) {
            fail(status);
        } else if (isBlocked && state == State.OPEN && failure == null) {
            isBlocked = false;
            events().writable();
        }
    }

    /** Takes note of a failed request; the end of the link is reported in this poll. */
    void fail(CompletionStatus status) {
        if (failure == null) {
            failure = new IOException(peer() + ": " + status);
            transport.failed(this);
        }
    }

    /** The device has returned a receive unused, or partly used. */
    void failReceive(CompletionStatus status) {
        hasReturned = true;
        fail(status);
    }

    /** The queue pair receives from now on. */
    void receives() {
        hasReceived = true;
    }

    /** Returns whether the queue pair may have a receive that the device has not returned. */
    boolean mayHoldReceive() {
        return hasReceived && !hasReturned;
    }

    /**
     * Ends the link in this poll or the next one, as its receive queue has lost too many receives. One that closes only
     * sends.
     */
    void failWithoutReceives() {
        if (failure == null && state != State.OVER && state != State.CLOSING) {
            failure = new IOException(peer() + ": peers have taken too many receives of its queue");
            transport.failed(this);
        }
    }

    /** Reports a failure that was noted. */
    void reportFailure() {
        if (state != State.OVER && failure != null) {
            end(failure);
        }
    }

    /** Ends the link, and reports that; null if the peer has ended it. */
    @Override
    protected void end(@Nullable IOException why) {
        if (state == State.CLOSING || state == State.OVER) {
            over();
            return;
        }
        over();
        reportEnd(why);
    }

    private void over() {
        if (state != State.OVER) {
            state = State.OVER;
            transport.discard(this);
        }
    }

    // ---- writing ----

    @Override
    public int write(MemorySegment memory, long from, int bytes) {
        if (state != State.OPEN || failure != null) {
            return 0;
        }
        int taken = 0;
        while (taken < bytes && failure == null) {
            final int room = VerbsDevice.LINK_MAX - sending.size();
            if (room == 0) {
                isBlocked = true;
                break;
            }
            final int length = Math.min(bytes - taken, Piece.SIZE);
            final boolean isLast = room == 1 || taken + length == bytes;
            send(memory, from + taken, length, isLast);
            taken += length;
        }
        return taken;
    }

    private void send(MemorySegment memory, long from, int length, boolean isLast) {
        final Piece piece = Objects.requireNonNull(device).take();
        MemorySegment.copy(memory, from, piece.region.memory(), piece.offset, length);
        piece.begin(this);
        batch.send(piece.workId()).add(piece.region, piece.offset, length);
        if (++unsignalled == SIGNALLED_EACH || isLast) {
            unsignalled = 0;
            batch.signalled();
        }
        sending.add(piece);
        try {
            if (Objects.requireNonNull(pair).post(batch) != 1) {
                throw new RdmaException("ibv_post_send", "the queue is full");
            }
        } catch (RdmaException e) {
            batch.clear();
            failure = new IOException(peer() + ": " + e.getMessage(), e);
            transport.failed(this);
        }
    }

    // ---- the end ----

    @Override
    public void close() {
        if (state == State.OPEN && failure == null && !sending.isEmpty()) {
            state = State.CLOSING;
            deadlineNs = transport.nowNs() + RdmaTransport.DRAIN_NS;
            transport.drain(this);
        } else if (state != State.CLOSING) {
            over();
        }
    }

    /** Returns whether the peer has everything of a link that closes, or is gone. */
    boolean isDrained() {
        return sending.isEmpty() || failure != null || state == State.OVER;
    }

    /** Ends a link that closes, as it is drained. */
    void drained() {
        over();
    }

    /**
     * Ends the connection of a link that is over, which the peer notices. The device returns the receive of a message
     * whose rest has not come; the queue pair must not be destroyed before. Not during an event.
     *
     * @return whether to wait until {@link #isQuiet}
     */
    boolean disconnect(long endNs) {
        final ConnectionId ended = connection;
        final QueuePair its = pair;
        if (ended == null || its == null) {
            return false;
        }
        deadlineNs = endNs;
        try {
            ended.disconnect();
            return true;
        } catch (RdmaException | IllegalStateException _) {
            return fail(its);                                   // it was not connected
        }
    }

    private static boolean fail(QueuePair its) {
        try {
            its.fail();
            return true;
        } catch (RdmaException | IllegalStateException _) {
            return false;                                       // the device is gone
        }
    }

    /** Returns whether the device uses no receive for this link any more, as far as it says so. */
    boolean isQuiet() {
        return pair == null || pair.isLastReceiveReached();
    }

    /**
     * Destroys what a link that is over has. Not during an event.
     *
     * @return the connection, or null if there was none
     */
    @Nullable ConnectionId release() {
        final VerbsDevice its = device;
        final QueuePair destroyed = pair;
        final ConnectionId ended = connection;
        if (ended != null) {
            ended.close();
        }
        while (its != null && !sending.isEmpty()) {             // the device uses none of them any more
            its.giveBack(sending.remove());
        }
        if (its != null && destroyed != null) {
            its.remove(this, destroyed.number());
        }
        connection = null;
        pair = null;
        return ended;
    }

    /** For messages of failures in tests. */
    @Override
    public String toString() {
        return peer() + " " + state;
    }
}
