package io.teff.rdma.reads;

import java.lang.foreign.MemorySegment;

/**
 * The offered memory of a store in another process, seen by a reader. For a single thread.
 *
 * <p>Reads are collected, and {@link #await} carries out the reads. A {@link #fence} orders the reads before and behind
 * the fence. Reads copy into a buffer of this object.
 */
public interface PeerMemory {
    /** The parts of the memory of a store. */
    enum Part {
        /** Chunks and pages of tables. */
        CHUNKS,
        /** The words of the stripes. */
        STRIPES,
        /** The epoch of the table pages. */
        EPOCH
    }

    /** Bytes of {@link #buffer}: some words, and the longest payload. */
    int BUFFER_BYTES = BufferLayout.BYTES;

    /** {@return the owner's description of the memory} */
    MemoryTicket ticket();

    /** {@return the target of all reads, {@link #BUFFER_BYTES} bytes long} */
    MemorySegment buffer();

    /**
     * Adds a read. The caller checks that the bytes are inside the part.
     *
     * @param part of the memory
     * @param offset in the part, in bytes
     * @param length in bytes, at least 1
     * @param target offset in the buffer
     */
    void read(Part part, long offset, int length, long target);

    /** Lets reads added from now on begin after the end of all earlier reads. */
    void fence();

    /**
     * Waits until all reads have ended.
     *
     * @throws PeerLostException if the peer does not answer any more; all later calls then throw the exception, too
     */
    void await();
}
