package io.teff.cluster.net.counter;

/** Counters of a connection over all its sessions and links, written by the agent of the connection. */
public final class ConnectionCounters {
    public final Counter bytesSent = new Counter();
    public final Counter bytesReceived = new Counter();
    public final Counter messagesReceived = new Counter();
    /** Messages of ended sessions. */
    public final Counter messagesBefore = new Counter();
    public final Counter links = new Counter();
    /** When frames of the stream were sent or received last. */
    public final Counter lastNs = new Counter();

    public ConnectionCounters(long nowNs) {
        lastNs.set(nowNs);
    }
}
