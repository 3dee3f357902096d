package io.teff.cluster.net.message;

import java.lang.foreign.MemorySegment;

/** Answers requests consisting of bytes, at a time chosen by the answerer. */
@FunctionalInterface
public interface RawAnswerer {
    /**
     * Called for each request. The bytes are valid only until this returns, and must not be changed; the answer
     * may be completed then, or later by any thread.
     *
     * @param from NID of the sender
     * @param memory has the bytes, of the heap or not, with unrelated bytes around them; readable by this thread only
     * @param offset of the first byte, with any alignment
     * @param length number of bytes
     * @param answer to be completed once; the request has already ended if the sender wants no answer
     * @throws Exception ends the request with FAILED and the message of the exception, unless the request has ended; is
     *     reported to the listener
     */
    void answer(int from, MemorySegment memory, long offset, int length, RawAnswer answer) throws Exception;
}
