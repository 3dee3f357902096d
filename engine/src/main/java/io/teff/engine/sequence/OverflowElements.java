package io.teff.engine.sequence;

import io.teff.engine.error.Status;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CodecBuffers;
import io.teff.engine.storage.CollectionChunks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Elements that are too long for a segment. Each is a chunk of its own; in the segment stands a link, its CID.
 * Thread-safe.
 */
final class OverflowElements {
    static final int LINK_BYTES = Long.BYTES;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final CollectionChunks chunks;

    OverflowElements(CollectionChunks chunks) {
        this.chunks = chunks;
    }

    /** The CID that a link is. */
    static long link(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    /** What a chunk that must be there takes, with its table entry. */
    long takenBytes(long cid) {
        long length = chunks.size(cid);
        if (length == Status.ABSENT) {
            throw ChunkIndex.damaged(chunks, cid, "is gone");
        }
        return chunks.takenBytes(length) + Long.BYTES;
    }

    /** Copies an element to the scratch, which grows if it must; its length, or ABSENT. */
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
