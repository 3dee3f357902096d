package io.teff.cluster.net.stream;

import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.engine.codec.PartialWriter;

/**
 * A long message that its codec writes part by part. For one thread.
 *
 * @param <T> type of the message
 * @param writer writes it
 * @param message what
 * @param nid to whom, for complaints
 * @param bytesMax longest that its type allows
 */
public record MessageWriter<T>(PartialWriter<T> writer, T message, int nid, int bytesMax) {
    /** Begins, again or for the first time, with its first byte. */
    public void begin() {
        writer.begin(message);
    }

    /** Whether all bytes are made. */
    boolean isDone() {
        return writer.isDone();
    }

    /**
     * Makes the next bytes; how many.
     *
     * @param before so many were made before
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
