package io.teff.rdma.transport.ucx;

import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection beside the path of a link, see {@link ControlConnections}. The agent calls {@link #setOwner}, {@link
 * #answer} and {@link #close}. Events of TCP come from the thread of the connections.
 */
final class ControlConnection implements LinkEvents {
    /** Takes the events of a connection, in the poll of the agent. */
    interface Owner {
        /** Takes the HELLO of the peer. */
        void greeted(MemorySegment hello);

        /** Takes the end of the connection; nothing follows. Not called after {@link ControlConnection#close}. */
        void connectionEnded(IOException why);
    }

    /** Takes an accepted connection when HELLO has arrived, in the poll of the agent. */
    interface Doorkeeper {
        /** Takes a connection. Sets the owner, or closes the connection. */
        void greeted(ControlConnection connection, MemorySegment hello);
    }

    private static final byte[] NO_MORE = {};

    private final ControlConnections connections;
    private final String peer;
    private final @Nullable Doorkeeper doorkeeper;
    private @Nullable Owner owner;
    private boolean isClosed;

    // ---- of the thread ----

    private @Nullable Link link;
    private byte[] hello = new byte[UcxHello.BYTES];
    private int helloBytes;
    private @Nullable MemorySegment unsent;
    private int sentBytes;
    private boolean isConnected;
    private boolean isOver;

    private ControlConnection(ControlConnections connections, String peer, @Nullable Doorkeeper doorkeeper,
            @Nullable Owner owner) {
        this.connections = connections;
        this.peer = peer;
        this.doorkeeper = doorkeeper;
        this.owner = owner;
    }

    static ControlConnection dialed(ControlConnections connections, String peer, Owner owner, byte[] hello) {
        final ControlConnection connection = new ControlConnection(connections, peer, null, owner);
        connection.unsent = MemorySegment.ofArray(hello);
        return connection;
    }

    static ControlConnection accepted(ControlConnections connections, Link link, Doorkeeper doorkeeper) {
        final ControlConnection connection = new ControlConnection(connections, link.peer(), doorkeeper, null);
        connection.link = link;
        return connection;
    }

    // ---- for the agent ----

    /** {@return the address of the peer, for messages} */
    String peer() {
        return peer;
    }

    /** Sets the owner of an accepted connection. */
    void setOwner(Owner taker) {
        owner = taker;
    }

    /** Sends HELLO to the dialer. */
    void answer(byte[] bytes) {
        connections.submit(() -> {
            unsent = MemorySegment.ofArray(bytes);
            send();
        });
    }

    /** Ends the connection, without an event. Idempotent. */
    void close() {
        if (!isClosed) {
            isClosed = true;
            connections.submit(this::end);
        }
    }

    private void report(IOException why) {
        final Owner taker = owner;
        if (taker != null && !isClosed) {
            isClosed = true;
            taker.connectionEnded(why);
        }
    }

    // ---- of the thread ----

    void setLink(Link dialed) {
        link = dialed;
    }

    /** Ends the connection, without an event. */
    void end() {
        isOver = true;
        connections.remove(this);
        if (link != null) {
            link.close();
        }
    }

    private void send() {
        final MemorySegment bytes = unsent;
        if (bytes != null && isConnected && !isOver) {
            final int left = (int) bytes.byteSize() - sentBytes;
            sentBytes += Objects.requireNonNull(link).write(bytes, sentBytes, left);
            if (sentBytes == bytes.byteSize()) {
                unsent = null;
            }
        }
    }

    @Override
    public void connected() {
        isConnected = true;
        send();
    }

    @Override
    public void writable() {
        send();
    }

    @Override
    public void bytes(MemorySegment memory, long from, int bytes) {
        if (bytes > hello.length - helloBytes) {
            closed(new IOException("the peer has sent more than HELLO, so the peer does not speak this protocol"));
            return;
        }
        MemorySegment.copy(memory, from, MemorySegment.ofArray(hello), helloBytes, bytes);
        helloBytes += bytes;
        if (helloBytes == hello.length) {
            connections.greeted(this);
            final MemorySegment whole = MemorySegment.ofArray(hello);
            hello = NO_MORE;
            helloBytes = 0;
            final Doorkeeper taker = doorkeeper;
            connections.post(taker == null ? () -> greet(whole) : () -> taker.greeted(this, whole));
        }
    }

    private void greet(MemorySegment whole) {
        if (!isClosed) {
            Objects.requireNonNull(owner).greeted(whole);
        }
    }

    @Override
    public void closed(@Nullable IOException why) {
        if (!isOver) {
            end();
            final IOException reason = why != null ? why : new IOException("the peer has ended the connection");
            connections.post(() -> report(reason));
        }
    }
}
