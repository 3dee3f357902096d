package io.teff.engine.raw;

/** Chunks beside a {@link RawMap} that a change of the map changes in its own group. For the thread of the change. */
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
     * Writes the first 8 bytes of a chunk in place, which needs no memory.
     *
     * @param cid a chunk of at least 8 bytes
     * @param value its first 8 bytes, little-endian
     */
    void putFirst(long cid, long value);
}
