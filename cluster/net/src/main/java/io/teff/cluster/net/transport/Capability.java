package io.teff.cluster.net.transport;

/** Abilities of a transport beyond its duty: to carry every byte once and in order, or to end the link. */
public enum Capability {
    /**
     * Third parties can neither read nor change what its links carry. With TLS configured, a transport without this
     * capability is for addresses of this machine only.
     */
    ENCRYPTED,
    /**
     * Its links can be moved to another agent, by {@link Transport#release} and {@link Transport#adopt}. A network with
     * several agents cannot listen at addresses of a transport without this capability or {@link #HAS_PORTS}.
     */
    MOVES_LINKS,
    /**
     * Its addresses have the form {@code scheme:host:port}, of {@link Ports}. If its links cannot be moved, each agent
     * of a network with several listens at a port of its own, and a caller of the wrong one is sent to the right one.
     */
    HAS_PORTS,
    /**
     * While its agent waits in {@link Transport#await}, another thread may {@link Link#write}, one at a time; and
     * incoming bytes end the waiting. So a thread that would only wake the agent, and wait, writes its frames itself.
     */
    SENDERS_WRITE
}
