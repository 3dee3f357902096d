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
     * several agents cannot listen at addresses of a transport without this capability.
     */
    MOVES_LINKS,
    /**
     * While its agent waits in {@link Transport#await}, another thread may {@link Link#write}, one at a time; and
     * incoming bytes end the waiting. So a thread that would only wake the agent, and wait, writes its frames itself.
     */
    SENDERS_WRITE
}
