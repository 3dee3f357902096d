package io.teff.rdma.transport.ucx;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.rdma.transport.RdmaLink;
import io.teff.rdma.transport.RdmaTransport;
import io.teff.rdma.ucx.UcxMessageMode;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.worker.UcxCloseMode;
import io.teff.rdma.ucx.worker.UcxEndpoint;
import io.teff.rdma.ucx.worker.UcxWorker;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A link over a TCP connection and an endpoint of UCX. Used by the agent's thread only. {@link UcxLinkState} has a
 * drawing of the states.
 *
 * <p>The <em>connection</em> carries HELLO with the addresses of both workers, and the system ends the connection with
 * the process of the peer at once. The <em>path</em> is made by these addresses, over the best transport of UCX, and
 * carries the pieces. The listener makes its path when the first piece of the dialer has arrived, and sends a first
 * piece, too. UCX 1.13 may abort a process whose peer ends while a path is made. So a link that closes sends CLOSE only
 * after the first piece of the peer. Then both directions carry messages, and both sides may end.
 *
 * <p>A link that closes sends the last bytes, then CLOSE. The peer has everything when CLOSE arrives, and ends the
 * connection. This side waits for the end of the connection, because UCX may drop unread bytes when an endpoint ends.
 * After {@link RdmaTransport#DRAIN_NS} this side ends the link, and counts the link as cut short.
 */
final class UcxLink extends RdmaLink implements ControlConnection.Owner {
    private final UcxLinks links;
    private final long number;
    private UcxLinkState state = UcxLinkState.NAMED;
    private @Nullable ControlConnection connection;
    private @Nullable UcxEndpoint path;
    /** The address of the dialer's worker, until the path of an accepted link is made. */
    private byte @Nullable [] callback;
    /** Whether a closing link has sent CLOSE. */
    private boolean isCloseSent;
    private @Nullable IOException failure;
    /** Why the connection of an open link has ended. */
    private @Nullable IOException lastWords;
    /** Whether a write waits for room. */
    private boolean isBlocked;
    /** End of the time for the first piece of an accepted link, or for the last bytes of a closing link. */
    private long deadlineNs;

    /** The peer's number of the link. */
    private long peerNumber;
    private long sentCount;
    private long receivedCount;
    /** Buffers under way, the oldest first. */
    private final ArrayDeque<SendBuffer> sending = new ArrayDeque<>(4);
    /** The buffer whose request waits until all earlier pieces have reached the peer. */
    private @Nullable SendBuffer flush;

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
    static UcxLink accepted(UcxLinks links, ControlConnection connection, long number, Acceptor acceptor) {
        final UcxLink link = new UcxLink(links, connection.peer(), number, acceptor, null);
        link.connection = connection;
        connection.setOwner(link);
        return link;
    }

    long number() {
        return number;
    }

    UcxLinkState state() {
        return state;
    }

    private void move(UcxLinkState target) {
        assert UcxLinkState.moves(state, target) : state + " to " + target;
        state = target;
        links.moved(this);
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
        return state.isOver();
    }

    /** Begins to connect, and to send HELLO. */
    void dial(InetSocketAddress to) {
        move(UcxLinkState.OPENING);
        connection = links.dial(this, to);
    }

    /** Takes the HELLO of the listener. */
    @Override
    public void greeted(MemorySegment hello) {
        if (state == UcxLinkState.OPENING && isRead(hello) && connectPath()) {
            move(UcxLinkState.OPEN);
            sendFirst();                                        // tells the listener that HELLO has arrived
            events().connected();
        }
    }

    /** Answers the HELLO of the dialer. */
    void answer(MemorySegment hello, long firstPieceNs) {
        if (isRead(hello)) {
            deadlineNs = firstPieceNs;
            move(UcxLinkState.ANSWERED);
            Objects.requireNonNull(connection).answer(links.hello(this));
        }
    }

    private boolean isRead(MemorySegment hello) {
        try {
            peerNumber = UcxHello.number(hello, peer());
            final byte[] address = UcxHello.address(hello, peer());
            UcxWorker.checkAddress(address);
            callback = address;
            return true;
        } catch (IOException e) {
            end(e);
            return false;
        } catch (IllegalArgumentException e) {
            end(new IOException(peer() + ": " + e.getMessage(), e));
            return false;
        }
    }

    private boolean connectPath() {
        try {
            path = links.path(peer(), Objects.requireNonNull(callback));
            callback = null;
            return true;
        } catch (IOException e) {
            end(e);
            return false;
        }
    }

    private void sendFirst() {
        send(links.buffers().take(), 0, false);
    }

    /** Ends an answered link if the time for the first piece is over. */
    void pollAnswered(long nowNs) {
        if (state == UcxLinkState.ANSWERED && nowNs - deadlineNs > 0) {
            close();                                            // without events, because the link was never handed out
        }
    }

    /** Takes the end of the connection: the peer has closed the link, or the process of the peer has ended. */
    @Override
    public void connectionEnded(IOException why) {
        final IOException named = new IOException(peer() + ": " + why.getMessage(), why);
        if (state == UcxLinkState.OPEN) {
            lastWords = named;
            move(UcxLinkState.LOST);
        } else if (state == UcxLinkState.CLOSING) {
            move(UcxLinkState.OVER);                            // the peer has everything, or is gone
        } else {
            end(named);
        }
    }

    /** Ends the link after the end of the connection. Earlier pieces were handed on. */
    void endLost() {
        if (state == UcxLinkState.LOST) {
            end(lastWords);
        } else if (state == UcxLinkState.LOST_CLOSING) {
            move(UcxLinkState.OVER);
        }
    }

    /** Opens the link by the first piece of the dialer, which has no bytes. */
    private void opened() {
        if (!connectPath()) {
            return;
        }
        move(UcxLinkState.OPEN);
        sendFirst();
        handOut();
        if (state == UcxLinkState.OPEN) {                       // the acceptor may have closed the link
            events().connected();
        }
    }

    private IOException lost(UcxStatus status) {
        return new IOException(peer() + ": " + status.text());
    }

    // ---- events ----

    /** Handles a piece of the peer. */
    void received(MemorySegment memory, long from, int bytes) {
        if (state.isClosing()) {
            receivedCount++;
            if (PieceLayout.isClose(memory, from)) {
                move(UcxLinkState.OVER);                        // both sides have closed, so nothing reads last bytes
            } else {
                sendClose();
            }
            return;
        }
        if (!state.isOpen() && state != UcxLinkState.ANSWERED || failure != null) {
            return;
        }
        if (PieceLayout.place(memory, from) != receivedCount) {
            end(new IOException(peer() + " has sent message " + PieceLayout.place(memory, from) + " in the place of "
                + receivedCount));
            return;
        }
        receivedCount++;
        if (state == UcxLinkState.ANSWERED) {
            opened();
            if (state != UcxLinkState.OPEN) {
                return;
            }
        }
        if (PieceLayout.isClose(memory, from)) {
            move(UcxLinkState.OVER);                            // without last bytes, because the peer does not read
            events().closed(null);
        } else if (bytes > PieceLayout.HEAD) {
            events().bytes(memory, from + PieceLayout.HEAD, bytes - PieceLayout.HEAD);
        }
    }

    /** Takes back the buffers that UCX has finished; returns the units of work done. */
    int pollSending() {
        int done = 0;
        for (SendBuffer buffer = sending.peek(); buffer != null && buffer.request().isDone();
                buffer = sending.peek()) {
            sending.remove();
            done++;
            finished(buffer);
        }
        if (isBlocked && state.isOpen() && failure == null && links.buffers().hasRoom(sending.size())) {
            isBlocked = false;
            events().writable();
            done++;
        }
        return done;
    }

    /** Returns whether buffers are under way, or a write waits for a buffer. */
    boolean isSending() {
        return !sending.isEmpty() || isBlocked && state.isOpen();
    }

    /** Ends the link if the path or the last write has failed. */
    void pollFailure() {
        if (state.isOpen()) {
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
        if (!state.isOver()) {
            failure = why;
            close();
            reportEnd(why);
        }
    }

    // ---- writing ----

    @Override
    public int write(MemorySegment memory, long from, int bytes) {
        if (!state.isOpen() || failure != null) {
            return 0;
        }
        int taken = 0;
        while (taken < bytes && failure == null) {
            if (!links.buffers().hasRoom(sending.size())) {
                isBlocked = true;
                links.watch(this);
                break;
            }
            final int length = Math.min(bytes - taken, PieceLayout.BYTES_MAX);
            final SendBuffer buffer = links.buffers().take();
            MemorySegment.copy(memory, from + taken, buffer.memory(), PieceLayout.HEAD, length);
            send(buffer, length, false);
            taken += length;
        }
        return taken;
    }

    private void send(SendBuffer buffer, int length, boolean isClose) {
        PieceLayout.writeHead(buffer.memory(), peerNumber, sentCount++, isClose);
        path().send(UcxLinks.MESSAGE, buffer.memory(), 0, 0, buffer.memory(), 0, PieceLayout.HEAD + (long) length,
            UcxMessageMode.EAGER, buffer.request());
        started(buffer);
    }

    /** Takes note of a buffer whose operation has begun, and may have ended already. */
    private void started(SendBuffer buffer) {
        if (sending.isEmpty() && buffer.request().isDone()) {
            finished(buffer);
        } else {
            sending.add(buffer);
            links.watch(this);
        }
    }

    private void finished(SendBuffer buffer) {
        final UcxStatus status = buffer.request().status();
        links.buffers().giveBack(buffer);
        if (status != UcxStatus.OK && failure == null) {
            failure = lost(status);
            links.failed();
        }
    }

    // ---- the end ----

    @Override
    public void close() {
        if (state.isOpen() && failure == null) {
            deadlineNs = links.nowNs() + RdmaTransport.DRAIN_NS;
            move(state == UcxLinkState.OPEN ? UcxLinkState.CLOSING : UcxLinkState.LOST_CLOSING);
            sendClose();
        } else if (!state.isOver() && !state.isClosing()) {
            move(UcxLinkState.OVER);
        }
    }

    /** Sends CLOSE behind the last bytes, once the first piece of the peer has arrived. */
    private void sendClose() {
        if (!isCloseSent && receivedCount > 0) {
            isCloseSent = true;
            send(links.buffers().take(), 0, true);
        }
    }

    /** Ends a closing link whose path has failed or whose time is over, and flushes behind the last piece. */
    void pollClosing(long nowNs) {
        if (!state.isClosing()) {
            return;
        }
        if (broken() != null || failure != null) {
            move(UcxLinkState.OVER);
        } else if (nowNs - deadlineNs > 0) {
            cutShort();
        } else if (sending.isEmpty() && flush == null && isCloseSent) {
            final SendBuffer buffer = links.buffers().take();
            flush = buffer;
            path().flush(buffer.request());
        }
    }

    /** Ends a closing link before the peer has answered CLOSE: the peer may miss the last bytes. */
    void cutShort() {
        move(UcxLinkState.OVER);
        links.countCutShort();
    }

    /** Ends path and connection of a link that is over, and hands the buffers to the caller. Not during an event. */
    void release(ArrayDeque<SendBuffer> buffers) {
        if (path != null) {
            path.close(UcxCloseMode.FORCE);
            path = null;
        }
        if (connection != null) {
            connection.close();
            connection = null;
        }
        buffers.addAll(sending);
        sending.clear();
        isBlocked = false;
        if (flush != null) {
            buffers.add(flush);
            flush = null;
        }
        move(UcxLinkState.RELEASED);
    }

    /** For messages of failures in tests. */
    @Override
    public String toString() {
        return peer() + " " + state + ", sent " + sentCount + ", received " + receivedCount;
    }
}
