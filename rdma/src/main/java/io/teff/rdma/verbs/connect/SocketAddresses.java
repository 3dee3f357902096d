package io.teff.rdma.verbs.connect;

import io.teff.rdma.ffi.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Socket addresses as the connection manager reads and writes them: sockaddr_in and sockaddr_in6 of Linux. */
final class SocketAddresses {
    private static final short IPV4 = 2;
    private static final short IPV6 = 10;
    private static final long PORT_OFFSET = 2;
    private static final long IPV4_OFFSET = 4;
    private static final long IPV6_OFFSET = 8;
    private static final long SCOPE_OFFSET = 24;
    private static final long SIZE = 28;
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    private SocketAddresses() {}

    /**
     * Writes an address.
     *
     * @throws IllegalArgumentException if its name was not resolved
     */
    static MemorySegment write(Arena arena, InetSocketAddress address) {
        final InetAddress ip = address.getAddress();
        if (ip == null) {
            throw new IllegalArgumentException("address=" + address);
        }
        final MemorySegment struct = arena.allocate(SIZE, Long.BYTES);
        final byte[] bytes = ip.getAddress();
        final boolean isIpv4 = ip instanceof Inet4Address;
        struct.set(ValueLayout.JAVA_SHORT, 0, isIpv4 ? IPV4 : IPV6);
        struct.set(ValueLayout.JAVA_SHORT, PORT_OFFSET, Short.reverseBytes((short) address.getPort()));
        MemorySegment.copy(bytes, 0, struct, ValueLayout.JAVA_BYTE, isIpv4 ? IPV4_OFFSET : IPV6_OFFSET, bytes.length);
        if (ip instanceof Inet6Address six) {
            struct.set(ValueLayout.JAVA_INT, SCOPE_OFFSET, six.getScopeId());
        }
        return struct;
    }

    /** Reads an address; null if there is none. */
    static @Nullable InetSocketAddress read(long struct) {
        final int word = NativeMemory.getInt(struct);           // the family, and the port behind it
        final short family = (short) word;
        final int port = Short.toUnsignedInt(Short.reverseBytes((short) (word >>> Short.SIZE)));
        final byte[] bytes = family == IPV4 ? NativeMemory.bytes(struct + IPV4_OFFSET, IPV4_BYTES)
            : family == IPV6 ? NativeMemory.bytes(struct + IPV6_OFFSET, IPV6_BYTES) : null;
        if (bytes == null) {
            return null;
        }
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);                        // of these lengths
        }
    }
}
