package io.teff.cluster.net.transport;

/** Takes links that others have made. */
@FunctionalInterface
public interface Acceptor {
    /**
     * Takes a link.
     *
     * @param link the link
     * @return takes the events of the link
     */
    LinkEvents accepted(Link link);
}
