package io.teff.cluster.net;

/** What the agent counts of a connection, over all of its sessions and links. */
final class Traffic {
    final Count bytesSent = new Count();
    final Count bytesReceived = new Count();
    final Count messagesReceived = new Count();
    /** Messages of sessions that have ended. */
    final Count messagesBefore = new Count();
    final Count links = new Count();
    /** When frames of a stream were sent or have come last. */
    final Count lastNs = new Count();

    Traffic(long nowNs) {
        lastNs.set(nowNs);
    }
}
