package io.teff.engine;

import io.teff.engine.view.ChunkFilter;
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
     * Reserves a CID without a chunk. All operations treat the CID as absent until {@link #createAt}.
     *
     * @return the reserved CID, or FULL
     */
    long reserve();

    /**
     * Reserves consecutive CIDs, all or none. A durable store refuses the call before the first CID or not at all; if
     * the disk becomes full during a call for very many CIDs, the call waits for room.
     *
     * @param cids array that receives the CIDs
     * @param from first index in the array
     * @param count number of CIDs, from 0
     * @return {@code count}, or FULL if none was reserved
     * @throws IndexOutOfBoundsException if the range is not inside the array
     */
    int reserve(long[] cids, int from, int count);

    /**
     * Ends the reservation of a CID. The CID is never issued again.
     *
     * @param cid result of {@link #reserve()}
     * @return OK, or ABSENT if the CID is not reserved
     */
    int unreserve(long cid);

    /**
     * Creates a chunk at a CID that is reserved, was never issued, or has another creator (a chunk that migrates to
     * this store). Ascending CIDs are fastest; in any other order, the call searches the list of free indexes of a
     * table page, up to 4,096.
     *
     * @param cid CID of the chunk
     * @param source the content
     * @return OK, FULL, or EXISTS. EXISTS means: the chunk exists, the CID was issued before or is claimed for a future
     *     create, or the generation of the CID is too low. When all chunks of a table page (4,096 indexes) have been
     *     removed, the store keeps only the highest generation used in the page, and a new CID must have a higher
     *     generation
     * @throws IllegalArgumentException if the index of the CID is 0, which is never the index of a chunk
     */
    int createAt(long cid, byte[] source);

    /**
     * Creates a chunk at a CID from a part of an array; see {@link #createAt(long, byte[])}.
     *
     * @param cid CID of the chunk
     * @param source array to copy from
     * @param offset first index in the array
     * @param length length of the chunk in bytes
     * @return OK, FULL, or EXISTS
     */
    int createAt(long cid, byte[] source, int offset, int length);

    /**
     * Creates a chunk at a CID from a segment; see {@link #createAt(long, byte[])}.
     *
     * @param cid CID of the chunk
     * @param source segment to copy from
     * @param offset first byte in the segment
     * @param length length of the chunk in bytes
     * @return OK, FULL, or EXISTS
     */
    int createAt(long cid, MemorySegment source, long offset, long length);

    /**
     * Creates a chunk of zeros at a CID; see {@link #createAt(long, byte[])}.
     *
     * @param cid CID of the chunk
     * @param length length of the chunk in bytes, 0 to {@link io.teff.engine.config.Limits#CHUNK_BYTES_MAX}
     * @return OK, FULL, or EXISTS
     */
    int createAt(long cid, long length);

    /**
     * Visits the CIDs of all chunks; weakly consistent, like {@link CidCursor}.
     *
     * @param consumer receives each CID on the calling thread; may call any operation of the store
     */
    void forEach(LongConsumer consumer);

    /**
     * Visits the CIDs of the chunks that pass a filter; weakly consistent, like {@link CidCursor}: a chunk that changes
     * meanwhile is tested as it was at some moment of the call. In a cluster the owners test their chunks, and send the
     * CIDs that pass.
     *
     * @param filter described conditions
     * @param consumer receives each CID on the calling thread; may call any operation of the store
     */
    void forEach(ChunkFilter filter, LongConsumer consumer);
}
