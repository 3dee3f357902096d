package io.teff.nio;

import java.nio.ByteBuffer;

/**
 * The buffers of TLS records shared by all TLS links of an agent, in turn: each link overwrites the bytes of the
 * previous link. A link copies an incomplete record or unsent bytes to memory of its own, and needs no memory when
 * idle. For one thread.
 */
final class TlsBuffers {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    /** Maximum number of records received by one read of the socket. */
    private static final int RECORDS = 2;

    private ByteBuffer received = NONE;
    private ByteBuffer wrapped = NONE;

    /** Returns an empty buffer for received records. */
    ByteBuffer received(int recordBytes) {
        received = empty(received, RECORDS * recordBytes);
        return received;
    }

    /** Returns an empty buffer for one record to send. */
    ByteBuffer wrapped(int recordBytes) {
        wrapped = empty(wrapped, recordBytes);
        return wrapped;
    }

    /** Returns an empty heap buffer of at least {@code bytes}: direct memory would have a limit of its own. */
    private static ByteBuffer empty(ByteBuffer buffer, int bytes) {
        return buffer.capacity() < bytes ? ByteBuffer.allocate(bytes) : buffer.clear();
    }

    /** Returns a copy of the remaining bytes; an empty buffer needs no memory. */
    static ByteBuffer copy(ByteBuffer left) {
        return left.hasRemaining() ? ByteBuffer.allocate(left.remaining()).put(left).flip() : NONE;
    }
}
