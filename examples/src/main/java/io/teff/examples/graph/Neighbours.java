package io.teff.examples.graph;

import io.teff.engine.Store;
import io.teff.engine.error.Status;
import io.teff.engine.view.ChunkView;
import io.teff.engine.view.ReadScope;
import java.util.Arrays;

/**
 * The CIDs in one chunk, copied by a single read; reused for the next chunk. For one thread.
 *
 * <p>The read is a peek, whose scope may run more than once. Each run overwrites all fields, so the last one counts.
 */
final class Neighbours {
    private static final int CAPACITY_FIRST = 64;

    private final Store store;
    private final ReadScope references = this::copyReferences;
    private final ReadScope referrers = view -> copy(view, 0);
    private long[] cids = new long[CAPACITY_FIRST];
    private int count;

    Neighbours(Store store) {
        this.store = store;
    }

    /** Copies the vertexes that a vertex refers to. */
    void readReferences(long vertex) {
        peek(vertex, references);
    }

    /** Copies the vertexes in an incoming chunk. */
    void readReferrers(long incoming) {
        peek(incoming, referrers);
    }

    int count() {
        return count;
    }

    long cid(int index) {
        assert index < count : index;
        return cids[index];
    }

    private void peek(long cid, ReadScope scope) {
        count = 0;
        long result = store.views().peek(cid, scope);
        if (Status.isStatus(result)) {
            throw Refusal.of(result, "read", cid);
        }
    }

    private void copyReferences(ChunkView vertex) {
        copy(vertex, VertexLayout.referencesOffset(vertex.getInt(VertexLayout.NAME_LENGTH_OFFSET)));
    }

    private void copy(ChunkView view, int offset) {
        count = (int) (view.length() - offset) / VertexLayout.CID_BYTES;
        if (count > cids.length) {
            cids = Arrays.copyOf(cids, Math.max(count, cids.length * 2));
        }
        for (int i = 0; i < count; i++) {
            cids[i] = view.getLong(offset + (long) i * VertexLayout.CID_BYTES);
        }
    }
}
