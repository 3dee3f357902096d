package io.teff.cluster.net.message;

import java.lang.foreign.MemorySegment;

/** A request that is to be answered with bytes, by any thread, at any time; see {@link PendingAnswer}. */
public interface RawAnswer extends PendingAnswer {
    /**
     * Ends the request with its answer. Never waits: without room to send, the bytes are copied and kept until there is
     * room.
     *
     * @param memory has the bytes; may be used again when this returns
     * @param offset of the first byte
     * @param length number of bytes, at most what the type allows
     * @return whether this call has ended the request; false if it had ended before, and nothing is sent
     * @throws IndexOutOfBoundsException if the memory does not have these bytes; the request goes on
     * @throws IllegalArgumentException if the answer is longer than its type allows; the request goes on
     */
    boolean complete(MemorySegment memory, long offset, int length);
}
