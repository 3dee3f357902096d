package io.teff.rdma.transport.ucx;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.rdma.transport.RdmaLink;
import io.teff.rdma.transport.RdmaTransport;
import io.teff.rdma.ucx.UcxCloseMode;
import io.teff.rdma.ucx.UcxEndpoint;
import io.teff.rdma.ucx.UcxMessageMode;
import io.teff.rdma.ucx.UcxStatus;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A link over two endpoints of UCX. Used by the agent's thread only.
 *
 * <pre>
 *  NAMED ──found──> OPENING ──HELLO──> (accepted: ANSWERED ──first message──>) OPEN ──close──> CLOSING ──> OVER
 *    └─────────────────┴────────────────────────┴──failure, close, CLOSE───────┴─────────────────────────────┘
 * </pre>
 *
 * <p>The <em>thread</em> is made by socket addresses: UCX takes TCP or RDMA for it, never shared memory, and reports
 * the end of the peer's process at once. It carries HELLO with the addresses of both workers. The <em>path</em> is made
 * by these: UCX takes the best transport for it. It carries the messages.
 *
 * <p>CLOSING sends what was taken, then CLOSE; the peer ends the thread when it has everything. UCX may drop bytes that
 * the peer has not read when an endpoint is ended. After {@link RdmaTransport#DRAIN_NS} this side ends it, and counts
 * that.
 */
final class UcxLink extends RdmaLink {
    /** The way of a link; see the class. */
    private enum State { NAMED, OPENING, ANSWERED, OPEN, CLOSING, OVER }

    private final UcxLinks links;
    private final long number;
    private State state = State.NAMED;
    private @Nullable UcxEndpoint thread;
    private @Nullable UcxEndpoint path;
    private @Nullable IOException failure;
    private boolean isBlocked;
    /** End of the time for HELLO of an accepted link, or for the last bytes of a closing one. */
    private long deadlineNs;

    /** The peer's number of the link. */
    private long peerNumber;
    private long sentCount;
    private long receivedCount;
    private @Nullable Piece hello;
    /** Pieces under way, the oldest first. */
    private final ArrayDeque<Piece> sending = new ArrayDeque<>(4);
    /** The piece whose request waits until all others have reached the peer. */
    private @Nullable Piece flush;
    /** Whether the peer has closed the link, too. */
    private boolean isAnswered;
    private boolean isWatched;

    private UcxLink(UcxLinks links, String peer, long number, @Nullable Acceptor acceptor,
            @Nullable LinkEvents events) {
        super(peer, acceptor, events);
        this.links = links;
        this.number = number;
    }

    /** Makes a link to a listener. */
    static UcxLink dialed(UcxLinks links, String peer, long number, LinkEvents events) {
        return new UcxLink(links, peer, number, null, events);
    }

    /** Makes a link whose dialer has connected. */
    static UcxLink accepted(UcxLinks links, String peer, long number, Acceptor acceptor) {
        return new UcxLink(links, peer, number, acceptor, null);
    }

    long number() {
        return number;
    }

    /** Notes that the link is looked at in each poll, or not any more; returns whether that is new. */
    boolean setWatched(boolean isSo) {
        final boolean isNew = isWatched != isSo;
        isWatched = isSo;
        return isNew;
    }

    private UcxEndpoint path() {
        return Objects.requireNonNull(path);
    }

    /** Returns why an endpoint has failed, or null. */
    private @Nullable UcxStatus broken() {
        final UcxStatus status = thread == null ? null : thread.failure();
        return status != null || path == null ? status : path.failure();
    }

    // ---- opening ----

    @Override
    public boolean isOver() {
        return state == State.OVER;
    }

    /** Begins to connect. */
    void dial(InetSocketAddress to) throws IOException {
        links.dial(this, to);
    }

    /** Begins to exchange HELLO over an endpoint; the dialer begins. */
    void open(UcxEndpoint connected, long helloDeadlineNs) {
        thread = connected;
        deadlineNs = helloDeadlineNs;
        state = State.OPENING;
        if (!isAccepted()) {
            sendHello(connected);
        }
        final Piece in = links.pieces().take();
        hello = in;
        connected.streamReceive(in.memory, 0, Hello.BYTES, true, in.request);
    }

    private void sendHello(UcxEndpoint to) {
        final Piece out = links.pieces().take();
        Hello.write(out.memory, number, links.address());
        to.streamSend(out.memory, 0, Hello.BYTES, out.request);
        started(out);
    }

    /** Returns whether the link is open, or has ended. */
    boolean pollOpening(long nowNs) {
        final Piece in = hello;
        if (state == State.OPENING && in != null && in.request.isDone() && in.request.status() == UcxStatus.OK) {
            hello = null;
            greeted(in);
        }
        if (state != State.OPENING && state != State.ANSWERED) {
            return true;
        }
        final UcxStatus status = broken();
        final IOException why = failure != null || status == null ? failure : lost(status);
        if (why != null) {
            end(why);
            return true;
        }
        if (isAccepted() && nowNs - deadlineNs > 0) {
            close();                                            // without events, as it was never handed out
            return true;
        }
        return false;
    }

    private void greeted(Piece in) {
        try {
            peerNumber = Hello.number(in.memory, peer());
            path = links.path(peer(), Hello.address(in.memory, peer()));
        } catch (IOException e) {
            end(e);
            return;
        } finally {
            links.pieces().giveBack(in);
        }
        if (!isAccepted()) {
            state = State.OPEN;
            send(links.pieces().take(), 0, false);              // tells the listener that HELLO has arrived
            events().connected();
        } else {
            state = State.ANSWERED;
            sendHello(Objects.requireNonNull(thread));
        }
    }

    /** The first message of the dialer, which has no bytes: from now on it takes messages. */
    private void opened() {
        state = State.OPEN;
        handOut();
        if (state == State.OPEN) {                              // the acceptor may have closed it
            events().connected();
        }
    }

    private IOException lost(UcxStatus status) {
        return new IOException(peer() + ": " + status.text());
    }

    // ---- events ----

    /** Handles a message of the peer. */
    void received(MemorySegment memory, long from, int bytes) {
        if (state == State.CLOSING) {
            isAnswered |= Piece.isClose(memory, from);           // both have closed: there is no reader
            return;
        }
        if (state != State.OPEN && state != State.ANSWERED || failure != null) {
            return;
        }
        if (Piece.place(memory, from) != receivedCount) {
            end(new IOException(peer() + " has sent message " + Piece.place(memory, from) + " in the place of "
                + receivedCount));
            return;
        }
        receivedCount++;
        if (state == State.ANSWERED) {
            opened();
            if (state != State.OPEN) {
                return;
            }
        }
        if (Piece.isClose(memory, from)) {
            state = State.OVER;                                 // nothing to be sent, as there is no reader
            links.discard(this);
            events().closed(null);
        } else if (bytes > Piece.HEAD) {
            events().bytes(memory, from + Piece.HEAD, bytes - Piece.HEAD);
        }
    }

    /** Looks for the end of pieces under way; returns the number of pieces that UCX has finished. */
    int pollSending() {
        int done = 0;
        for (Piece piece = sending.peek(); piece != null && piece.request.isDone(); piece = sending.peek()) {
            sending.remove();
            done++;
            finished(piece);
        }
        if (isBlocked && state == State.OPEN && failure == null && links.pieces().hasRoom(sending.size())) {
            isBlocked = false;
            events().writable();
            done++;
        }
        return done;
    }

    /** Returns whether pieces are under way, or a write waits for one. */
    boolean isSending() {
        return !sending.isEmpty() || isBlocked && state == State.OPEN;
    }

    /** Ends the link if its endpoint has failed, or its last write. */
    void pollFailure() {
        if (state == State.OPEN) {
            final UcxStatus broken = broken();
            if (failure == null && broken != null) {
                failure = lost(broken);
            }
            if (failure != null) {
                end(failure);
            }
        }
    }

    @Override
    protected void end(@Nullable IOException why) {
        if (state != State.OVER) {
            failure = why;
            close();
            reportEnd(why);
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
            if (!links.pieces().hasRoom(sending.size())) {
                isBlocked = true;
                links.watch(this);
                break;
            }
            final int length = Math.min(bytes - taken, Piece.BYTES_MAX);
            final Piece piece = links.pieces().take();
            MemorySegment.copy(memory, from + taken, piece.memory, Piece.HEAD, length);
            send(piece, length, false);
            taken += length;
        }
        return taken;
    }

    private void send(Piece piece, int length, boolean isClose) {
        piece.head(peerNumber, sentCount++, isClose);
        path().send(UcxLinks.MESSAGE, piece.memory, 0, 0, piece.memory, 0, Piece.HEAD + (long) length,
            UcxMessageMode.EAGER, piece.request);
        started(piece);
    }

    /** Takes note of a piece whose operation has begun, and may have ended already. */
    private void started(Piece piece) {
        if (sending.isEmpty() && piece.request.isDone()) {
            finished(piece);
        } else {
            sending.add(piece);
            links.watch(this);
        }
    }

    private void finished(Piece piece) {
        final UcxStatus status = piece.request.status();
        links.pieces().giveBack(piece);
        if (status != UcxStatus.OK && failure == null) {
            failure = lost(status);
            links.failed();
        }
    }

    // ---- the end ----

    @Override
    public void close() {
        if (state == State.OPEN && failure == null) {
            state = State.CLOSING;
            deadlineNs = links.nowNs() + RdmaTransport.DRAIN_NS;
            send(links.pieces().take(), 0, true);
            links.drain(this);
        } else if (state != State.OVER && state != State.CLOSING) {
            state = State.OVER;
            links.discard(this);
        }
    }

    /** Returns whether the peer has everything, or is gone, or the time for that is over. */
    boolean pollClosing(long nowNs) {
        if (broken() != null || failure != null || isAnswered) {
            state = State.OVER;
            return true;
        }
        if (nowNs - deadlineNs > 0) {
            cutShort();
            return true;
        }
        if (sending.isEmpty() && flush == null) {
            final Piece piece = links.pieces().take();
            flush = piece;
            path().flush(piece.request);
        }
        return false;
    }

    /** Ends a closing link, as the time for its last bytes is over: the peer may miss them. */
    void cutShort() {
        state = State.OVER;
        links.cutShort();
    }

    /** Ends the endpoints of a link that is over, and hands its pieces to the owner. Not during an event. */
    void release(ArrayDeque<Piece> pieces) {
        close(path);
        close(thread);
        path = null;
        thread = null;
        pieces.addAll(sending);
        sending.clear();
        isBlocked = false;
        if (hello != null) {
            pieces.add(hello);
            hello = null;
        }
        if (flush != null) {
            pieces.add(flush);
            flush = null;
        }
    }

    private static void close(@Nullable UcxEndpoint endpoint) {
        if (endpoint != null) {
            endpoint.close(UcxCloseMode.FORCE);
        }
    }

    /** For messages of failures in tests. */
    @Override
    public String toString() {
        return peer() + " " + state + ", sent " + sentCount + ", received " + receivedCount;
    }
}
