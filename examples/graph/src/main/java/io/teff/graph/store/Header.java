package io.teff.graph.store;

import io.teff.engine.Chunks;
import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.StoreException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The content of the chunk of {@link HeaderLayout}.
 *
 * @param flags flags of the layout
 * @param vertexCount number of vertices
 * @param bucketShift bits of a vertex in its bucket
 * @param arcCount number of arcs forward
 * @param forward CID of vertex 0
 * @param backward CID of vertex 0 of the reverse, or NONE
 * @param done for each bucket of a load 0, or 1 + its number of arcs
 */
record Header(int flags, int vertexCount, int bucketShift, long arcCount, long forward, long backward, long[] done) {
    private static final int BATCH = 1 << 20;

    boolean directed() {
        return (flags & HeaderLayout.DIRECTED) != 0;
    }

    boolean weighted() {
        return (flags & HeaderLayout.WEIGHTED) != 0;
    }

    RunForm form() {
        return (flags & HeaderLayout.PACKED) != 0 ? RunForm.PACKED : RunForm.PLAIN;
    }

    boolean isLoading() {
        return (flags & HeaderLayout.LOADING) != 0;
    }

    static Header read(Store store, long cid) {
        byte[] bytes = store.chunks().get(cid).orElseThrow();
        if (bytes.length < HeaderLayout.DONE_OFFSET) {
            throw damaged(cid, "a header of " + bytes.length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (in.getLong(HeaderLayout.MAGIC_OFFSET) != HeaderLayout.MAGIC) {
            throw damaged(cid, "no header of a graph");
        }
        int version = in.getInt(HeaderLayout.VERSION_OFFSET);
        if (version != HeaderLayout.VERSION) {
            throw damaged(cid, "a header of version " + version);
        }
        long[] done = new long[(bytes.length - HeaderLayout.DONE_OFFSET) / Long.BYTES];
        for (int i = 0; i < done.length; i++) {
            done[i] = in.getLong(HeaderLayout.DONE_OFFSET + i * Long.BYTES);
        }
        return new Header(in.getInt(HeaderLayout.FLAGS_OFFSET), in.getInt(HeaderLayout.VERTEX_COUNT_OFFSET),
            in.getInt(HeaderLayout.BUCKETS_OFFSET), in.getLong(HeaderLayout.ARC_COUNT_OFFSET),
            in.getLong(HeaderLayout.FORWARD_OFFSET), in.getLong(HeaderLayout.BACKWARD_OFFSET), done);
    }

    private static StoreException damaged(long cid, String what) {
        return new StoreException(Category.FATAL, "chunk " + Cid.toString(cid) + " is " + what);
    }

    byte[] write() {
        byte[] bytes = new byte[HeaderLayout.DONE_OFFSET + done.length * Long.BYTES];
        ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(HeaderLayout.MAGIC_OFFSET, HeaderLayout.MAGIC);
        out.putInt(HeaderLayout.VERSION_OFFSET, HeaderLayout.VERSION);
        out.putInt(HeaderLayout.FLAGS_OFFSET, flags);
        out.putInt(HeaderLayout.VERTEX_COUNT_OFFSET, vertexCount);
        out.putInt(HeaderLayout.BUCKETS_OFFSET, bucketShift);
        out.putLong(HeaderLayout.ARC_COUNT_OFFSET, arcCount);
        out.putLong(HeaderLayout.FORWARD_OFFSET, forward);
        out.putLong(HeaderLayout.BACKWARD_OFFSET, backward);
        for (int i = 0; i < done.length; i++) {
            out.putLong(HeaderLayout.DONE_OFFSET + i * Long.BYTES, done[i]);
        }
        return bytes;
    }

    /** Creates the chunks of the vertices, empty. Buckets: 0 for a graph that is not loaded. */
    static Header create(Store store, int vertexCount, boolean directed, boolean weighted, RunForm form,
                         boolean reverse, int buckets) {
        int flags = (directed ? HeaderLayout.DIRECTED : 0) | (weighted ? HeaderLayout.WEIGHTED : 0)
            | (form == RunForm.PACKED ? HeaderLayout.PACKED : 0) | (buckets > 0 ? HeaderLayout.LOADING : 0);
        long forward = createAll(store, vertexCount);
        long backward = Cid.NONE;
        boolean isDone = false;
        try {
            backward = directed && reverse ? createAll(store, vertexCount) : Cid.NONE;
            isDone = true;
        } finally {
            if (!isDone) {
                removeAll(store, forward, vertexCount);
            }
        }
        return new Header(flags, vertexCount, 0, 0, forward, backward,
            new long[backward == Cid.NONE ? buckets : 2 * buckets]);
    }

    /** Stores the header and binds its name; returns its CID. */
    long bind(Store store, String name) {
        boolean isDone = false;
        long cid = Cid.NONE;
        try {
            if (GraphName.find(store, name) != Cid.NONE) {
                throw new IllegalArgumentException("the store has a graph " + name);
            }
            cid = store.chunks().create(write());
            store.names().bind(GraphName.of(name), cid);
            isDone = true;
            return cid;
        } finally {
            if (!isDone) {
                removeAll(store, forward, vertexCount);
                if (backward != Cid.NONE) {
                    removeAll(store, backward, vertexCount);
                }
                if (cid != Cid.NONE) {
                    store.remove(cid);
                }
            }
        }
    }

    /** Creates empty chunks with consecutive CIDs; returns the first. */
    static long createAll(Store store, int count) {
        if (count == 0) {
            return store.chunks().create(new byte[0]);        // a graph without vertices has a place, too
        }
        long[] cids = new long[count];
        int created = store.batch().create(0, cids, 0, count, true);
        if (created < count) {
            for (int i = 0; i < created; i++) {
                store.remove(cids[i]);
            }
            throw new StoreException(Category.DEGRADED, "no memory for " + count + " vertices");
        }
        return cids[0];
    }

    static void removeAll(Store store, long first, int count) {
        long[] cids = new long[Math.min(Math.max(count, 1), BATCH)];
        for (int from = 0; from < Math.max(count, 1); from += BATCH) {
            int part = Math.min(cids.length, Math.max(count, 1) - from);
            for (int i = 0; i < part; i++) {
                cids[i] = first + from + i;
            }
            store.batch().remove(cids, 0, part, new long[part]);
        }
        Arrays.fill(cids, Cid.NONE);
    }

    /** Marks a bucket as whole. */
    static void done(Store store, long cid, int bucket, long arcs) {
        Chunks.check(cid, store.fields().putLong(cid, HeaderLayout.DONE_OFFSET + (long) bucket * Long.BYTES,
            arcs + 1));
    }

    /** Ends a load. */
    Header ended(int forwardBuckets) {
        long arcs = 0;
        for (int i = 0; i < forwardBuckets; i++) {
            arcs += done[i] - 1;
        }
        return new Header(flags & ~HeaderLayout.LOADING, vertexCount, 0, arcs, forward, backward, new long[0]);
    }
}
