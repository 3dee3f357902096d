package io.teff.cluster.net.stream;

import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.ring.SendStream;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.PartialWriter;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A message as bytes, in a reused array of the thread: the buffer, the array and the message belong to the caller until
 * the thread's next message.
 *
 * <p>A message too long for the array has a separate array of {@link #BYTES_MAX} bytes, and is written there in
 * {@link #parts}. Each part replaces the previous part. Only if the codec cannot write in parts, the array is as long
 * as the message.
 */
public final class MessageBuffer {
    /** Messages up to this length are written at once, by generated code. */
    static final int BYTES_MAX = 64 << 10;
    private static final int BYTES_MIN = 512;
    private static final ThreadLocal<MessageBuffer> OWN =
        ThreadLocal.withInitial(() -> new MessageBuffer(Output.growing(BYTES_MIN), null));

    private final Output out;
    private final @Nullable MessageWriter<?> parts;
    /** Puts the bytes frame by frame if there is no room at once. */
    private final OutgoingMessage message = new OutgoingMessage();
    private final SendWait wait = new SendWait();
    /** Whether a codec writes: messages sent meanwhile by the codec need another buffer. */
    private boolean isBusy;
    /** The memory of a message without a codec; null for messages with a codec. */
    private @Nullable MemorySegment source;
    private long sourceAt;
    private int sourceBytes;

    private MessageBuffer(Output out, @Nullable MessageWriter<?> parts) {
        this.out = out;
        this.parts = parts;
    }

    /** {@return a message as bytes, or, if it is too long, the beginning of its parts} */
    public static <T> MessageBuffer write(int nid, MessageType<T> type, T message) {
        final MessageBuffer buffer = OWN.get();
        final MessageBuffer own = buffer.isBusy ? new MessageBuffer(Output.growing(BYTES_MIN), null) : buffer;
        own.source = null;
        own.out.clear(BYTES_MAX);
        own.isBusy = true;
        try {
            own.out.putValue(type.codec(), message);
        } catch (IndexOutOfBoundsException e) {
            // if thrown by the codec itself, the exception is thrown again
            return writeLong(nid, type, message);
        } finally {
            own.isBusy = false;
        }
        checkSize(nid, type, own.out);
        return own;
    }

    /**
     * Returns a message whose bytes are copied from other memory during a put. The caller calls {@link #release}
     * afterwards.
     */
    public static MessageBuffer raw(MemorySegment memory, long offset, int length) {
        final MessageBuffer buffer = OWN.get();
        final MessageBuffer own = buffer.isBusy ? new MessageBuffer(Output.growing(BYTES_MIN), null) : buffer;
        own.source = memory;
        own.sourceAt = offset;
        own.sourceBytes = length;
        return own;
    }

    /** Drops the references to the memory of a message without a codec. */
    public void release() {
        source = null;
        message.release();
    }

    private static <T> MessageBuffer writeLong(int nid, MessageType<T> type, T message) {
        final PartialWriter<T> writer = type.codec().fixedBytes() >= 0 ? null : type.codec().partialWriter();
        if (writer == null) {
            final Output out = Output.growing(BYTES_MAX);
            out.putValue(type.codec(), message);
            checkSize(nid, type, out);
            return new MessageBuffer(out, null);
        }
        final MessageWriter<T> parts = new MessageWriter<>(writer, message, nid, type.bytesMax());
        parts.begin();
        return new MessageBuffer(Output.growing(BYTES_MAX), parts);
    }

    private static void checkSize(int nid, MessageType<?> type, Output out) {
        if (out.size() > type.bytesMax()) {
            throw MessageWriter.tooLarge(nid, String.valueOf(out.size()), type.bytesMax());
        }
    }

    /** {@return the writer of the parts; null if the array has all bytes} */
    public @Nullable MessageWriter<?> parts() {
        return parts;
    }

    /** Returns the number of bytes. If the message has parts, the number of bytes of the current part. */
    int size() {
        return source == null ? out.size() : sourceBytes;
    }

    /** Puts the bytes as one frame, if the message has no parts. */
    int put(SendStream to, int type, int lane, int flags, long correlation) {
        final MemorySegment memory = source;
        return memory == null ? to.put(type, lane, flags, correlation, out.array(), out.start(), out.size())
            : to.put(type, lane, flags, correlation, memory, sourceAt, sourceBytes);
    }

    /**
     * Returns the bytes of this buffer as a message to be put frame by frame; the message returned before must not be
     * used any more.
     */
    OutgoingMessage message(int type, int lane, int flags, long correlation) {
        final MemorySegment memory = source;
        if (memory != null) {
            return message.set(type, lane, flags, correlation, memory, sourceAt, sourceBytes);
        }
        return parts != null ? message.set(type, lane, flags, correlation, parts, out.array(), 0, 0)
            : message.set(type, lane, flags, correlation, null, out.array(), out.start(), out.size());
    }

    /** Returns the measure of the sender's wait for room. */
    SendWait roomWait() {
        return wait;
    }
}
