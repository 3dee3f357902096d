package io.teff.cluster.net;

import io.teff.cluster.net.message.HandledBy;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RawAnswer;
import io.teff.cluster.net.message.RawAnswerer;
import io.teff.cluster.net.message.RawHandler;
import io.teff.cluster.net.message.RawReader;
import io.teff.cluster.net.message.RawRequestType;
import io.teff.cluster.net.message.RawType;
import io.teff.cluster.net.stream.MessageBuffer;
import io.teff.cluster.net.stream.OpenRawAnswer;
import io.teff.cluster.net.stream.Request;
import io.teff.engine.codec.schema.Codecs;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Messages and requests of a {@link Network} whose content is bytes. The bytes are copied once from the sender's memory
 * into the send buffer; a handler on the agent's thread, and the reader of an answer, read the bytes at the place of
 * arrival. Handlers on other threads read a copy. So does each reader of a message of several frames (more than 8 to
 * 128 KiB). Messages obey the rules of their network: lanes, deadlines, credit, sessions. Thread-safe.
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
     * @param by the thread to handle a message
     * @param handler handles the messages
     * @throws IllegalArgumentException if the type's number has a handler already
     */
    public void handle(RawType type, HandledBy by, RawHandler handler) {
        network.register(of(type), by, delivery -> {
            delivery.checkRaw(type.bytesMax());
            handler.handle(delivery.from(), delivery.memory(), delivery.offset(), delivery.length());
        }, false, true, null);
    }

    /**
     * Registers an answerer.
     *
     * @param type of the requests
     * @param by the thread to handle a request
     * @param answerer answers the requests, at once or later
     * @throws IllegalArgumentException if the type's number has a handler already
     */
    public void answer(RawRequestType type, HandledBy by, RawAnswerer answerer) {
        network.register(of(type.request()), by, delivery -> {
            final RawAnswer answer = (RawAnswer) delivery.opened();
            delivery.checkRaw(type.request().bytesMax());
            answerer.answer(delivery.from(), delivery.memory(), delivery.offset(), delivery.length(), answer);
        }, true, true, delivery -> new OpenRawAnswer(delivery, type.answerBytesMax()));
    }

    // ---- sending ----

    /**
     * Sends a message. Returns when the bytes are in the send buffer: the memory may be used again.
     *
     * @param nid the receiver, not this node
     * @param lane 0 to 255
     * @param type of the message
     * @param memory has the bytes
     * @param offset of the first byte
     * @param length number of bytes
     * @throws NetworkException if the message was not sent: FULL, TIMED_OUT, INTERRUPTED, TOO_LARGE, UNREACHABLE,
     *     REFUSED, MISFIT, LOST or CLOSED
     * @throws IndexOutOfBoundsException if the memory does not have these bytes
     */
    public void send(int nid, int lane, RawType type, MemorySegment memory, long offset, int length) {
        Network.checkLane(lane);
        final MessageBuffer bytes = bytes(nid, type.bytesMax(), memory, offset, length);
        try {
            network.put(nid, lane, type.id(), bytes);
        } finally {
            bytes.release();
        }
    }

    /**
     * Sends a message if there is room now, and otherwise drops the message.
     *
     * @param nid the receiver, not this node
     * @param lane 0 to 255
     * @param type of the message
     * @param memory has the bytes
     * @param offset of the first byte
     * @param length number of bytes
     * @return false if the message was dropped
     * @throws NetworkException if the message was not sent for another reason than lack of room: TOO_LARGE,
     *     UNREACHABLE, REFUSED, MISFIT, LOST or CLOSED
     * @throws IndexOutOfBoundsException if the memory does not have these bytes
     */
    public boolean offer(int nid, int lane, RawType type, MemorySegment memory, long offset, int length) {
        Network.checkLane(lane);
        final MessageBuffer bytes = bytes(nid, type.bytesMax(), memory, offset, length);
        try {
            return network.offer(nid, lane, type.id(), bytes);
        } finally {
            bytes.release();
        }
    }

    /**
     * Sends a request. Returns when the bytes are in the send buffer. The future acts as the future of
     * {@link Network#request}.
     *
     * @param <R> result of the reader
     * @param nid the receiver, not this node
     * @param type of the request
     * @param memory has the bytes
     * @param offset of the first byte
     * @param length number of bytes
     * @param reader reads the answer, on the agent's thread
     * @param timeoutNs longest time until the answer, in nanoseconds, at least 1
     * @return ends once: with the reader's result, or with a {@link NetworkException}
     * @throws NetworkException if the request was not sent: FULL, TIMED_OUT, INTERRUPTED, TOO_LARGE, UNREACHABLE,
     *     REFUSED, MISFIT, LOST or CLOSED
     * @throws IndexOutOfBoundsException if the memory does not have these bytes
     */
    public <R> CompletableFuture<R> request(int nid, RawRequestType type, MemorySegment memory, long offset, int length,
                                            RawReader<R> reader, long timeoutNs) {
        Network.checkTimeout(timeoutNs);
        return begin(nid, type, memory, offset, length, reader, timeoutNs, false).future();
    }

    /**
     * Sends a request and waits for the answer, as {@link Network#call} does.
     *
     * @param <R> result of the reader
     * @param nid the receiver, not this node
     * @param type of the request
     * @param memory has the bytes
     * @param offset of the first byte
     * @param length number of bytes
     * @param reader reads the answer, on the agent's thread
     * @param timeoutNs longest time until the answer, in nanoseconds, at least 1
     * @return the reader's result
     * @throws NetworkException if there is no answer
     * @throws IllegalStateException on the agent's thread, which receives the answers
     * @throws IndexOutOfBoundsException if the memory does not have these bytes
     * @throws InterruptedException if the thread is interrupted; the request may be handled nevertheless
     */
    public <R> R call(int nid, RawRequestType type, MemorySegment memory, long offset, int length, RawReader<R> reader,
                      long timeoutNs) throws InterruptedException {
        return network.call(nid, timeoutNs,
            mayWrite -> begin(nid, type, memory, offset, length, reader, timeoutNs, mayWrite));
    }

    /**
     * Sends a request as {@link #request} does, for a thread whose next step is the wait for the answer. The thread may
     * send the bytes itself instead of waking the agent, and yields to the agent for a moment, so that the answer
     * arrives sooner.
     *
     * @param <R> result of the reader
     * @param nid the receiver, not this node
     * @param type of the request
     * @param memory has the bytes
     * @param offset of the first byte
     * @param length number of bytes
     * @param reader reads the answer, on the agent's thread
     * @param timeoutNs longest time until the answer, in nanoseconds, at least 1
     * @return ends once: with the reader's result, or with a {@link NetworkException}
     * @throws NetworkException if the request was not sent: FULL, TIMED_OUT, INTERRUPTED, TOO_LARGE, UNREACHABLE,
     *     REFUSED, MISFIT, LOST or CLOSED
     * @throws IndexOutOfBoundsException if the memory does not have these bytes
     */
    public <R> CompletableFuture<R> requestAwaited(int nid, RawRequestType type, MemorySegment memory, long offset,
                                                   int length, RawReader<R> reader, long timeoutNs) {
        Network.checkTimeout(timeoutNs);
        final Request<R> waiting = begin(nid, type, memory, offset, length, reader, timeoutNs,
            !Thread.currentThread().isVirtual());               // the thread could be without a processor for long
        network.yieldFor(waiting);
        return waiting.future();
    }

    private <R> Request<R> begin(int nid, RawRequestType type, MemorySegment memory, long offset, int length,
                                 RawReader<R> reader, long timeoutNs, boolean isAwaited) {
        final MessageBuffer bytes = bytes(nid, type.request().bytesMax(), memory, offset, length);
        try {
            final RawType answer = new RawType(type.request().id(), type.answerBytesMax());
            return network.beginRaw(nid, of(answer), bytes, reader, timeoutNs, isAwaited);
        } finally {
            bytes.release();
        }
    }

    /** Returns the type for messages of several frames, whose bytes are collected. */
    private static MessageType<byte[]> of(RawType type) {
        return new MessageType<>(type.id(), Codecs.BYTES, type.bytesMax());
    }

    /** Checks the bytes before anything is claimed. */
    private static MessageBuffer bytes(int nid, int bytesMax, MemorySegment memory, long offset, int length) {
        Objects.checkFromIndexSize(offset, (long) length, memory.byteSize());
        if (length > bytesMax) {
            throw new NetworkException(Reason.TOO_LARGE, nid, "the message has " + length + " bytes, its type allows "
                + bytesMax);
        }
        return MessageBuffer.raw(memory, offset, length);
    }
}
