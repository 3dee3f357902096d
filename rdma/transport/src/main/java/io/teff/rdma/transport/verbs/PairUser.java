package io.teff.rdma.transport.verbs;

import io.teff.rdma.verbs.queue.CompletionStatus;
import java.lang.foreign.MemorySegment;

/** The user of a queue pair: takes the results of the device. Called by the agent's thread. */
interface PairUser {
    /**
     * Takes a message of the peer.
     *
     * @param memory of the receive; valid during the call
     * @param from offset of the message
     * @param bytes length of the message
     */
    void received(MemorySegment memory, long from, int bytes);

    /** Takes note of a receive that the device has returned unused, or partly used. */
    void failReceive(CompletionStatus status);

    /** Takes the acknowledgement of a buffer and of all earlier buffers, or the failure of the buffer. */
    void sent(RegisteredBuffer buffer, CompletionStatus status);

    /** Ends soon, because the receive queue has lost too many receives. */
    void failWithoutReceives();

    /** {@return whether the queue pair may have a receive that the device has not returned} */
    boolean mayHoldReceive();
}
