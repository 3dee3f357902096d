package io.teff.engine.care;

import io.teff.engine.alloc.HeapWalk;

/**
 * Receives the content of a store from a {@link StoreWalk}: the chunks of each table page, then the page; then the
 * pages, runs and free stretches of the region, without the table pages.
 *
 * @param <E> exception of the visitor
 */
public interface StoreVisitor<E extends Exception> extends HeapWalk.Visitor<E> {
    /**
     * Called for a chunk.
     *
     * @param cid its CID
     * @param readOnly whether the chunk is read-only
     * @param address address of its payload; 0 if the payload is empty
     * @param length length of its payload in bytes
     */
    void chunk(long cid, boolean readOnly, long address, long length) throws E;

    /**
     * Called for a page of the chunk table.
     *
     * @param nid NID of the creator
     * @param address address of its first byte
     * @param firstIndex index of its first entry
     * @param chunks number of entries with a chunk
     * @param reserved number of reserved entries
     * @param retired number of retired entries
     */
    void table(int nid, long address, long firstIndex, int chunks, int reserved, int retired) throws E;
}
