package io.teff.engine.journal;

import io.teff.engine.error.StoreException;
import java.lang.foreign.MemorySegment;

/**
 * Fills a store that nobody else sees yet. Each CID's index may be told of once. Thread-safe.
 */
public interface ChunkRestorer {
    /**
     * Makes a chunk.
     *
     * @param cid its CID
     * @param isReadOnly whether it never changes again
     * @param source its content
     * @param offset first byte there
     * @param length bytes
     * @throws StoreException of category DEGRADED if the memory limit is too small, FATAL if the index is in use
     */
    void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length);

    /**
     * Makes a chunk of undefined content, to be written by {@link #write}.
     *
     * @param cid its CID
     * @param isReadOnly whether it never changes again
     * @param length bytes
     * @throws StoreException as {@link #put}
     */
    void make(long cid, boolean isReadOnly, long length);

    /**
     * Writes a part of a chunk that was made by {@link #make}.
     *
     * @param cid the chunk
     * @param at first byte in the chunk
     * @param source what to write
     * @param offset first byte there
     * @param length bytes
     * @throws IndexOutOfBoundsException if that is not inside of the chunk
     */
    void write(long cid, long at, MemorySegment source, long offset, long length);

    /**
     * Says that a CID was in use: it is not issued again.
     *
     * @param cid one of this store's
     * @throws StoreException as {@link #put}
     */
    void removed(long cid);

    /**
     * Says that a CID is reserved.
     *
     * @param cid one of this store's
     * @throws StoreException as {@link #put}
     */
    void reserved(long cid);
}
