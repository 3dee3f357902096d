package io.teff.cluster.net;

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
final class Scratch {
    /** Messages up to this length are written at once, by generated code. */
    static final int BYTES_MAX = 64 << 10;
    private static final int BYTES_MIN = 512;
    private static final ThreadLocal<Scratch> OWN =
        ThreadLocal.withInitial(() -> new Scratch(Output.growing(BYTES_MIN), null));

    private final Output out;
    private final @Nullable Parts<?> parts;
    /** For who puts it bit by bit, and waits meanwhile. */
    private final Message message = new Message();
    private final RoomWait wait = new RoomWait();
    /** Whether a codec is at it: what that sends meanwhile needs another one. */
    private boolean isBusy;

    private Scratch(Output out, @Nullable Parts<?> parts) {
        this.out = out;
        this.parts = parts;
    }

    /** Writes a message, or, if it is too long, begins to write it in parts. */
    static <T> Scratch write(int nid, MessageType<T> type, T message) {
        final Scratch its = OWN.get();
        final Scratch own = its.isBusy ? new Scratch(Output.growing(BYTES_MIN), null) : its;
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

    private static <T> Scratch writeLong(int nid, MessageType<T> type, T message) {
        final PartialWriter<T> writer = type.codec().partialWriter();
        if (writer == null) {
            final Output out = Output.growing(BYTES_MAX);
            type.codec().write(message, out);
            checkSize(nid, type, out);
            return new Scratch(out, null);
        }
        final Parts<T> parts = new Parts<>(writer, message, nid, type.bytesMax());
        parts.begin();
        return new Scratch(Output.growing(BYTES_MAX), parts);
    }

    private static void checkSize(int nid, MessageType<?> type, Output out) {
        if (out.size() > type.bytesMax()) {
            throw Parts.tooLarge(nid, String.valueOf(out.size()), type.bytesMax());
        }
    }

    /** What makes its bytes, one part after the other; null if they are there. */
    @Nullable Parts<?> parts() {
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
    Message message(int type, int lane, int flags, long correlation) {
        return parts != null ? message.set(type, lane, flags, correlation, parts, array(), 0, 0)
            : message.set(type, lane, flags, correlation, null, array(), start(), size());
    }

    /** The time that who puts it waits for room. */
    RoomWait roomWait() {
        return wait;
    }
}
