package io.teff.nio;

import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.security.cert.X509Certificate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A link over a socket. Used by the thread of its agent only. */
final class TcpLink implements Link {
    /** Maximum number of reads of one link before the next link has a turn. */
    private static final int READS_MAX = 4;

    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private TcpTransport transport;
    private final SocketChannel channel;
    private final @Nullable TlsChannel tls;
    private final String peer;
    private @Nullable SelectionKey key;
    private @Nullable LinkEvents events;
    private @Nullable IOException failure;
    private boolean isConnected;
    private boolean isOver;
    /** The memory of the last write, and a view of this memory. */
    private @Nullable MemorySegment writeMemory;
    private ByteBuffer writeBuffer = NONE;

    TcpLink(TcpTransport transport, SocketChannel channel, @Nullable TlsChannel tls, String peer) {
        this.transport = transport;
        this.channel = channel;
        this.tls = tls;
        this.peer = peer;
    }

    /** Sets the receiver of events. */
    void setEvents(LinkEvents receiver) {
        events = receiver;
    }

    void register(SelectionKey selectionKey) {
        key = selectionKey;
    }

    private LinkEvents events() {
        return Objects.requireNonNull(events);
    }

    private void connected() throws IOException {
        if (tls == null || tls.handshake()) {
            isConnected = true;
            Objects.requireNonNull(key).interestOps(SelectionKey.OP_READ);
            events().connected();
        } else {
            registerForUnsent(tls);
        }
    }

    /** Registers for writing while the socket has not accepted all wrapped bytes of TLS. */
    private void registerForUnsent(TlsChannel unsent) throws IOException {
        Objects.requireNonNull(key).interestOps(SelectionKey.OP_READ | (unsent.flush() ? 0 : SelectionKey.OP_WRITE));
    }

    private void failLater(IOException why) {
        failure = why;
        transport.reportLater(this);
        transport.wakeUp();                                     // needed if this is not the agent's thread
    }

    /** Reports an event from outside a poll: a failure, or a connection made at once. */
    void report(ByteBuffer buffer, MemorySegment memory) {
        if (failure != null) {
            end(failure);
        } else if (!isConnected && !isOver) {
            try {
                connect(buffer, memory);
            } catch (IOException e) {
                end(e);
            }
        }
    }

    /**
     * Continues the handshake of TLS, then reads: bytes behind the handshake may be in the TLS buffers already, and the
     * selector does not report bytes there.
     */
    private int connect(ByteBuffer buffer, MemorySegment memory) throws IOException {
        checkNotOwn();
        connected();
        return isConnected ? read(buffer, memory) : 0;
    }

    /**
     * Checks that the socket is not connected to itself. If nothing listens at a port of this machine, the system may
     * give the dialing socket this very port. The socket would then read its own bytes as bytes of a foreign node. The
     * node of that port would find the port in use.
     */
    private void checkNotOwn() throws IOException {
        if (channel.getRemoteAddress().equals(channel.getLocalAddress())) {
            throw new ConnectException("nothing listens at " + peer + ": the socket has reached itself");
        }
    }

    // ---- moves between agents ----

    /** Removes the link from its selector. */
    void release() {
        Objects.requireNonNull(key).cancel();
    }

    /**
     * Adds the link to the selector of another agent. All read bytes have been delivered; TLS may have unsent bytes.
     */
    void adopt(TcpTransport newTransport, Selector selector, TlsBuffers buffers) throws IOException {
        transport = newTransport;
        key = channel.register(selector, SelectionKey.OP_READ, this);
        if (tls != null) {
            tls.move(buffers);
            registerForUnsent(tls);
        }
    }

    // ---- events ----

    /** Processes the ready operations of the key; returns the units of work done, at least 1. */
    int process(ByteBuffer buffer, MemorySegment memory) {
        final SelectionKey current = Objects.requireNonNull(key);
        try {
            if (!isConnected) {
                return channel.isConnected() || channel.finishConnect() ? 1 + connect(buffer, memory) : 1;
            }
            if (current.isWritable() && (tls == null || tls.flush())) {
                current.interestOpsAnd(~SelectionKey.OP_WRITE);
                events().writable();
            }
            return current.isValid() && current.isReadable() ? 1 + read(buffer, memory) : 1;
        } catch (IOException e) {
            end(e);
            return 1;
        }
    }

    private int read(ByteBuffer buffer, MemorySegment memory) throws IOException {
        int work = 0;
        for (int reads = 0; (reads < READS_MAX || hasMore()) && !isOver; reads++) {
            buffer.clear();
            final int bytes = tls == null ? channel.read(buffer) : tls.read(buffer);
            if (bytes < 0) {
                end(null);
            } else if (bytes > 0) {
                events().bytes(memory, 0, bytes);
                work += bytes;
            }
            if (bytes < buffer.capacity() && !hasMore()) {
                break;
            }
        }
        return work;
    }

    /** Returns whether there are bytes to read that the selector does not report. */
    private boolean hasMore() {
        return tls != null && tls.hasMore();
    }

    private void end(@Nullable IOException why) {
        if (!isOver) {
            close();
            events().closed(why);
        }
    }

    // ---- writing ----

    /** {@inheritDoc} Memory is compared by identity: freed memory may have had the same address. */
    @Override
    @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"})
    public int write(MemorySegment memory, long from, int bytes) {
        if (isOver || !isConnected || failure != null) {
            return 0;
        }
        if (memory != writeMemory) {
            writeMemory = memory;
            writeBuffer = memory.asByteBuffer();
        }
        writeBuffer.limit((int) from + bytes).position((int) from);
        try {
            final int taken = tls == null ? channel.write(writeBuffer) : tls.write(writeBuffer);
            if (taken < bytes || tls != null && !tls.flush()) {
                Objects.requireNonNull(key).interestOpsOr(SelectionKey.OP_WRITE);
                transport.wakeUp();                             // writes the unsent bytes
            }
            return taken;
        } catch (IOException e) {
            failLater(e);
            return writeBuffer.position() - (int) from;         // with TLS, the peer may have received some records
        }
    }

    @Override
    public void rest() {
        writeMemory = null;
        writeBuffer = NONE;
    }

    @Override
    public void close() {
        if (tls != null && isConnected && !isOver) {
            tls.end();
        }
        isOver = true;
        try {
            channel.close();
        } catch (IOException e) {
            failure = e;                                        // ignored: the link has ended
        }
    }

    @Override
    public @Nullable X509Certificate certificate() {
        return tls == null || !isConnected ? null : tls.peerCertificate();
    }

    @Override
    public String peer() {
        return peer;
    }
}
