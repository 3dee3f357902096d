package io.teff.cluster.net;

import io.teff.engine.codec.Output;
import io.teff.engine.codec.PartialWriter;
import org.jspecify.annotations.Nullable;

/**
 * A message as bytes, in an array of its thread that is used again: everything that is asked of it, and its array, are
 * the caller's until the thread's next message.
 *
 * <p>A message that is too long for it is written in {@link #parts}, each of which takes the place of the one before
 * it. Only where its codec cannot do so there is an array as long as the message, which goes with it.
 */
final class Scratch {
    /** Messages up to this length are written at once, by generated code. */
    static final int BYTES_MAX = 64 << 10;
    private static final int BYTES_MIN = 512;
    private static final ThreadLocal<Scratch> OWN =
        ThreadLocal.withInitial(() -> new Scratch(Output.growing(BYTES_MIN), null));

    private final Output out;
    private final @Nullable Parts<?> parts;

    private Scratch(Output out, @Nullable Parts<?> parts) {
        this.out = out;
        this.parts = parts;
    }

    /** Writes a message, or, if it is too long, begins to write it in parts. */
    static <T> Scratch write(int nid, MessageType<T> type, T message) {
        final Scratch own = OWN.get();
        own.out.clear(BYTES_MAX);
        try {
            type.codec().write(message, own.out);
        } catch (IndexOutOfBoundsException e) {                 // one of the codec's own, if it is, comes again
            return writeLong(nid, type, message, own.out);
        }
        checkSize(nid, type, own.out);
        return own;
    }

    private static <T> Scratch writeLong(int nid, MessageType<T> type, T message, Output own) {
        final PartialWriter<T> writer = type.codec().partialWriter();
        if (writer == null) {
            final Output out = Output.growing(BYTES_MAX);
            type.codec().write(message, out);
            checkSize(nid, type, out);
            return new Scratch(out, null);
        }
        own.clear();
        own.take(BYTES_MAX);
        final Parts<T> parts = new Parts<>(writer, message, nid, type.bytesMax());
        parts.begin();
        return new Scratch(own, parts);
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

    /** The same as a message that is put bit by bit. */
    Message message(int type, int lane, int flags, long correlation) {
        return parts != null ? Message.of(type, lane, flags, correlation, parts, array())
            : Message.of(type, lane, flags, correlation, array(), start(), size());
    }
}
