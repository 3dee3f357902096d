package io.teff.rdma.verbs.device;

/**
 * The state and the limits of a port.
 *
 * @param number from 1 on
 * @param state up or down
 * @param linkLayer the network below
 * @param mtuMax the largest packet that the port could have
 * @param mtu the largest packet now
 * @param messageBytesMax the longest message
 * @param lid the local id; 0 without InfiniBand
 * @param gidCount entries of the table of addresses
 * @param partitionKeyCount entries of the table of partition keys
 */
public record PortAttributes(int number, PortState state, LinkLayer linkLayer, PathMtu mtuMax, PathMtu mtu,
        long messageBytesMax, int lid, int gidCount, int partitionKeyCount) {}
