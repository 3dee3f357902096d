package io.teff.cluster.net.message;

import java.lang.foreign.MemorySegment;

/** A request to be answered with bytes, by any thread, at any time; see {@link PendingAnswer}. */
public interface RawAnswer extends PendingAnswer {
    /**
     * Ends the request with the answer. Never waits: without room to send, the bytes are copied and kept until there is
     * room.
     *
     * @param memory has the bytes; may be used again when this returns
     * @param offset of the first byte
     * @param length number of bytes, at most the limit of the type
     * @return whether this call has ended the request; false if the request had ended before, and nothing is sent
     * @throws IndexOutOfBoundsException if the memory does not have these bytes; the request goes on
     * @throws IllegalArgumentException if the answer is longer than allowed by its type; the request goes on
     */
    boolean complete(MemorySegment memory, long offset, int length);
}
