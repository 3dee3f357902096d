package io.teff.cluster.net.transport;

/** What a transport can do besides what each must: carry every byte once and in order, or end the link. */
public enum Capability {
    /**
     * Others on the way can neither read nor change what its links carry. Where TLS is asked for, a transport of which
     * this is not so is for addresses of this machine only.
     */
    ENCRYPTED,
    /**
     * Its links can go on with another agent, by {@link Transport#release} and {@link Transport#adopt}. At an address
     * of another transport no network of several agents can listen.
     */
    MOVES_LINKS,
    /**
     * While its agent waits in {@link Transport#await}, another thread may {@link Link#write}, one at a time; and what
     * comes in ends the waiting. So a thread that would only wake the agent, and wait, writes what it has itself.
     */
    SENDERS_WRITE
}
