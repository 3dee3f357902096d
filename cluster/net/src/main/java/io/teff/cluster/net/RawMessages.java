package io.teff.cluster.net;

import io.teff.cluster.net.message.HandledBy;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.RawAnswerer;
import io.teff.cluster.net.message.RawHandler;
import io.teff.cluster.net.message.RawReader;
import io.teff.cluster.net.message.RawRequestType;
import io.teff.cluster.net.message.RawType;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;

/**
 * Messages and requests of a {@link Network} whose content is bytes. They are copied once from the sender's memory into
 * the send buffer; a handler on the agent's thread, and the reader of an answer, read them where they have arrived.
 * Handlers on other threads read a copy, and so does each reader of a message of several frames (more than 8 to 128
 * KiB). Messages obey the rules of their network: lanes, deadlines, credit, sessions. Thread-safe.
 */
public final class RawMessages {
    private final Network network;

    RawMessages(Network network) {
        this.network = network;
    }

    // ---- handlers ----

    /**
     * Registers a handler.
     *
     * @param type of the messages
     * @param by which thread handles them
     * @param handler handles them
     * @throws IllegalArgumentException if the type's number has a handler already
     */
    public void handle(RawType type, HandledBy by, RawHandler handler) {
        throw new UnsupportedOperationException(network + " " + type + by + handler);
    }

    /**
     * Registers an answerer.
     *
     * @param type of the requests
     * @param by which thread handles them
     * @param answerer answers them, at once or later
     * @throws IllegalArgumentException if the type's number has a handler already
     */
    public void answer(RawRequestType type, HandledBy by, RawAnswerer answerer) {
        throw new UnsupportedOperationException(network + " " + type + by + answerer);
    }

    // ---- sending ----

    /**
     * Sends a message. Returns when its bytes are in the send buffer: their memory may be used again.
     *
     * @param nid the receiver, not this node
     * @param lane 0 to 255
     * @param type of the message
     * @param memory has the bytes
     * @param offset of the first byte
     * @param length number of bytes
     * @throws NetworkException if it was not sent: FULL, TIMED_OUT, INTERRUPTED, TOO_LARGE, UNREACHABLE, REFUSED, LOST
     *     or CLOSED
     * @throws IndexOutOfBoundsException if the memory does not have these bytes
     */
    public void send(int nid, int lane, RawType type, MemorySegment memory, long offset, int length) {
        throw new UnsupportedOperationException(network + " " + nid + lane + type + memory + offset + length);
    }

    /**
     * Sends a message if there is room for it now, and otherwise drops it.
     *
     * @param nid the receiver, not this node
     * @param lane 0 to 255
     * @param type of the message
     * @param memory has the bytes
     * @param offset of the first byte
     * @param length number of bytes
     * @return false if it was dropped
     * @throws NetworkException if it was not sent for another reason: TOO_LARGE, UNREACHABLE, REFUSED, LOST or CLOSED
     * @throws IndexOutOfBoundsException if the memory does not have these bytes
     */
    public boolean offer(int nid, int lane, RawType type, MemorySegment memory, long offset, int length) {
        throw new UnsupportedOperationException(network + " " + nid + lane + type + memory + offset + length);
    }

    /**
     * Sends a request. Returns when its bytes are in the send buffer. The future is as that of {@link Network#request}.
     *
     * @param <R> what the reader makes of the answer
     * @param nid the receiver, not this node
     * @param type of the request
     * @param memory has the bytes
     * @param offset of the first byte
     * @param length number of bytes
     * @param reader reads the answer, on the agent's thread
     * @param timeoutNs longest time until the answer, in nanoseconds, at least 1
     * @return ends once: with what the reader returns, or with a {@link NetworkException}
     * @throws NetworkException if it was not sent: FULL, TIMED_OUT, INTERRUPTED, TOO_LARGE, UNREACHABLE, REFUSED, LOST
     *     or CLOSED
     * @throws IndexOutOfBoundsException if the memory does not have these bytes
     */
    public <R> CompletableFuture<R> request(int nid, RawRequestType type, MemorySegment memory, long offset, int length,
                                            RawReader<R> reader, long timeoutNs) {
        throw new UnsupportedOperationException(network + " " + nid + type + memory + offset + length + reader
            + timeoutNs);
    }

    /**
     * Sends a request and waits for the answer, as {@link Network#call} does.
     *
     * @param <R> what the reader makes of the answer
     * @param nid the receiver, not this node
     * @param type of the request
     * @param memory has the bytes
     * @param offset of the first byte
     * @param length number of bytes
     * @param reader reads the answer, on the agent's thread
     * @param timeoutNs longest time until the answer, in nanoseconds, at least 1
     * @return what the reader returns
     * @throws NetworkException if there is no answer
     * @throws IllegalStateException on the agent's thread, which brings the answers
     * @throws IndexOutOfBoundsException if the memory does not have these bytes
     * @throws InterruptedException if the thread is interrupted; the request may be handled nevertheless
     */
    public <R> R call(int nid, RawRequestType type, MemorySegment memory, long offset, int length, RawReader<R> reader,
                      long timeoutNs) throws InterruptedException {
        throw new UnsupportedOperationException(network + " " + nid + type + memory + offset + length + reader
            + timeoutNs);
    }
}
