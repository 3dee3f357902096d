package io.teff.engine;

import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/**
 * Operations on CIDs: reserve CIDs before their chunks exist, create a chunk at a given CID, visit all CIDs.
 * Thread-safe.
 *
 * <p>Reserving helps to load graphs: reserve the CIDs of all vertices first, then create each vertex with the CIDs of
 * its neighbours in its content.
 */
public interface IdOperations {
    /**
     * Reserves a CID without a chunk. All operations treat it as absent until {@link #createAt}.
     *
     * @return the CID, or FULL
     */
    long reserve();

    /**
     * Reserves consecutive CIDs. A durable store refuses the call before the first CID or not at all; if the disk
     * becomes full during a call for very many CIDs, the call waits for room.
     *
     * @param cids array that receives the CIDs
     * @param from first index
     * @param count how many
     * @return count, or FULL, and then none is reserved
     */
    int reserve(long[] cids, int from, int count);

    /**
     * Ends the reservation of a CID, which is never used again.
     *
     * @param cid result of {@link #reserve()}
     * @return OK, or ABSENT if it is not reserved
     */
    int unreserve(long cid);

    /**
     * Creates a chunk at a CID that is reserved, was never issued, or has another creator (a chunk that migrates to
     * this store). Ascending CIDs are fastest; in any other order, the call searches the page's list of up to 4,096
     * free ids.
     *
     * @param cid the CID
     * @param source its content
     * @return OK, FULL, or EXISTS. EXISTS means that the chunk exists, or the CID was issued before, or is claimed for
     *     one of the next creates, or its generation is too low: when all chunks of a table page (4,096 indexes) have
     *     been removed, the store keeps only the highest generation used in the page, and a new CID must have a higher
     *     one
     */
    int createAt(long cid, byte[] source);

    /**
     * Creates a chunk at a CID from a part of an array; see {@link #createAt(long, byte[])}.
     *
     * @param cid the CID
     * @param source its content
     * @param offset first index
     * @param length bytes
     * @return OK, FULL, or EXISTS
     */
    int createAt(long cid, byte[] source, int offset, int length);

    /**
     * Creates a chunk at a CID from a segment; see {@link #createAt(long, byte[])}.
     *
     * @param cid the CID
     * @param source its content
     * @param offset first byte
     * @param length bytes
     * @return OK, FULL, or EXISTS
     */
    int createAt(long cid, MemorySegment source, long offset, long length);

    /**
     * Creates a chunk of zeros at a CID; see {@link #createAt(long, byte[])}.
     *
     * @param cid the CID
     * @param length bytes
     * @return OK, FULL, or EXISTS
     */
    int createAt(long cid, long length);

    /**
     * Visits the CIDs of all chunks; weakly consistent, like {@link CidCursor}.
     *
     * @param consumer receives each CID
     */
    void forEach(LongConsumer consumer);
}
