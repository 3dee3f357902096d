package io.teff.engine.raw;

/** Chunks beside a collection that a change of the collection changes in its group. For the thread of the change. */
public interface RawGroup {
    /**
     * Stores a chunk.
     *
     * @param cid a reserved CID, or a chunk
     * @param content has the content
     * @throws io.teff.engine.error.StoreException if there is no memory; the chunk is as before
     */
    void store(long cid, byte[] content);

    /**
     * Stores a chunk if there is memory.
     *
     * @param cid a reserved CID, or a chunk
     * @param content has the content
     * @return whether the chunk has the content
     */
    boolean tryStore(long cid, byte[] content);

    /**
     * Writes 8 bytes of a chunk in place, which needs no memory.
     *
     * @param cid a chunk
     * @param at offset of the 8 bytes, which are in the chunk
     * @param value the 8 bytes, little-endian
     */
    void putLong(long cid, int at, long value);
}
