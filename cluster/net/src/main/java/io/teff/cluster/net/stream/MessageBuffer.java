package io.teff.cluster.net.stream;

import io.teff.cluster.net.message.MessageType;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.PartialWriter;
import org.jspecify.annotations.Nullable;

/**
 * A message as bytes, in an array of its thread that is used again: everything that is asked of it, and its array, are
 * the caller's until the thread's next message.
 *
 * <p>A message that is too long for it has an array of its own, of {@link #BYTES_MAX} bytes, and is written there in
 * {@link #parts}, each of which takes the place of the one before it. Only where its codec cannot do so the array is as
 * long as the message.
 */
public final class MessageBuffer {
    /** Messages up to this length are written at once, by generated code. */
    static final int BYTES_MAX = 64 << 10;
    private static final int BYTES_MIN = 512;
    private static final ThreadLocal<MessageBuffer> OWN =
        ThreadLocal.withInitial(() -> new MessageBuffer(Output.growing(BYTES_MIN), null));

    private final Output out;
    private final @Nullable MessageWriter<?> parts;
    /** For who puts it bit by bit, and waits meanwhile. */
    private final OutgoingMessage message = new OutgoingMessage();
    private final SendWait wait = new SendWait();
    /** Whether a codec is at it: what that sends meanwhile needs another one. */
    private boolean isBusy;

    private MessageBuffer(Output out, @Nullable MessageWriter<?> parts) {
        this.out = out;
        this.parts = parts;
    }

    /** Writes a message, or, if it is too long, begins to write it in parts. */
    public static <T> MessageBuffer write(int nid, MessageType<T> type, T message) {
        final MessageBuffer its = OWN.get();
        final MessageBuffer own = its.isBusy ? new MessageBuffer(Output.growing(BYTES_MIN), null) : its;
        own.out.clear(BYTES_MAX);
        own.isBusy = true;
        try {
            type.codec().write(message, own.out);
        } catch (IndexOutOfBoundsException e) {                 // one of the codec's own, if it is, comes again
            return writeLong(nid, type, message);
        } finally {
            own.isBusy = false;
        }
        checkSize(nid, type, own.out);
        return own;
    }

    private static <T> MessageBuffer writeLong(int nid, MessageType<T> type, T message) {
        final PartialWriter<T> writer = type.codec().partialWriter();
        if (writer == null) {
            final Output out = Output.growing(BYTES_MAX);
            type.codec().write(message, out);
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

    /** What makes its bytes, one part after the other; null if they are there. */
    public @Nullable MessageWriter<?> parts() {
        return parts;
    }

    /** Has its bytes, or, if they are made in parts, is where they are made. */
    byte[] array() {
        return out.array();
    }

    /** Where its bytes begin. */
    int start() {
        return out.start();
    }

    /** How many bytes are there. */
    int size() {
        return out.size();
    }

    /** The same as a message that is put bit by bit; the one before it is of no use any more. */
    OutgoingMessage message(int type, int lane, int flags, long correlation) {
        return parts != null ? message.set(type, lane, flags, correlation, parts, array(), 0, 0)
            : message.set(type, lane, flags, correlation, null, array(), start(), size());
    }

    /** The time that who puts it waits for room. */
    SendWait roomWait() {
        return wait;
    }
}
