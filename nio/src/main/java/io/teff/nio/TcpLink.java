package io.teff.nio;

import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Lookups;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A link over one socket. Used by its agent only. */
final class TcpLink implements Link, Lookups.Waiter {
    /** So much is read before other links have a turn. */
    private static final int READS_MAX = 4;

    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private TcpTransport transport;
    private final SocketChannel channel;
    private final @Nullable TlsChannel tls;
    private final String peer;
    private @Nullable InetSocketAddress target;
    private @Nullable SelectionKey key;
    private @Nullable LinkEvents events;
    private @Nullable IOException failure;
    private boolean isConnected;
    private boolean isOver;
    /** The memory that was written from last, and a view of it. */
    private @Nullable MemorySegment writeMemory;
    private ByteBuffer writeBuffer = NONE;

    TcpLink(TcpTransport transport, SocketChannel channel, @Nullable TlsChannel tls, String peer) {
        this.transport = transport;
        this.channel = channel;
        this.tls = tls;
        this.peer = peer;
    }

    /** Who is told of what happens. */
    void tell(LinkEvents told) {
        events = told;
    }

    void register(SelectionKey its) {
        key = its;
    }

    /** What it is to connect to when its host is found. */
    void setTarget(InetSocketAddress unresolved) {
        target = unresolved;
    }

    @Override
    public void found(@Nullable InetAddress host, @Nullable IOException why) {
        try {
            if (host == null) {
                throw new IOException("nobody knows the host of " + peer, why);
            }
            transport.connect(this, channel, TcpAddress.found(Objects.requireNonNull(target), host));
        } catch (IOException e) {
            end(e);
        }
    }

    @Override
    public boolean isOver() {
        return isOver;
    }

    private LinkEvents events() {
        return Objects.requireNonNull(events);
    }

    private void connected() throws IOException {
        if (tls == null || tls.shake()) {
            isConnected = true;
            Objects.requireNonNull(key).interestOps(SelectionKey.OP_READ);
            events().connected();
        } else {
            interestInRest(tls);
        }
    }

    /** The socket is to say when it takes what TLS has wrapped already. */
    private void interestInRest(TlsChannel its) throws IOException {
        Objects.requireNonNull(key).interestOps(SelectionKey.OP_READ | (its.flush() ? 0 : SelectionKey.OP_WRITE));
    }

    private void failLater(IOException why) {
        failure = why;
        transport.tellLater(this);
        transport.wakeUp();                                     // where it is not the agent's thread
    }

    /** Tells what could not be told when it happened: a failure, or that it was connected at once. */
    void tellNow(ByteBuffer buffer, MemorySegment memory) {
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

    /** Goes on with what TLS has to say first. What came behind its last word may be here, and is told by no socket. */
    private int connect(ByteBuffer buffer, MemorySegment memory) throws IOException {
        connected();
        return isConnected ? read(buffer, memory) : 0;
    }

    // ---- from one agent to another ----

    /** Its selector lets it go. */
    void release() {
        Objects.requireNonNull(key).cancel();
    }

    /** Another selector has it. All that was read is told already; TLS may have something to write. */
    void adopt(TcpTransport its, Selector selector, TlsBuffers buffers) throws IOException {
        transport = its;
        key = channel.register(selector, SelectionKey.OP_READ, this);
        if (tls != null) {
            tls.move(buffers);
            interestInRest(tls);
        }
    }

    // ---- events ----

    /** Its key was selected. */
    int look(ByteBuffer buffer, MemorySegment memory) {
        final SelectionKey its = Objects.requireNonNull(key);
        try {
            if (!isConnected) {
                return channel.isConnected() || channel.finishConnect() ? 1 + connect(buffer, memory) : 1;
            }
            if (its.isWritable() && (tls == null || tls.flush())) {
                its.interestOpsAnd(~SelectionKey.OP_WRITE);
                events().writable();
            }
            return its.isValid() && its.isReadable() ? 1 + read(buffer, memory) : 1;
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

    /** Whether there is something that the socket will not tell of again. */
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

    /** Memory that is gone may have been where other memory is now, so the same place is not enough. */
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
                transport.wakeUp();                             // the same
            }
            return taken;
        } catch (IOException e) {
            failLater(e);
            return writeBuffer.position() - (int) from;         // of TLS the other side may have some records
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
            failure = e;                                        // of no importance: it is over
        }
    }

    @Override
    public String peer() {
        return peer;
    }
}
