package io.teff.rdma.ucx.call;

import io.teff.rdma.ucx.UcxException;
import io.teff.rdma.ucx.UcxStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/** {@code struct sockaddr_in} and {@code struct sockaddr_in6} of Linux. */
public final class IpAddresses {
    private static final short FAMILY_4 = 2;
    private static final short FAMILY_6 = 10;
    private static final long PORT = 2;
    private static final long HOST_4 = 4;
    private static final long HOST_6 = 8;
    private static final long SIZE_4 = 16;
    private static final long SIZE_6 = 28;
    private static final int HOST_4_SIZE = 4;
    private static final int HOST_6_SIZE = 16;
    private static final ValueLayout.OfShort NETWORK_SHORT =
        ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private IpAddresses() {}

    /** Returns an address in the form of C; the segment has the size of the address. */
    public static MemorySegment write(InetSocketAddress address, Arena arena) {
        final InetAddress host = address.getAddress();
        if (host == null) {
            throw new IllegalArgumentException("the host is not resolved: " + address);
        }
        final boolean isFour = host instanceof Inet4Address;
        final MemorySegment memory = arena.allocate(isFour ? SIZE_4 : SIZE_6, Long.BYTES);
        memory.set(ValueLayout.JAVA_SHORT, 0, isFour ? FAMILY_4 : FAMILY_6);
        memory.set(NETWORK_SHORT, PORT, (short) address.getPort());
        final byte[] bytes = host.getAddress();
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, isFour ? HOST_4 : HOST_6, bytes.length);
        return memory;
    }

    /** Returns the address at a place in a struct. */
    public static InetSocketAddress read(MemorySegment memory, long offset) {
        final short family = memory.get(ValueLayout.JAVA_SHORT, offset);
        if (family != FAMILY_4 && family != FAMILY_6) {
            throw new UcxException("socket address", UcxStatus.INVALID_ADDRESS, "its family is " + family);
        }
        final byte[] host = new byte[family == FAMILY_4 ? HOST_4_SIZE : HOST_6_SIZE];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset + (family == FAMILY_4 ? HOST_4 : HOST_6), host, 0,
            host.length);
        final int port = Short.toUnsignedInt(memory.get(NETWORK_SHORT, offset + PORT));
        try {
            return new InetSocketAddress(InetAddress.getByAddress(host), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);                        // the length is right
        }
    }
}
