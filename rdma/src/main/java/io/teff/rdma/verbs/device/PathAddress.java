package io.teff.rdma.verbs.device;

import io.teff.rdma.verbs.call.VerbsLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * How packets find a peer: its address, and the port and the address of the sender.
 *
 * @param gid of the peer; zero to use the local id alone, which InfiniBand allows
 * @param lid the local id of the peer; 0 with Ethernet
 * @param port of the own device, from 1 on
 * @param gidIndex the own address, as an index into the table of the port
 * @param hopLimit routers that a packet may pass
 * @param trafficClass of the packets, 0 to 255
 * @param flowLabel of the packets, 20 bits
 * @param serviceLevel of the packets, 0 to 15
 */
public record PathAddress(Gid gid, int lid, int port, int gidIndex, int hopLimit, int trafficClass, int flowLabel,
        int serviceLevel) {
    private static final int HOP_LIMIT = 64;
    private static final int BYTE_MAX = 255;

    /** Checks the ranges. */
    public PathAddress {
        if (port < 1 || port > BYTE_MAX || gidIndex < 0 || gidIndex > BYTE_MAX || hopLimit < 0 || hopLimit > BYTE_MAX) {
            throw new IllegalArgumentException("port=" + port + " gidIndex=" + gidIndex + " hopLimit=" + hopLimit);
        }
    }

    /**
     * {@return the path to an address, from an address of a port}
     *
     * @param gid of the peer
     * @param port of the own device, from 1 on
     * @param gidIndex the own address, as an index into the table of the port
     */
    public static PathAddress of(Gid gid, int port, int gidIndex) {
        return new PathAddress(gid, 0, port, gidIndex, HOP_LIMIT, 0, 0, 0);
    }

    /**
     * {@return the path within an InfiniBand subnet, to a local id}
     *
     * @param lid of the peer
     * @param port of the own device, from 1 on
     */
    public static PathAddress ofLid(int lid, int port) {
        return new PathAddress(new Gid(0, 0), lid, port, 0, 1, 0, 0, 0);
    }

    /**
     * Writes an ibv_ah_attr.
     *
     * @param struct is written to
     * @param base the offset of the ibv_ah_attr in the struct, in bytes
     */
    public void write(MemorySegment struct, long base) {
        final byte[] bytes = gid.bytes();
        MemorySegment.copy(bytes, 0, struct, ValueLayout.JAVA_BYTE, base + VerbsLayout.AH_ATTR_DGID, bytes.length);
        struct.set(ValueLayout.JAVA_INT, base + VerbsLayout.AH_ATTR_FLOW_LABEL, flowLabel);
        struct.set(ValueLayout.JAVA_BYTE, base + VerbsLayout.AH_ATTR_SGID_INDEX, (byte) gidIndex);
        struct.set(ValueLayout.JAVA_BYTE, base + VerbsLayout.AH_ATTR_HOP_LIMIT, (byte) hopLimit);
        struct.set(ValueLayout.JAVA_BYTE, base + VerbsLayout.AH_ATTR_TRAFFIC_CLASS, (byte) trafficClass);
        struct.set(ValueLayout.JAVA_SHORT, base + VerbsLayout.AH_ATTR_DLID, (short) lid);
        struct.set(ValueLayout.JAVA_BYTE, base + VerbsLayout.AH_ATTR_SL, (byte) serviceLevel);
        struct.set(ValueLayout.JAVA_BYTE, base + VerbsLayout.AH_ATTR_IS_GLOBAL, (byte) (gid.isZero() ? 0 : 1));
        struct.set(ValueLayout.JAVA_BYTE, base + VerbsLayout.AH_ATTR_PORT_NUM, (byte) port);
    }
}
