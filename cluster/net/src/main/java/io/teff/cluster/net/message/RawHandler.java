package io.teff.cluster.net.message;

import java.lang.foreign.MemorySegment;

/** Handles messages consisting of bytes. */
@FunctionalInterface
public interface RawHandler {
    /**
     * Called for each message. The bytes are valid only until this returns, and must not be changed.
     *
     * @param from NID of the sender
     * @param memory has the bytes, of the heap or not, with unrelated bytes around them; readable by this thread only
     * @param offset of the first byte, with any alignment
     * @param length number of bytes
     * @throws Exception is reported to the listener; the message counts as handled
     */
    void handle(int from, MemorySegment memory, long offset, int length) throws Exception;
}
