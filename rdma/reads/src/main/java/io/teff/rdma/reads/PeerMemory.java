package io.teff.rdma.reads;

import java.lang.foreign.MemorySegment;

/**
 * The offered memory of a store in another process, as a reader reaches it. For one thread.
 *
 * <p>Reads are collected and carried out by {@link #await}; a {@link #fence} between them orders them. They copy into a
 * buffer of this object.
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

    /** {@return what the owner has said about its memory} */
    MemoryTicket ticket();

    /** {@return where reads copy to; {@link #BUFFER_BYTES} long} */
    MemorySegment buffer();

    /**
     * Adds a read. It must be in the part, which the caller checks.
     *
     * @param part of the memory
     * @param offset in the part, in bytes
     * @param length in bytes, at least 1
     * @param target offset in the buffer
     */
    void read(Part part, long offset, int length, long target);

    /** Lets the reads that are added from now on begin when all earlier ones have ended. */
    void fence();

    /**
     * Waits until all reads have ended.
     *
     * @throws PeerLostException if the peer does not answer any more; then all later calls throw it, too
     */
    void await();
}
