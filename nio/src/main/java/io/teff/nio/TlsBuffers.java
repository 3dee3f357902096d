package io.teff.nio;

import java.nio.ByteBuffer;

/**
 * The memory through which all TLS links of an agent take their records, one link after the other: what a link leaves
 * behind here is gone with the next one. So a link has memory for what is not whole, or not taken, and none at rest.
 */
final class TlsBuffers {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    /** So many are received at once. */
    private static final int RECORDS = 2;

    private ByteBuffer received = NONE;
    private ByteBuffer wrapped = NONE;

    /** Empty room for some records that come. */
    ByteBuffer received(int recordBytes) {
        received = room(received, RECORDS * recordBytes);
        return received;
    }

    /** Empty room for a record that goes. */
    ByteBuffer wrapped(int recordBytes) {
        wrapped = room(wrapped, recordBytes);
        return wrapped;
    }

    /** On the heap, which has no limit of its own. */
    private static ByteBuffer room(ByteBuffer its, int bytes) {
        return its.capacity() < bytes ? ByteBuffer.allocate(bytes) : its.clear();
    }

    /** What is left of a buffer, in memory of its own; nothing has none. */
    static ByteBuffer copy(ByteBuffer left) {
        return left.hasRemaining() ? ByteBuffer.allocate(left.remaining()).put(left).flip() : NONE;
    }
}
