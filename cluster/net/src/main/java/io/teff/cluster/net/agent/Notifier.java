package io.teff.cluster.net.agent;

import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.event.LinkDelayedEvent;
import io.teff.cluster.net.event.LinkLostEvent;
import io.teff.cluster.net.event.LinkRefusedEvent;
import io.teff.cluster.net.event.LinkRestEvent;
import io.teff.cluster.net.event.LinkUpEvent;
import io.teff.cluster.net.event.SessionLostEvent;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.wire.Refusal;
import io.teff.cluster.net.wire.RefusedException;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Counts events of links and sessions, records the events for Flight Recorder, and notifies the listener, in this
 * order, so a listener finds the event counted. Each agent has one notifier.
 */
final class Notifier {
    private final int self;
    private final NetworkListener listener;
    private final AgentCounters counters;

    Notifier(int self, NetworkListener listener, AgentCounters counters) {
        this.self = self;
        this.listener = listener;
        this.counters = counters;
    }

    /** Counts a link about to carry a session. Called before any thread can see the link. */
    void made(Connection connection, String peer) {
        connection.counters().links.add(1);
        counters.linksMade.add(1);
        LinkUpEvent.emit(self, connection.nid(), peer);
    }

    /** Reports that the link carries the session. */
    void up(Connection connection) {
        listener.up(connection.nid());
    }

    /** Reports that a link was silent for long. */
    void delayed(int nid, long silentNs) {
        counters.linksDelayed.add(1);
        LinkDelayedEvent.emit(self, nid, silentNs);
        listener.delayed(nid, silentNs);
    }

    /** Reports that a link was lost; the session may continue over the next link. */
    void away(Connection connection, @Nullable IOException why, boolean isAwaited) {
        counters.linksLost.add(1);
        LinkLostEvent.emit(self, connection.nid(), why);
        if (isAwaited) {
            listener.away(connection.nid(), why);
        }
    }

    /** Reports that a link was closed to rest. */
    void resting(Connection connection, boolean isOwn) {
        counters.linksRested.add(1);
        LinkRestEvent.emit(self, connection.nid(), isOwn);
        listener.resting(connection.nid());
    }

    /** Counts an ended session. Called before the requests of the session fail. */
    void losing() {
        counters.sessionsLost.add(1);
    }

    /** Reports an ended session, with the number of messages possibly not received by the peer. */
    void lost(int nid, long messages, String what) {
        SessionLostEvent.emit(self, nid, messages, what);
        listener.lost(nid, messages, what);
    }

    /**
     * Reports a link that ended before carrying a session. If TLS has ended the link, the two sides do not trust each
     * other, or one side lacks TLS: the listener is notified of a refusal without a code of the protocol.
     */
    void failed(Channel channel, @Nullable IOException why) {
        counters.linksFailed.add(1);
        if (why instanceof SSLException) {
            listener.refused(channel.saidNid(), channel.peer(), why.toString());
        }
    }

    /** Reports a refused link; either side may have refused the link. */
    void refused(Channel channel, RefusedException why) {
        counters.refused(why.reason());
        LinkRefusedEvent.emit(self, channel.saidNid(), why.isOwn(), why.reason());
        if (why.reason() == Refusal.NID && !channel.isDialed()) {
            listener.misdialed(channel.saidNid(), channel.peer(), FailureText.of(why));
        } else if (why.reason().isOfMisfits()) {
            listener.refused(channel.saidNid(), channel.peer(), FailureText.of(why));
        }
    }
}
