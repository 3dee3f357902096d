package io.teff.cluster.collect;

import io.teff.engine.ChunkStore;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The fence of a collection, or of a partition of one: the token of the last holder of a lock that has come here. A
 * change with an earlier token is refused. The token is a chunk of the zone, so backups, recoveries and moves carry it.
 *
 * <p><b>Order.</b> A change is inside of the fence from the comparison until its record is in the ring of the peer. A
 * later holder raises the fence while no change is inside. So each change of an earlier holder has a record in front of
 * the record of the later token, or is refused, also at a next owner. The fence is entered inside of the zone's gate,
 * in front of the lock of a ring and of the locks of the collection.
 */
public final class ChangeFence {
    private static final String NAME = "fence ";

    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final long cid;
    private long token;

    private ChangeFence(long cid, long token) {
        this.cid = cid;
        this.token = token;
    }

    private static String name(long root) {
        return NAME + Long.toHexString(root);
    }

    private static ByteBuffer buffer() {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static StoreException noMemory() {
        return new StoreException(Category.DEGRADED, "the peer has no memory for the fence of a collection");
    }

    /** Returns the fence of a collection, or null if it has none. */
    static @Nullable ChangeFence find(ChunkStore view, long root) {
        final var named = view.names().get(name(root)).orElse(null);
        final byte[] content = new byte[Long.BYTES];
        return named == null || view.get(named.cid(), content) != Long.BYTES ? null
            : new ChangeFence(named.cid(), ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).getLong());
    }

    /** Makes the fence of a collection without a fence. */
    static ChangeFence make(ChunkStore view, long root) {
        final long cid = view.create(buffer().array());
        if (cid < 0) {
            throw noMemory();
        }
        view.names().bind(name(root), cid);
        return new ChangeFence(cid, 0);
    }

    /** Removes the chunk. */
    void drop(ChunkStore view, long root) {
        view.remove(cid);
        view.names().drop(name(root));
    }

    /**
     * Raises the fence to the token of a holder, unless the fence has a later token.
     *
     * @param view the served view of the zone
     * @param holder the token
     * @return the token of the fence
     */
    long raise(ChunkStore view, long holder) {
        lock.writeLock().lock();
        try {
            if (holder > token) {
                if (view.put(cid, buffer().putLong(holder).array()) < 0) {
                    throw noMemory();
                }
                token = holder;
            }
            return token;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /**
     * Enters the fence for a change; {@link #leave} follows on this thread, whatever the result is.
     *
     * @return the token of the fence, which stays until the change leaves
     */
    public long enter() {
        lock.readLock().lock();
        return token;
    }

    /** Leaves the fence. */
    public void leave() {
        lock.readLock().unlock();
    }
}
