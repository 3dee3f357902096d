package io.teff.engine.sequence;

import io.teff.engine.error.Status;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CodecBuffers;
import io.teff.engine.storage.CollectionChunks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The elements that are too long for a segment. Each is stored in a chunk of its own, and the segment contains a link,
 * the CID of the chunk. Thread-safe.
 */
final class OverflowElements {
    static final int LINK_BYTES = Long.BYTES;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final CollectionChunks chunks;

    OverflowElements(CollectionChunks chunks) {
        this.chunks = chunks;
    }

    /** Returns the CID in a link. */
    static long link(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    /** Returns the bytes of memory that a chunk and its table entry take. The chunk must exist. */
    long takenBytes(long cid) {
        long length = chunks.size(cid);
        if (length == Status.ABSENT) {
            throw ChunkIndex.damaged(chunks, cid, "is gone");
        }
        return chunks.takenBytes(length) + Long.BYTES;
    }

    /** Copies an element to the buffers, which grow as needed; returns its length, or ABSENT. */
    int copy(long cid, CodecBuffers buffers) {
        for (;;) {
            int length = chunks.get(cid, buffers.bytes());
            if (length != Status.TOO_SMALL) {
                return length;
            }
            buffers.grow();
        }
    }
}
