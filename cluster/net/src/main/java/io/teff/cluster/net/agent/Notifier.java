package io.teff.cluster.net.agent;

import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.event.LinkDelayedEvent;
import io.teff.cluster.net.event.LinkLostEvent;
import io.teff.cluster.net.event.LinkRefusedEvent;
import io.teff.cluster.net.event.LinkRestEvent;
import io.teff.cluster.net.event.LinkUpEvent;
import io.teff.cluster.net.event.SessionLostEvent;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.wire.RefusedException;
import java.io.IOException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * What happens to links and sessions is counted, recorded for Flight Recorder, and told to who listens, in this order:
 * who is told finds it counted. An agent's.
 */
final class Notifier {
    private final int self;
    private final NetworkListener listener;
    private final AgentCounters counts;

    Notifier(int self, NetworkListener listener, AgentCounters counts) {
        this.self = self;
        this.listener = listener;
        this.counts = counts;
    }

    /** A link is to carry a session: counted before anybody can see it. */
    void made(Connection connection, String peer) {
        connection.traffic.links.add(1);
        counts.linksMade.add(1);
        LinkUpEvent.emit(self, connection.nid, peer);
    }

    /** The link carries it. */
    void up(Connection connection) {
        listener.up(connection.nid);
    }

    /** Nothing was heard of a link for long. */
    void delayed(int nid, long silentNs) {
        counts.linksDelayed.add(1);
        LinkDelayedEvent.emit(self, nid, silentNs);
        listener.delayed(nid, silentNs);
    }

    /** A link is gone; there may be another one. */
    void away(Connection connection, @Nullable IOException why, boolean isAwaited) {
        counts.linksLost.add(1);
        LinkLostEvent.emit(self, connection.nid, why);
        if (isAwaited) {
            listener.away(connection.nid, why);
        }
    }

    /** A link is gone since nobody needs it. */
    void resting(Connection connection, boolean isOwn) {
        counts.linksRested.add(1);
        LinkRestEvent.emit(self, connection.nid, isOwn);
        listener.resting(connection.nid);
    }

    /** A session that had begun is to end, and nobody has closed it: counted before its requests fail. */
    void losing() {
        counts.sessionsLost.add(1);
    }

    /** A session has ended, and whether it was counted. */
    void lost(Session session, String what, boolean isCounted) {
        final int peer = session.connection.nid;
        final long unacknowledged = session.unacknowledged();
        if (isCounted) {
            SessionLostEvent.emit(self, peer, unacknowledged, what);
        }
        listener.lost(peer, unacknowledged, what);
    }

    /**
     * A link has ended before it carried a session. Where TLS ends it, the two sides do not trust each other, or one
     * has none: that is told, but no refusal that has a number.
     */
    void failed(Channel channel, @Nullable IOException why) {
        counts.linksFailed.add(1);
        if (why instanceof SSLException) {
            listener.refused(channel.saidNid(), channel.peer(), why.toString());
        }
    }

    /** One of the two sides does not take a link. */
    void refused(Channel channel, RefusedException why) {
        counts.refused(why.reason());
        LinkRefusedEvent.emit(self, channel.saidNid(), why.isOwn(), why.reason());
        if (why.reason().isOfMisfits()) {
            listener.refused(channel.saidNid(), channel.peer(), String.valueOf(why.getMessage()));
        }
    }
}
