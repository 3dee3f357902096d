package io.teff.rdma.ucx.call;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The bytes of UCX that the program carries to a peer: addresses of workers and keys of memory. UCX reads such bytes
 * without any check, and may crash on wrong bytes, so the binding adds a frame with a checksum.
 *
 * <pre>
 *   0         4      5         6          8          12        16
 *  +---------+------+---------+----------+----------+---------+-------------
 *  |  magic  | kind | version | reserved |  length  | crc32c  |  body ...
 *  +---------+------+---------+----------+----------+---------+-------------
 *   little-endian; length in bytes, of the body; the checksum is of bytes 0 to 12 and of the body
 * </pre>
 *
 * <p>The checksum finds accidents, not attacks: whoever may send an address or a key must be trusted.
 */
public final class Envelope {
    /** Kind of an envelope. */
    public enum Kind { ADDRESS, KEY }

    /** Bytes before the body. */
    public static final int HEADER_SIZE = 16;
    /** Limit of a body: addresses and keys have hundreds of bytes. */
    public static final int BODY_SIZE_MAX = 1 << 20;
    private static final int MAGIC = 0x31584355;                // "UCX1"
    private static final int KIND = 4;
    private static final int VERSION = 5;
    private static final int RESERVED = 6;
    private static final int LENGTH = 8;
    private static final int CHECKSUM = 12;
    private static final byte VERSION_NOW = 1;

    private Envelope() {}

    /** Returns the bytes to send. */
    public static byte[] seal(Kind kind, byte[] body) {
        if (body.length > BODY_SIZE_MAX) {
            throw new IllegalArgumentException("body of " + body.length + " bytes");
        }
        final ByteBuffer buffer = ByteBuffer.allocate(HEADER_SIZE + body.length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(MAGIC).put((byte) kind.ordinal()).put(VERSION_NOW).putShort((short) 0).putInt(body.length);
        buffer.put(HEADER_SIZE, body);
        return buffer.putInt(CHECKSUM, checksum(buffer.array())).array();
    }

    /**
     * Returns the body of received bytes.
     *
     * @throws IllegalArgumentException if bytes are missing, damaged, or of a different kind
     */
    public static byte[] open(Kind kind, byte[] bytes) {
        if (bytes.length < HEADER_SIZE) {
            throw new IllegalArgumentException(name(kind) + ": " + bytes.length + " bytes are no envelope");
        }
        final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        require(kind, buffer.getInt(0) == MAGIC, "the magic number is wrong");
        require(kind, buffer.get(VERSION) == VERSION_NOW, "version " + buffer.get(VERSION) + " is not known");
        require(kind, buffer.getInt(LENGTH) == bytes.length - HEADER_SIZE, "the length is wrong");
        require(kind, buffer.getInt(CHECKSUM) == checksum(bytes), "the checksum is wrong");
        require(kind, buffer.getShort(RESERVED) == 0, "reserved bytes are set");
        require(kind, buffer.get(KIND) == kind.ordinal(), "these bytes are of another kind");
        final byte[] body = new byte[bytes.length - HEADER_SIZE];
        buffer.get(HEADER_SIZE, body);
        return body;
    }

    private static void require(Kind kind, boolean isRight, String fault) {
        if (!isRight) {
            throw new IllegalArgumentException(name(kind) + ": " + fault);
        }
    }

    private static String name(Kind kind) {
        return kind == Kind.ADDRESS ? "worker address" : "memory key";
    }

    private static int checksum(byte[] bytes) {
        final CRC32C crc = new CRC32C();
        crc.update(bytes, 0, CHECKSUM);
        crc.update(bytes, HEADER_SIZE, bytes.length - HEADER_SIZE);
        return (int) crc.getValue();
    }
}
