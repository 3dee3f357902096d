package io.teff.cluster.net;

import io.teff.engine.codec.Output;
import io.teff.engine.codec.PartialWriter;
import org.jspecify.annotations.Nullable;

/**
 * Where a thread writes a message before it is put: an array that is used again.
 *
 * <p>A message that is too long for it is written in parts, each of which takes the place of the one before it. Only
 * where its codec cannot do so the array becomes as long as the message, and goes with it.
 */
final class Scratch {
    /** Messages up to this length are written at once, by generated code. */
    static final int BYTES_MAX = 64 << 10;
    private static final int BYTES_MIN = 512;
    private static final int NO_LIMIT = Integer.MAX_VALUE - Long.BYTES;
    private static final ThreadLocal<Output> OUTPUTS = ThreadLocal.withInitial(() -> Output.growing(BYTES_MIN));

    private Scratch() {}

    /** The thread's own. */
    static Output get() {
        return OUTPUTS.get();
    }

    /**
     * Writes a message, or, if it is too long, makes what writes it in parts.
     *
     * @param out the thread's; if the message is too long, room for a part of it
     */
    static <T> @Nullable Parts<T> write(int nid, MessageType<T> type, T message, Output out) {
        out.clear(BYTES_MAX);
        try {
            type.codec().write(message, out);
        } catch (IndexOutOfBoundsException e) {                 // one of the codec's own, if it is, comes again
            return writeLong(nid, type, message, out);
        }
        checkSize(nid, type, out);
        return null;
    }

    private static <T> @Nullable Parts<T> writeLong(int nid, MessageType<T> type, T message, Output out) {
        final PartialWriter<T> writer = type.codec().partialWriter();
        if (writer == null) {
            out.clear(NO_LIMIT);
            type.codec().write(message, out);
            checkSize(nid, type, out);
            return null;
        }
        out.clear();
        out.take(BYTES_MAX);
        final Parts<T> parts = new Parts<>(writer, nid, type.bytesMax());
        parts.begin(message);
        return parts;
    }

    private static void checkSize(int nid, MessageType<?> type, Output out) {
        if (out.size() > type.bytesMax()) {
            final int size = out.size();
            release(out);
            throw Parts.tooLarge(nid, String.valueOf(size), type.bytesMax());
        }
    }

    /** Lets an array go that is longer than most messages need. */
    static void release(Output out) {
        if (out.array().length > BYTES_MAX) {
            OUTPUTS.remove();
        }
    }
}
