package io.teff.cluster.net.transport;

/** Abilities of a transport beyond its duty: to carry every byte once and in order, or to end the link. */
public enum Capability {
    /**
     * Third parties can neither read nor change the bytes of a link. With TLS configured, a transport without this
     * capability is for addresses of this machine only.
     */
    ENCRYPTED,
    /**
     * Links can be moved to another agent, by {@link Transport#release} and {@link Transport#adopt}. A network with
     * several agents cannot listen at addresses of a transport without this capability or {@link #HAS_PORTS}.
     */
    MOVES_LINKS,
    /**
     * Addresses have the form {@code scheme:host:port}, of {@link Ports}. If links cannot be moved, each agent of a
     * network with several agents listens at a port of its own, and a caller of the wrong agent is sent to the right
     * agent.
     */
    HAS_PORTS,
    /**
     * While the agent waits in {@link Transport#await}, another thread may {@link Link#write}, one thread at a time;
     * and incoming bytes end the waiting. So a thread whose only steps would be to wake the agent and to wait writes
     * its frames itself.
     */
    SENDERS_WRITE
}
