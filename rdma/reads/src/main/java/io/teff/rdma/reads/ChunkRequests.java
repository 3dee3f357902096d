package io.teff.rdma.reads;

import io.teff.engine.offer.EntryPlace;
import java.lang.foreign.MemorySegment;

/**
 * How a reader asks the owner: for chunks that are locked, long, or change without end, and for the places of entries.
 * The owner answers by a get, and {@link io.teff.engine.offer.MemoryOffer#place}. Implemented by what connects the two,
 * such as a request of the messaging. Called by the reader's thread, which waits for the answer.
 */
@FunctionalInterface
public interface ChunkRequests {
    /**
     * What the owner has answered.
     *
     * @param length of the chunk, or a status of a get; if it is longer than the target, nothing was copied
     * @param place of its entry, looked up by the owner behind the get; its address is 0 if there is none
     */
    record Answer(long length, EntryPlace place) {}

    /**
     * Asks for a chunk.
     *
     * @param cid the chunk
     * @param target where its bytes go
     * @param offset in the target, in bytes
     * @return the answer
     */
    Answer get(long cid, MemorySegment target, long offset);
}
