package io.teff.cluster.net.message;

import java.lang.foreign.MemorySegment;

/**
 * Reads an answer consisting of bytes, on the agent's thread: a reader must be short, and must not wait.
 *
 * @param <R> result for the caller of the request
 */
@FunctionalInterface
public interface RawReader<R> {
    /**
     * Called once, when the answer has arrived. The bytes are valid only until this returns, and must not be changed.
     *
     * @param memory has the bytes, of the heap or not, with unrelated bytes around them; readable by this thread only
     * @param offset of the first byte, with any alignment
     * @param length number of bytes
     * @return the result for the caller of the request
     * @throws Exception ends the request with FAILED, as an unreadable answer
     */
    R read(MemorySegment memory, long offset, int length) throws Exception;
}
