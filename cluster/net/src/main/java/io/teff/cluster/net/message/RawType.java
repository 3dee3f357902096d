package io.teff.cluster.net.message;

import io.teff.cluster.net.wire.Frame;

/**
 * A kind of message consisting of bytes, without a codec: the bytes are copied from the sender's memory into the send
 * buffer, and are read at the place of arrival. All nodes must mean the same by a number.
 *
 * @param id 1 to 65,535; numbers above 65,000 are reserved for Teff; raw types share the numbers with all other types
 * @param bytesMax longest message sent and accepted, 1 to 2^30 bytes
 */
public record RawType(int id, int bytesMax) {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public RawType {
        if (id < 1 || id > Frame.TYPE_MAX) {
            throw new IllegalArgumentException("id=" + id + " is not in 1 to " + Frame.TYPE_MAX);
        } else if (bytesMax < 1 || bytesMax > MessageType.BYTES_MAX) {
            throw new IllegalArgumentException("bytesMax=" + bytesMax + " is not in 1 to " + MessageType.BYTES_MAX);
        }
    }
}
