package io.teff.cluster.net.stream;

import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.engine.codec.PartialWriter;

/**
 * Writes a long message part by part, by the codec of the message. For one thread.
 *
 * @param <T> type of the message
 * @param writer of the codec
 * @param message to be written
 * @param nid the receiver, for exceptions
 * @param bytesMax longest message allowed by the type
 */
public record MessageWriter<T>(PartialWriter<T> writer, T message, int nid, int bytesMax) {
    /** Begins, again or for the first time, with the first byte. */
    public void begin() {
        writer.begin(message);
    }

    /** Returns whether all bytes are written. */
    boolean isDone() {
        return writer.isDone();
    }

    /**
     * Writes the next bytes; returns the number of written bytes.
     *
     * @param before bytes already written
     */
    int make(byte[] array, int from, int count, int before) {
        final int made = writer.write(array, from, count);
        if (made > bytesMax - before) {
            throw tooLarge(nid, "more than " + bytesMax, bytesMax);
        }
        return made;
    }

    static NetworkException tooLarge(int nid, String bytes, int bytesMax) {
        return new NetworkException(Reason.TOO_LARGE, nid, "the message has " + bytes + " bytes, its type allows "
            + bytesMax);
    }
}
