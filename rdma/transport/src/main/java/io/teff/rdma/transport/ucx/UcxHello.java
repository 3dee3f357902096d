package io.teff.rdma.transport.ucx;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The first bytes of a link in both directions, over the TCP connection of the link.
 *
 * <pre>
 *  0                8               16        20                24                       4096
 * +----------------+----------------+---------+-----------------+--------------+-----------+
 * | magic, version |   link number  | length  |  reserved (0)   | address ...  |  zeros    |
 * +----------------+----------------+---------+-----------------+--------------+-----------+
 * </pre>
 *
 * <p>The address is the address of the sender's worker, and the length is the length of the address. All numbers are
 * little-endian.
 */
final class UcxHello {
    static final int BYTES = 4_096;

    /** {@code TEFFUCX} and the version, 1. */
    private static final long MAGIC = 0x01_58_43_55_46_46_45_54L;
    private static final int LINK = 8;
    private static final int LENGTH = 16;
    private static final int RESERVED = 20;
    private static final int ADDRESS = 24;
    static final int ADDRESS_MAX = BYTES - ADDRESS;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    static {
        assert RESERVED + Integer.BYTES == ADDRESS : "fields must tile the head";
    }

    private UcxHello() {}

    static void write(MemorySegment memory, long link, byte[] address) {
        memory.asSlice(0, BYTES).fill((byte) 0);
        memory.set(LONG, 0, MAGIC);
        memory.set(LONG, LINK, link);
        memory.set(INT, LENGTH, address.length);
        MemorySegment.copy(address, 0, memory, ValueLayout.JAVA_BYTE, ADDRESS, address.length);
    }

    /** Reads the peer's number of the link. */
    static long number(MemorySegment memory, String peer) throws IOException {
        if (memory.get(LONG, 0) != MAGIC || memory.get(INT, RESERVED) != 0) {
            throw new IOException(peer + " does not speak this protocol, or another version of it");
        }
        return memory.get(LONG, LINK);
    }

    /** Reads the address of the peer's worker. */
    static byte[] address(MemorySegment memory, String peer) throws IOException {
        final int length = memory.get(INT, LENGTH);
        if (length <= 0 || length > ADDRESS_MAX) {
            throw new IOException(peer + " has sent an address of " + length + " bytes");
        }
        return memory.asSlice(ADDRESS, length).toArray(ValueLayout.JAVA_BYTE);
    }
}
