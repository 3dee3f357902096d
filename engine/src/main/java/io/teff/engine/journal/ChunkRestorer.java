package io.teff.engine.journal;

import io.teff.engine.error.StoreException;
import java.lang.foreign.MemorySegment;

/**
 * Fills a store that nobody else sees yet. What is said of a CID takes the place of what was said of its index before,
 * whatever its generation. For many threads, but for one at a time of those that say something of the same index.
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
     * @throws StoreException of category DEGRADED if the memory limit is too small
     */
    void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length);

    /**
     * Begins a chunk that comes in pieces.
     *
     * @param length bytes, above 0
     * @return its content, undefined until it is written
     * @throws StoreException as {@link #put}
     */
    Pieces begin(long length);

    /**
     * Says that a CID was in use: it is not issued again.
     *
     * @param cid any
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

    /** The content of a chunk that is not there yet. To be ended by one of the last two calls. */
    interface Pieces {
        /**
         * Writes a piece.
         *
         * @param at first byte in the chunk
         * @param source what to write
         * @param offset first byte there
         * @param length bytes
         * @throws IndexOutOfBoundsException if that is not inside of the chunk
         */
        void write(long at, MemorySegment source, long offset, long length);

        /**
         * Makes the chunk, as {@link ChunkRestorer#put} does.
         *
         * @param cid its CID
         * @param isReadOnly whether it never changes again
         * @throws StoreException as {@link ChunkRestorer#put}
         */
        void put(long cid, boolean isReadOnly);

        /** Gives its memory back. */
        void discard();
    }
}
