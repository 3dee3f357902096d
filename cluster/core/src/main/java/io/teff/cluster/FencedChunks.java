package io.teff.cluster;

import io.teff.cluster.service.HoldLostException;
import io.teff.engine.Cid;
import java.util.NoSuchElementException;

/**
 * The chunks of one zone as the holder of a lock changes them. Each change is one request to the owner of the zone. The
 * owner compares the token of the holder with the fence, makes the change, and moves the fence, all in one record. So a
 * holder that was stopped between its check and its change finds out at the owner, also after the zone has moved or was
 * recovered. Thread-safe.
 * <pre>
 *  long fence = store.createNear(data, new byte[8]);
 *  try (Hold hold = store.services().lock("writer").acquire(timeoutNs).orElseThrow()) {
 *      store.fenced(fence, hold.token()).put(data, content);
 *  }
 * </pre>
 */
public final class FencedChunks {
    private final ClusterStore store;
    private final long fence;
    private final long token;

    FencedChunks(ClusterStore store, long fence, long token) {
        this.store = store;
        this.fence = fence;
        this.token = token;
    }

    /** {@return a group of changes behind the fence; its commit returns false after a change of a later holder} */
    public ChunkGroup group() {
        return store.group().fence(fence, token);
    }

    /**
     * Replaces the content of a chunk.
     *
     * @param cid a chunk of the zone of the fence
     * @param content its new content
     * @throws HoldLostException if a later holder has made a change, or the fence does not exist
     * @throws NoSuchElementException if the chunk does not exist
     */
    public void put(long cid, byte[] content) {
        commit(group().put(cid, content), cid);
    }

    /**
     * Removes a chunk.
     *
     * @param cid a chunk of the zone of the fence
     * @throws HoldLostException if a later holder has made a change, or the fence does not exist
     * @throws NoSuchElementException if the chunk does not exist
     */
    public void remove(long cid) {
        commit(group().remove(cid), cid);
    }

    private void commit(ChunkGroup group, long cid) {
        if (group.commit()) {
            return;
        }
        if (group.refusedBy() == fence) {
            throw new HoldLostException("a holder with a later token than " + token + " has changed the chunks behind "
                + "fence " + Cid.toString(fence) + ", or there is no such fence");
        }
        throw new NoSuchElementException("chunk " + Cid.toString(cid) + " does not exist");
    }
}
