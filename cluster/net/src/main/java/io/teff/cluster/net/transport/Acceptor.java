package io.teff.cluster.net.transport;

/** Takes links made by other nodes. */
@FunctionalInterface
public interface Acceptor {
    /**
     * Takes a link.
     *
     * @param link accepted at an address of the transport
     * @return takes the events of the link
     */
    LinkEvents accepted(Link link);
}
