package io.teff.nio.selector.link;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a stream that travel over TCP: a client writes before it knows that the program of the agreement has
 * accepted the connection. The system keeps these bytes when the client's process ends, as for a plain connection.
 *
 * <p>The client counts the bytes, and sends the number with FIRST, the first piece. The server reads TCP until FIRST
 * has told the number, and all these bytes are read.
 *
 * <p>Until FIRST the client may carry on by TCP alone: an answer to the offer was late, or the path has failed. So the
 * server keeps the bytes sent by UCX until FIRST. A link of a server that falls back writes the kept bytes over TCP.
 *
 * <p>Fields are written under a lock of the link, and read by any thread. The lock for sending guards the kept bytes.
 */
final class FirstBytes {
    /** Bytes that a side writes before FIRST: they fit into the buffers of a new connection. */
    static final int BYTES_MAX = 32 << 10;
    private static final long UNKNOWN = -1;
    private static final int WRITES_MAX = 1_000;
    private static final long PAUSE_NS = 1_000_000;

    private volatile long total;
    private volatile long count;
    private volatile boolean isBufferFull;
    private volatile boolean isTcpReadable;
    private volatile boolean isTcpAtEnd;
    private @Nullable ByteArrayOutputStream kept;

    FirstBytes(boolean isOfServer) {
        total = isOfServer ? UNKNOWN : 0;
    }

    // ---- the client ----

    boolean hasRoom() {
        return count < BYTES_MAX && !isBufferFull;
    }

    /** Writes without waiting; returns the number of bytes. */
    long write(SocketChannel tcp, ByteBuffer[] sources, int offset, int length) throws IOException {
        final long before = count;
        for (int i = offset; i < offset + length && hasRoom(); i++) {
            final ByteBuffer source = sources[i];
            final int limit = source.limit();
            source.limit(Math.min(limit, source.position() + (int) (BYTES_MAX - count)));
            try {
                final int part = source.remaining();
                final int written = part == 0 ? 0 : tcp.write(source);
                isBufferFull = written < part;
                final long sum = count;
                count = sum + written;
            } finally {
                source.limit(limit);
            }
        }
        return count - before;
    }

    long count() {
        return count;
    }

    // ---- the server ----

    /** {@return whether the next byte of the stream comes over TCP, or may come over TCP} */
    boolean isNext() {
        return total == UNKNOWN || count < total;
    }

    /** {@return whether the client may carry on by TCP: no piece of the client has arrived} */
    boolean isOpen() {
        return total == UNKNOWN;
    }

    /** Takes note of a piece of the client: the first piece tells how many bytes go over TCP. */
    void told(long bytes) {
        if (total == UNKNOWN) {
            total = bytes;
        }
    }

    /** {@return the number of further bytes that the server may send} */
    long roomToSend(long sent) {
        return isOpen() ? BYTES_MAX - sent : Long.MAX_VALUE;
    }

    /** Keeps bytes that the server sends. */
    void keep(MemorySegment memory, long offset, int bytes) {
        if (isOpen()) {
            final ByteArrayOutputStream before = kept;
            final ByteArrayOutputStream all = before == null ? new ByteArrayOutputStream() : before;
            all.writeBytes(memory.asSlice(offset, bytes).toArray(ValueLayout.JAVA_BYTE));
            kept = all;
        } else {
            kept = null;
        }
    }

    /** Writes the kept bytes over TCP. The buffer of a new connection has room, so mostly one call writes all. */
    void writeKept(SocketChannel tcp) throws IOException {
        final ByteArrayOutputStream all = kept;
        kept = null;
        final ByteBuffer bytes = all == null ? ByteBuffer.allocate(0) : ByteBuffer.wrap(all.toByteArray());
        for (int i = 0; i < WRITES_MAX && bytes.hasRemaining(); i++) {
            if (tcp.write(bytes) == 0) {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        if (bytes.hasRemaining()) {
            throw new IOException("the TCP connection takes no bytes");
        }
    }

    /** Takes note that TCP has bytes, or an end. */
    void tcpReadable() {
        isTcpReadable = true;
    }

    boolean isReadable() {
        return isTcpReadable && !isTcpAtEnd || total > 0;
    }

    boolean isTcpAtEnd() {
        return isTcpAtEnd;
    }

    /** Reads without waiting; returns the number of bytes. */
    long read(SocketChannel tcp, ByteBuffer[] targets, int offset, int length) throws IOException {
        if (isTcpAtEnd) {
            return 0;
        }
        final long part = tcp.read(targets, offset, length);
        if (part < 0) {
            isTcpAtEnd = true;
            return 0;
        }
        isTcpReadable = false;                                  // the watch looks again
        final long sum = count;
        count = sum + part;
        return part;
    }
}
