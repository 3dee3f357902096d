package io.teff.cluster.figure;

import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.NodeFigures;
import io.teff.cluster.net.report.NetworkStats;

/** The figures of a node's network. */
public final class NetworkFigures {
    private NetworkFigures() {}

    /**
     * Adds figures.
     *
     * @param stats statistics of the network
     * @param to receives the figures
     */
    public static void read(NetworkStats stats, NodeFigures.Builder to) {
        to.set(Figure.MESSAGES_SENT, stats.messagesSent() + stats.requestsSent())
            .set(Figure.MESSAGES_HANDLED, stats.messagesHandled()).set(Figure.NETWORK_SENT, stats.bytesSent())
            .set(Figure.NETWORK_RECEIVED, stats.bytesReceived()).set(Figure.LINKS_OPEN, stats.linksOpen())
            .set(Figure.LINKS_LOST, stats.linksLost())
            .set(Figure.LINKS_REFUSED, stats.linksRefused().values().stream().mapToLong(Long::longValue).sum())
            .set(Figure.SENDS_WAITED, stats.roomWaits());
    }
}
