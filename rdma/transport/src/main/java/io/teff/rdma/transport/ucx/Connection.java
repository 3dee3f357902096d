package io.teff.rdma.transport.ucx;

import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection beside the path of a link; see {@link Connections}. {@link #setOwner}, {@link #answer} and {@link
 * #close} are for the agent, and events of TCP come from the thread of the connections.
 */
final class Connection implements LinkEvents {
    /** Takes what happens to a connection, in the agent's poll. */
    interface Owner {
        /** Takes the HELLO of the other side. */
        void greeted(MemorySegment hello);

        /** Takes the end of the connection; nothing follows. Not called if the agent has closed it. */
        void connectionEnded(IOException why);
    }

    /** Takes an accepted connection when HELLO has arrived, in the agent's poll. */
    interface Doorkeeper {
        /** Takes a connection, sets its owner or closes it. */
        void greeted(Connection connection, MemorySegment hello);
    }

    private static final byte[] NO_MORE = {};

    private final Connections connections;
    private final String peer;
    private final @Nullable Doorkeeper doorkeeper;
    private @Nullable Owner owner;
    private boolean isClosed;

    // ---- of the thread ----

    private @Nullable Link link;
    private byte[] hello = new byte[Hello.BYTES];
    private int helloBytes;
    private @Nullable MemorySegment unsent;
    private int sentBytes;
    private boolean isConnected;
    private boolean isOver;

    private Connection(Connections connections, String peer, @Nullable Doorkeeper doorkeeper, @Nullable Owner owner) {
        this.connections = connections;
        this.peer = peer;
        this.doorkeeper = doorkeeper;
        this.owner = owner;
    }

    static Connection dialed(Connections connections, String peer, Owner owner, byte[] hello) {
        final Connection connection = new Connection(connections, peer, null, owner);
        connection.unsent = MemorySegment.ofArray(hello);
        return connection;
    }

    static Connection accepted(Connections connections, Link link, Doorkeeper doorkeeper) {
        final Connection connection = new Connection(connections, link.peer(), doorkeeper, null);
        connection.link = link;
        return connection;
    }

    // ---- for the agent ----

    /** {@return the address of the other end, for people} */
    String peer() {
        return peer;
    }

    /** Sets what takes the end of an accepted connection. */
    void setOwner(Owner its) {
        owner = its;
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
        final Owner its = owner;
        if (its != null && !isClosed) {
            isClosed = true;
            its.connectionEnded(why);
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
            closed(new IOException("the peer has sent more than HELLO, so it does not speak this protocol"));
            return;
        }
        MemorySegment.copy(memory, from, MemorySegment.ofArray(hello), helloBytes, bytes);
        helloBytes += bytes;
        if (helloBytes == hello.length) {
            connections.greeted(this);
            final MemorySegment whole = MemorySegment.ofArray(hello);
            hello = NO_MORE;
            helloBytes = 0;
            final Doorkeeper its = doorkeeper;
            connections.post(its == null ? () -> greet(whole) : () -> its.greeted(this, whole));
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
