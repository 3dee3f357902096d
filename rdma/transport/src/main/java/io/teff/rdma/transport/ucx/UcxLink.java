package io.teff.rdma.transport.ucx;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.rdma.transport.RdmaLink;
import io.teff.rdma.transport.RdmaTransport;
import io.teff.rdma.ucx.UcxMessageMode;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.worker.UcxCloseMode;
import io.teff.rdma.ucx.worker.UcxEndpoint;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A link over a TCP connection and an endpoint of UCX. Used by the agent's thread only.
 *
 * <pre>
 *  NAMED ──found──> OPENING ──HELLO──> (accepted: ANSWERED ──first message──>) OPEN ──close──> CLOSING ──> OVER
 *    └─────────────────┴────────────────────────┴──failure, close, CLOSE───────┴─────────────────────────────┘
 * </pre>
 *
 * <p>The <em>connection</em> carries HELLO with the addresses of both workers, and the system ends it with the peer's
 * process at once. The <em>path</em> is made by these addresses: UCX takes the best transport for it. It carries the
 * messages.
 *
 * <p>CLOSING sends what was taken, then CLOSE; the peer ends the connection when it has everything. UCX may drop bytes
 * that the peer has not read when an endpoint is ended. After {@link RdmaTransport#DRAIN_NS} this side ends it, and
 * counts that.
 */
final class UcxLink extends RdmaLink implements Connection.Owner {
    /** The way of a link; see the class. */
    private enum State { NAMED, OPENING, ANSWERED, OPEN, CLOSING, OVER }

    private final UcxLinks links;
    private final long number;
    private State state = State.NAMED;
    private @Nullable Connection connection;
    private @Nullable UcxEndpoint path;
    private @Nullable IOException failure;
    /** Why the connection has ended. */
    private @Nullable IOException lastWords;
    private boolean isBlocked;
    /** End of the time for the first message of an accepted link, or for the last bytes of a closing one. */
    private long deadlineNs;

    /** The peer's number of the link. */
    private long peerNumber;
    private long sentCount;
    private long receivedCount;
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

    /** Makes a link whose dialer has sent HELLO. */
    static UcxLink accepted(UcxLinks links, Connection connection, long number, Acceptor acceptor) {
        final UcxLink link = new UcxLink(links, connection.peer(), number, acceptor, null);
        link.connection = connection;
        connection.setOwner(link);
        return link;
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

    /** Returns why the path has failed, or null. */
    private @Nullable UcxStatus broken() {
        return path == null ? null : path.failure();
    }

    // ---- opening ----

    @Override
    public boolean isOver() {
        return state == State.OVER;
    }

    /** Begins to connect, and to send HELLO. */
    void dial(InetSocketAddress to) {
        state = State.OPENING;
        connection = links.dial(this, to);
    }

    /** Takes the HELLO of the listener. */
    @Override
    public void greeted(MemorySegment hello) {
        if (state == State.OPENING && connectPath(hello)) {
            state = State.OPEN;
            send(links.pieces().take(), 0, false);              // tells the listener that HELLO has arrived
            events().connected();
        }
    }

    /** Answers the HELLO of the dialer. */
    void answer(MemorySegment hello, long firstMessageNs) {
        if (connectPath(hello)) {
            state = State.ANSWERED;
            deadlineNs = firstMessageNs;
            Objects.requireNonNull(connection).answer(links.hello(this));
        }
    }

    private boolean connectPath(MemorySegment hello) {
        try {
            peerNumber = Hello.number(hello, peer());
            path = links.path(peer(), Hello.address(hello, peer()));
            return true;
        } catch (IOException e) {
            end(e);
            return false;
        }
    }

    /** Returns whether an answered link is open, or has ended. */
    boolean pollAnswered(long nowNs) {
        if (state == State.ANSWERED && (broken() != null || nowNs - deadlineNs > 0)) {
            close();                                            // without events, as it was never handed out
        }
        return state != State.ANSWERED;
    }

    /** Takes the end of the connection: the peer has closed the link, or its process has ended. */
    @Override
    public void connectionEnded(IOException why) {
        final IOException named = new IOException(peer() + ": " + why.getMessage(), why);
        if (state == State.OPEN) {
            lastWords = named;
            links.endSoon(this);
        } else if (state == State.CLOSING) {
            isAnswered = true;
        } else {
            end(named);
        }
    }

    /** Ends the link whose connection has ended, after the messages that came before. */
    void endLost() {
        if (state == State.OPEN) {
            end(lastWords);
        } else {
            isAnswered = true;                                  // closed meanwhile
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

    /** Ends the link if its path has failed, or its last write. */
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

    /** Ends path and connection of a link that is over, and hands its pieces to the owner. Not during an event. */
    void release(ArrayDeque<Piece> pieces) {
        if (path != null) {
            path.close(UcxCloseMode.FORCE);
            path = null;
        }
        if (connection != null) {
            connection.close();
            connection = null;
        }
        pieces.addAll(sending);
        sending.clear();
        isBlocked = false;
        if (flush != null) {
            pieces.add(flush);
            flush = null;
        }
    }

    /** For messages of failures in tests. */
    @Override
    public String toString() {
        return peer() + " " + state + ", sent " + sentCount + ", received " + receivedCount;
    }
}
