package io.teff.cluster.net.message;

import io.teff.cluster.net.wire.Frame;
import io.teff.engine.codec.Codec;
import java.util.Objects;

/**
 * A kind of message: number on the wire and codec. All nodes must mean the same by a number.
 *
 * @param <T> type of the messages
 * @param id 1 to 65,535; numbers above 65,000 are reserved for Teff
 * @param codec writes and reads messages; the codec must read exactly the written bytes
 * @param bytesMax longest message sent and accepted, 1 to 2^30 bytes
 */
public record MessageType<T>(int id, Codec<T> codec, int bytesMax) {
    /** Longest message of a type without a limit of its own, in bytes. */
    public static final int BYTES_MAX_DEFAULT = 64 << 20;
    /** Largest limit. */
    public static final int BYTES_MAX = 1 << 30;

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public MessageType {
        if (id < 1 || id > Frame.TYPE_MAX) {
            throw new IllegalArgumentException("id=" + id + " is not in 1 to " + Frame.TYPE_MAX);
        } else if (bytesMax < 1 || bytesMax > BYTES_MAX) {
            throw new IllegalArgumentException("bytesMax=" + bytesMax + " is not in 1 to " + BYTES_MAX);
        }
        Objects.requireNonNull(codec, "codec");
    }

    /**
     * Makes a type with the default limit.
     *
     * @param <T> type of the messages
     * @param id number of the type
     * @param codec writes and reads messages
     * @return the type
     */
    public static <T> MessageType<T> of(int id, Codec<T> codec) {
        return new MessageType<>(id, codec, BYTES_MAX_DEFAULT);
    }
}
