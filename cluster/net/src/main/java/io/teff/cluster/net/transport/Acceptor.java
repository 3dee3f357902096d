package io.teff.cluster.net.transport;

/** Told of links that others have made. */
@FunctionalInterface
public interface Acceptor {
    /**
     * A link was made.
     *
     * @param link the link
     * @return told what becomes of it
     */
    LinkEvents accepted(Link link);
}
