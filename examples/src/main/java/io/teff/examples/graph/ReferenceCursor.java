package io.teff.examples.graph;

import io.teff.engine.ChunkStore;
import io.teff.engine.error.Status;

/** The CIDs in one chunk, copied by a single read; reused for the next chunk. For one thread. */
final class ReferenceCursor {
    private static final int CAPACITY_FIRST = 512;

    private final ChunkStore store;
    private byte[] bytes = new byte[CAPACITY_FIRST];
    private int first;
    private int end;

    ReferenceCursor(ChunkStore store) {
        this.store = store;
    }

    /** Copies the vertexes that a vertex refers to. */
    void readReferences(long vertex) {
        read(vertex);
        first = VertexLayout.referencesAt(bytes, 0);
    }

    /** Copies the vertexes in an incoming chunk. */
    void readReferrers(long incoming) {
        read(incoming);
        first = 0;
    }

    int count() {
        return (end - first) / VertexLayout.CID_BYTES;
    }

    long cid(int index) {
        assert index < count() : index;
        return VertexLayout.cid(bytes, first + index * VertexLayout.CID_BYTES);
    }

    private void read(long cid) {
        int length = store.get(cid, bytes);
        while (length == Status.TOO_SMALL) {
            bytes = new byte[bytes.length * 2];
            length = store.get(cid, bytes);
        }
        end = (int) StatusCheck.check(length, "read", cid);
    }
}
