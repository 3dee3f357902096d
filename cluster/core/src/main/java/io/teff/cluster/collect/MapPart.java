package io.teff.cluster.collect;

import io.teff.engine.ChunkStore;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import org.jspecify.annotations.Nullable;

/**
 * The {@link RangeState} of a part of a sorted map, as a chunk of the zone of the part. So backups, recoveries and
 * moves carry the state, and the record of the state has its place among the records of the entries. Guarded by the
 * lock of the collection.
 */
final class MapPart {
    private static final String NAME = "part ";

    private final long cid;
    private RangeState state;

    private MapPart(long cid, RangeState state) {
        this.cid = cid;
        this.state = state;
    }

    private static String name(long root) {
        return NAME + Long.toHexString(root);
    }

    private static byte[] bytes(RangeState state) {
        final Output out = Output.growing(128);
        out.putValue(RangeState.CODEC, state);
        return out.toByteArray();
    }

    private static StoreException noMemory() {
        return new StoreException(Category.DEGRADED, "the peer has no memory for the bounds of a part of a sorted map");
    }

    /** Returns the part with a root, or null if the collection was never split. */
    static @Nullable MapPart find(ChunkStore view, long root) {
        final var named = view.names().get(name(root)).orElse(null);
        final long size = named == null ? -1 : view.size(named.cid());
        if (named == null || size < 0) {
            return null;
        }
        final byte[] content = new byte[(int) size];
        if (view.get(named.cid(), content, 0) != size) {
            throw new StoreException(Category.RETRY, "the bounds of a part of a sorted map have changed");
        }
        return new MapPart(named.cid(), RangeState.CODEC.read(new Input(content, 0, content.length)));
    }

    /** Makes a part of a collection that was never split. */
    static MapPart make(ChunkStore view, long root, RangeState state) {
        final long cid = view.create(bytes(state));
        if (cid < 0) {
            throw noMemory();
        }
        view.names().bind(name(root), cid);
        return new MapPart(cid, state);
    }

    RangeState state() {
        return state;
    }

    /** Records another state. */
    void set(ChunkStore view, RangeState next) {
        if (view.put(cid, bytes(next)) < 0) {
            throw noMemory();
        }
        state = next;
    }

    /** Removes the chunk. */
    void drop(ChunkStore view, long root) {
        view.remove(cid);
        view.names().drop(name(root));
    }
}
