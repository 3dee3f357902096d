package io.teff.rdma.verbs.device;

import io.teff.rdma.verbs.call.VerbsLayout;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * The global id of a port: 128 bits, written like an IPv6 address. With RoCE it is an IP address of the port; one of
 * IPv4 is mapped into {@code ::ffff:a.b.c.d}.
 *
 * @param high the first eight bytes, big-endian
 * @param low the last eight bytes, big-endian
 */
public record Gid(long high, long low) {
    private static final long MAPPED = 0xffffL << 32;
    private static final long MAPPED_MASK = 0xffff_ffff_0000_0000L;

    /**
     * {@return the id of these bytes}
     *
     * @param bytes 16
     */
    public static Gid of(byte[] bytes) {
        if (bytes.length != VerbsLayout.GID_SIZE) {
            throw new IllegalArgumentException("bytes=" + bytes.length);
        }
        final ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Gid(buffer.getLong(), buffer.getLong());
    }

    /**
     * {@return the id that stands for an IP address}
     *
     * @param address of IPv4 or IPv6
     */
    public static Gid of(InetAddress address) {
        final byte[] bytes = address.getAddress();
        return address instanceof Inet4Address
            ? new Gid(0, MAPPED | Integer.toUnsignedLong(ByteBuffer.wrap(bytes).getInt())) : of(bytes);
    }

    /** {@return the 16 bytes} */
    public byte[] bytes() {
        return ByteBuffer.allocate(VerbsLayout.GID_SIZE).putLong(high).putLong(low).array();
    }

    /** {@return whether this is a mapped address of IPv4} */
    public boolean isIpv4() {
        return high == 0 && (low & MAPPED_MASK) == MAPPED;
    }

    /** {@return whether all bits are zero, as in empty entries of a port's table} */
    public boolean isZero() {
        return (high | low) == 0;
    }

    @Override
    public String toString() {
        try {
            final String text = InetAddress.getByAddress(bytes()).getHostAddress();
            return isIpv4() ? "::ffff:" + text : text;
        } catch (UnknownHostException e) {
            throw new AssertionError(e);                        // 16 bytes are an address
        }
    }
}
