package io.teff.cluster.net.transport;

import java.lang.foreign.MemorySegment;

/** One connection of a {@link Transport}: two streams of bytes. Used by its agent only. */
public interface Link {
    /**
     * Takes bytes to be sent; they may be changed when the call returns.
     *
     * @param memory where they are
     * @param from first byte
     * @param bytes how many
     * @return how many were taken; if less than given, {@link LinkEvents#writable} is called when more may be
     */
    int write(MemorySegment memory, long from, int bytes);

    /** Nothing was sent for a while: the link lets go of what it remembers of memory that was written from. */
    default void rest() {}

    /** Ends the link; what was taken is sent if that is possible without waiting. Nothing is told any more. */
    void close();

    /** {@return where the other end is, for people} */
    String peer();
}
