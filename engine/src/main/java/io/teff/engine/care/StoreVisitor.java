package io.teff.engine.care;

import io.teff.engine.alloc.HeapWalk;

/**
 * What a {@link StoreWalk} tells: the chunks of each page of the table, then the page; then the memory of the region,
 * in which the pages of the table are not told again.
 *
 * @param <E> what the visitor may throw
 */
public interface StoreVisitor<E extends Exception> extends HeapWalk.Visitor<E> {
    /**
     * A chunk.
     *
     * @param cid its CID
     * @param readOnly whether it never changes again
     * @param address of its payload; 0 if that is empty
     * @param length bytes of its payload
     */
    void chunk(long cid, boolean readOnly, long address, long length) throws E;

    /**
     * A page of the chunk table.
     *
     * @param nid the creator
     * @param address its first byte
     * @param firstIndex index of its first entry
     * @param chunks entries of chunks
     * @param reserved entries that are reserved
     * @param retired entries that were used up
     */
    void table(int nid, long address, long firstIndex, int chunks, int reserved, int retired) throws E;
}
