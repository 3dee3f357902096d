package io.teff.engine.journal;

import io.teff.engine.error.StoreException;
import java.lang.foreign.MemorySegment;

/**
 * Fills a store that is not yet open to other users. A call for a CID replaces the effect of earlier calls for the same
 * index, of whatever generation. Thread-safe, except that calls for the same index must not overlap.
 */
public interface ChunkRestorer {
    /**
     * Makes a chunk.
     *
     * @param cid its CID
     * @param isReadOnly whether the chunk is read-only
     * @param source its content
     * @param offset index of the first byte in the source
     * @param length length in bytes
     * @throws StoreException of category DEGRADED if the memory limit is too small
     */
    void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length);

    /**
     * Begins a chunk whose content arrives in pieces.
     *
     * @param length length in bytes, above 0
     * @return the content, undefined until it is written
     * @throws StoreException like {@link #put}
     */
    Pieces begin(long length);

    /**
     * Marks a CID as used before: the store never issues it again.
     *
     * @param cid any CID
     * @throws StoreException like {@link #put}
     */
    void removed(long cid);

    /**
     * Marks a CID as reserved.
     *
     * @param cid a CID that this store issues
     * @throws StoreException like {@link #put}
     */
    void reserved(long cid);

    /** The content of a chunk that does not exist yet. Must be ended by {@link #put} or {@link #discard}. */
    interface Pieces {
        /**
         * Writes a piece.
         *
         * @param at offset in the chunk
         * @param source the bytes
         * @param offset index of the first byte in the source
         * @param length number of bytes
         * @throws IndexOutOfBoundsException if the range is not inside the chunk
         */
        void write(long at, MemorySegment source, long offset, long length);

        /**
         * Makes the chunk, as {@link ChunkRestorer#put} does.
         *
         * @param cid its CID
         * @param isReadOnly whether the chunk is read-only
         * @throws StoreException as {@link ChunkRestorer#put}
         */
        void put(long cid, boolean isReadOnly);

        /** Frees the memory of the content; no chunk is created. */
        void discard();
    }
}
