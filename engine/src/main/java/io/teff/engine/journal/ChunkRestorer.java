package io.teff.engine.journal;

import io.teff.engine.error.StoreException;
import java.lang.foreign.MemorySegment;

/**
 * Fills a store during a restore, before its users can access it. A call for a CID replaces the effect of earlier calls
 * for the same creator and index, regardless of the generation. Thread-safe, except that calls for the same index must
 * not overlap.
 */
public interface ChunkRestorer {
    /**
     * Creates a chunk.
     *
     * @param cid CID of the chunk
     * @param isReadOnly whether the chunk is read-only
     * @param source segment to copy from
     * @param offset first byte in the segment
     * @param length length of the chunk in bytes
     * @throws StoreException of category DEGRADED if the memory limit is too small
     */
    void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length);

    /**
     * Changes bytes of a chunk that was restored before.
     *
     * @param cid CID of the chunk
     * @param source segment with a valid content of kind {@link Journal#BYTES}, see {@link ChangedBytes}
     * @param offset of the content there
     * @param length bytes of the content
     * @return false if there is no chunk of this CID that can be changed
     * @throws StoreException like {@link #put}
     */
    default boolean change(long cid, MemorySegment source, long offset, int length) {
        throw new UnsupportedOperationException("bytes of chunk " + Long.toHexString(cid));
    }

    /**
     * Allocates memory for a chunk whose content arrives in pieces.
     *
     * @param length length of the chunk in bytes, above 0
     * @return the content; its bytes are undefined until they are written
     * @throws StoreException like {@link #put}
     */
    Pieces begin(long length);

    /**
     * Allows an eighth more memory than the limit until the restore ends. A restore of a full store may need this
     * memory, because chunks are placed differently.
     *
     * @return false if there is none, or it is in use already
     */
    default boolean useHeadroom() {
        return false;
    }

    /**
     * Marks a CID as used: the store never issues it again.
     *
     * @param cid any CID
     * @throws StoreException like {@link #put}
     */
    void removed(long cid);

    /**
     * Marks a CID as reserved.
     *
     * @param cid a CID whose creator is this store
     * @throws StoreException like {@link #put}
     */
    void reserved(long cid);

    /**
     * The content of a chunk that does not exist yet. The caller must end it by one call of {@link #put} or
     * {@link #discard}.
     */
    interface Pieces {
        /**
         * Writes a piece.
         *
         * @param at first byte in the chunk
         * @param source segment to copy from
         * @param offset first byte in the segment
         * @param length number of bytes
         * @throws IndexOutOfBoundsException if the range is not inside the chunk
         */
        void write(long at, MemorySegment source, long offset, long length);

        /**
         * Creates the chunk with the content written so far, like {@link ChunkRestorer#put}.
         *
         * @param cid CID of the chunk
         * @param isReadOnly whether the chunk is read-only
         * @throws StoreException like {@link ChunkRestorer#put}
         */
        void put(long cid, boolean isReadOnly);

        /** Frees the memory of the content; no chunk is created. */
        void discard();
    }
}
