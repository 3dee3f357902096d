package io.teff.engine.storage;

import io.teff.engine.raw.RawGroup;

/**
 * The group of the calling thread, for chunks beside a collection of the cluster.
 *
 * @param chunks chunk operations of the zone, as the collection has them
 */
public record CollectionGroup(CollectionChunks chunks) implements RawGroup {
    @Override
    public void store(long cid, byte[] content) {
        chunks.store(cid, content, 0, content.length);
    }

    @Override
    public boolean tryStore(long cid, byte[] content) {
        return chunks.tryStore(cid, content, 0, content.length);
    }

    @Override
    public void putLong(long cid, int at, long value) {
        chunks.edit(cid, at, Long.BYTES, editor -> editor.putLong(0, value));
    }
}
