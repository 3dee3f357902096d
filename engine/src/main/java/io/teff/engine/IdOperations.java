package io.teff.engine;

import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/**
 * Operations on CIDs: reserving them before there is content, creating a chunk at a given one, visiting all.
 * Thread-safe.
 *
 * <p>Reserving is for loading graphs: all vertices get their CIDs first, then each is created at its own, with the
 * others' CIDs in its content.
 */
public interface IdOperations {
    /**
     * Takes a CID that has no chunk yet. It is absent to all operations until {@link #createAt}.
     *
     * @return the CID, or FULL
     */
    long reserve();

    /**
     * Takes several CIDs, consecutive ones. In a durable store it is refused before the first one or not at all; where
     * the disk gets full meanwhile, very many wait until there is room.
     *
     * @param cids where to
     * @param from first index
     * @param count how many
     * @return count, or FULL; then none is taken
     */
    int reserve(long[] cids, int from, int count);

    /**
     * Gives a reserved CID up; it is never used again.
     *
     * @param cid what {@link #reserve()} returned
     * @return OK, or ABSENT if it is not reserved
     */
    int unreserve(long cid);

    /**
     * Makes a chunk at a CID that is reserved, or was never issued, or has another creator (a chunk that moves in).
     * Ascending CIDs are fastest; in other orders the page's list of up to 4,096 free ids is searched.
     *
     * @param cid the CID
     * @param source its content
     * @return OK, FULL, or EXISTS if there is a chunk, the CID was issued before, it is set aside for one of the next
     *     creates, or its generation is not above those of its neighbours: when all chunks of a table page (4,096
     *     indexes) are gone, the page is forgotten but for the highest generation that was used in it
     */
    int createAt(long cid, byte[] source);

    /**
     * The same, from a part of an array.
     *
     * @param cid the CID
     * @param source its content
     * @param offset first index
     * @param length bytes
     * @return OK, FULL, or EXISTS
     */
    int createAt(long cid, byte[] source, int offset, int length);

    /**
     * The same, from a segment.
     *
     * @param cid the CID
     * @param source its content
     * @param offset first byte
     * @param length bytes
     * @return OK, FULL, or EXISTS
     */
    int createAt(long cid, MemorySegment source, long offset, long length);

    /**
     * The same, of zeros.
     *
     * @param cid the CID
     * @param length bytes
     * @return OK, FULL, or EXISTS
     */
    int createAt(long cid, long length);

    /**
     * Walks the CIDs of all chunks; weakly consistent like a cursor.
     *
     * @param consumer told of each CID
     */
    void forEach(LongConsumer consumer);
}
