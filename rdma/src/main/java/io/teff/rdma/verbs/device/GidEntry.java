package io.teff.rdma.verbs.device;

/**
 * An entry of the table of addresses of a port.
 *
 * @param port its number, from 1 on
 * @param index in the table; queue pairs and address handles name it as the address of the sender
 * @param gid the address
 * @param type the kind of packets
 */
public record GidEntry(int port, int index, Gid gid, GidType type) {}
