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
final class VerbsLink extends RdmaLink implements PairUser {
    /** The way of a link; see the class. */
    private enum State { NAMED, CONNECTING, OPEN, CLOSING, OVER }

    /** Messages until the next completion. The last message of a write has a completion, too. */
    private static final int SIGNALLED_EACH = 4;

    private final VerbsTransport transport;
    private State state = State.NAMED;
    private @Nullable ConnectionId connection;
    private @Nullable VerbsDevice device;
    private @Nullable QueuePair pair;
    private @Nullable IOException failure;
    private boolean isBlocked;
    /** Whether a receive has failed, and so returned: the queue pair holds no further receive. */
    private boolean hasReturned;
    private boolean hasReceived;
    private int unsignalled;
    private long deadlineNs;
    private final SendBatch batch = new SendBatch(1, 1);
    /** Buffers without an acknowledgement, the oldest first. */
    private final ArrayDeque<RegisteredBuffer> sending = new ArrayDeque<>(4);

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

    /** Takes the connection. The next events of the connection open the link. */
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

    /** Opens the link: the connection is made, or a message has come over the connection. */
    void established() {
        if (state != State.CONNECTING) {
            return;
        }
        state = State.OPEN;
        transport.opened(this);
        handOut();
        if (state == State.OPEN) {                              // the acceptor may have closed the link
            events().connected();
        }
    }

    // ---- events ----

    @Override
    public void received(MemorySegment memory, long from, int bytes) {
        if (state == State.CONNECTING && isAccepted()) {
            established();                                      // the first message was faster than the event
        }
        if (state == State.OPEN && failure == null && bytes > 0) {
            events().bytes(memory, from, bytes);
        }
    }

    @Override
    public void sent(RegisteredBuffer buffer, CompletionStatus status) {
        final VerbsDevice owner = Objects.requireNonNull(device);
        RegisteredBuffer done;
        do {
            done = sending.remove();
            owner.giveBack(done);
        } while (!done.equals(buffer));
        if (status != CompletionStatus.SUCCESS) {
            fail(status);
        } else if (isBlocked && state == State.OPEN && failure == null) {
            isBlocked = false;
            events().writable();
        }
    }

    /** Takes note of a failed request; the end of the link is reported in this poll. */
    private void fail(CompletionStatus status) {
        if (failure == null) {
            failure = new IOException(peer() + ": " + status);
            transport.failed(this);
        }
    }

    @Override
    public void failReceive(CompletionStatus status) {
        hasReturned = true;
        fail(status);
    }

    /** Takes note: the queue pair receives from now on. */
    void receives() {
        hasReceived = true;
    }

    @Override
    public boolean mayHoldReceive() {
        return hasReceived && !hasReturned;
    }

    /** Ends the link in this poll or in the next poll, unless the link closes: a closing link only sends. */
    @Override
    public void failWithoutReceives() {
        if (failure == null && state != State.OVER && state != State.CLOSING) {
            failure = new IOException(peer() + ": peers have taken too many receives of its queue");
            transport.failed(this);
        }
    }

    /** Reports a noted failure. */
    void reportFailure() {
        if (state != State.OVER && failure != null) {
            end(failure);
        }
    }

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
            final int length = Math.min(bytes - taken, RegisteredBuffer.SIZE);
            final boolean isLast = room == 1 || taken + length == bytes;
            send(memory, from + taken, length, isLast);
            taken += length;
        }
        return taken;
    }

    private void send(MemorySegment memory, long from, int length, boolean isLast) {
        final RegisteredBuffer buffer = Objects.requireNonNull(device).take();
        MemorySegment.copy(memory, from, buffer.region.memory(), buffer.offset, length);
        buffer.begin(this);
        batch.send(buffer.workId()).add(buffer.region, buffer.offset, length);
        if (++unsignalled == SIGNALLED_EACH || isLast) {
            unsignalled = 0;
            batch.signalled();
        }
        sending.add(buffer);
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

    /** Returns whether the peer has all bytes of a closing link, or is gone. */
    boolean isDrained() {
        return sending.isEmpty() || failure != null || state == State.OVER;
    }

    /** Ends a drained link. */
    void drained() {
        over();
    }

    /**
     * Ends the connection of a link that is over. The peer notices the end. The device returns the receive of an
     * unfinished message; the queue pair must not be destroyed before. Not during an event.
     *
     * @param endNs the end of the wait for {@link #isQuiet}
     * @return whether to wait until {@link #isQuiet}
     */
    boolean disconnect(long endNs) {
        final ConnectionId ended = connection;
        final QueuePair broken = pair;
        if (ended == null || broken == null) {
            return false;
        }
        deadlineNs = endNs;
        try {
            ended.disconnect();
            return true;
        } catch (RdmaException | IllegalStateException _) {
            return fail(broken);                                // the link was not connected
        }
    }

    private static boolean fail(QueuePair broken) {
        try {
            broken.fail();
            return true;
        } catch (RdmaException | IllegalStateException _) {
            return false;                                       // the device is gone
        }
    }

    /** Returns whether the device has reported the last receive of this link. */
    boolean isQuiet() {
        return pair == null || pair.isLastReceiveReached();
    }

    /**
     * Destroys queue pair and connection of a link that is over. Not during an event.
     *
     * @return the connection, or null if the link had no connection
     */
    @Nullable ConnectionId release() {
        final VerbsDevice owner = device;
        final QueuePair destroyed = pair;
        final ConnectionId ended = connection;
        if (ended != null) {
            ended.close();
        }
        while (owner != null && !sending.isEmpty()) {           // the device uses no buffer any more
            owner.giveBack(sending.remove());
        }
        if (owner != null && destroyed != null) {
            owner.remove(this, destroyed.number());
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
