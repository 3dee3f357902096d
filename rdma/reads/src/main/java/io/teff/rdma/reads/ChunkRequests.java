package io.teff.rdma.reads;

import io.teff.engine.offer.EntryPlace;
import java.lang.foreign.MemorySegment;

/**
 * The requests of a reader to the owner: for locked chunks, for long chunks, for chunks that change without end, and
 * for the places of entries. The owner answers by a get and by {@link io.teff.engine.offer.MemoryOffer#place}. The
 * application implements the requests, for example by requests of the messaging. The reader's thread calls, and waits
 * for the answer.
 */
@FunctionalInterface
public interface ChunkRequests {
    /**
     * An answer of the owner.
     *
     * @param length length of the chunk in bytes, or a status of a get; if the length exceeds the target, nothing was
     *     copied
     * @param place place of the chunk's entry, looked up by the owner after the get
     */
    record Answer(long length, EntryPlace place) {}

    /**
     * Asks for a chunk.
     *
     * @param cid the chunk
     * @param target takes the bytes of the chunk
     * @param offset in the target, in bytes
     * @return the answer
     */
    Answer get(long cid, MemorySegment target, long offset);
}
