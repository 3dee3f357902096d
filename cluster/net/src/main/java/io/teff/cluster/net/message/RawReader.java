package io.teff.cluster.net.message;

import java.lang.foreign.MemorySegment;

/**
 * Reads an answer whose content is bytes, on the agent's thread: it must be short, and must not wait.
 *
 * @param <R> what the caller of the request receives
 */
@FunctionalInterface
public interface RawReader<R> {
    /**
     * Called once, when the answer has arrived. The bytes are valid only until this returns, and must not be changed.
     *
     * @param memory has the bytes, of the heap or not, and others around them; readable by this thread only
     * @param offset of the first byte, with any alignment
     * @param length number of bytes
     * @return what the caller of the request receives
     * @throws Exception ends the request with FAILED, as an answer that cannot be read
     */
    R read(MemorySegment memory, long offset, int length) throws Exception;
}
