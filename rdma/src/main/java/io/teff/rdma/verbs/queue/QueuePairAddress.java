package io.teff.rdma.verbs.queue;

import io.teff.rdma.verbs.device.Gid;
import io.teff.rdma.verbs.device.PathMtu;
import io.teff.rdma.verbs.device.PortAttributes;
import io.teff.rdma.verbs.device.RdmaContext;

/**
 * What a peer has to know to connect to a queue pair.
 *
 * @param number of the queue pair
 * @param sequence the number of the first packet of the queue pair, 24 bits
 * @param lid the local id of its port; 0 with Ethernet
 * @param gid the address of its port
 * @param mtu the largest packet of its port
 */
public record QueuePairAddress(int number, int sequence, int lid, Gid gid, PathMtu mtu) {
    private static final int SEQUENCE_MAX = 0xff_ffff;

    /** Checks the range of the sequence number. */
    public QueuePairAddress {
        if (sequence < 0 || sequence > SEQUENCE_MAX) {
            throw new IllegalArgumentException("sequence=" + sequence);
        }
    }

    /**
     * {@return the address of a queue pair}
     *
     * @param pair the queue pair
     * @param port that it uses
     * @param gidIndex the address of the port, as an index
     * @param sequence any number of 24 bits; not the number of an earlier connection of the queue pair
     * @throws io.teff.rdma.RdmaException if the port or the address does not exist
     */
    public static QueuePairAddress of(QueuePair pair, int port, int gidIndex, int sequence) {
        final RdmaContext context = pair.domain().context();
        final PortAttributes attributes = context.port(port);
        return new QueuePairAddress(pair.number(), sequence, attributes.lid(), context.gid(port, gidIndex),
            attributes.mtu());
    }
}
