package io.teff.cluster.net.agent;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.stream.PendingRequests;
import io.teff.cluster.net.stream.Session;
import io.teff.engine.os.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends sessions: the requests of a session fail, the listener is notified, and the send buffers of the session are
 * given back as soon as no thread writes to the buffers. By the agent only.
 */
final class SessionCloser {
    private final NetworkConfig config;
    private final Clock clock;
    private final PendingRequests requests;
    private final AgentCounters counters;
    private final Notifier notifier;
    /** Ended sessions with rings to which a thread may still write. */
    private final List<Session> ended = new ArrayList<>();

    SessionCloser(NetworkConfig config, Clock clock, PendingRequests requests, AgentCounters counters,
                  Notifier notifier) {
        this.config = config;
        this.clock = clock;
        this.requests = requests;
        this.counters = counters;
        this.notifier = notifier;
    }

    /** Ends a session that cannot continue, and closes the link of the session. */
    void lose(Connection connection, Session session, String why) {
        if (session.out.isEnded()) {
            return;
        }
        final Channel channel = connection.channel();
        end(connection, session, Reason.LOST, why);
        if (channel != null) {
            channel.fail(null);
        }
    }

    /**
     * Ends a session, and fails the requests of the session for a reason. A request that ended earlier does not count
     * as a lost message, because no caller waits for the request.
     */
    void end(Connection connection, Session session, Reason reason, String why) {
        if (connection.wake()) {
            counters.connectionsResting.add(-1);
        }
        connection.counters().messagesBefore.add(session.out.messages());
        connection.setLastEnd(new NetworkException(reason, connection.nid(), why));
        session.out.end();
        session.openRequests().endAll();
        ended.add(session);
        final long messages = session.unacknowledged(it -> !requests.isWaiting(it, session));
        notifier.losing();
        requests.fail(session, reason, why);
        notifier.lost(connection.nid(), messages, why);
        connection.attempts().sessionEnded(clock.nowNs(), config);
        connection.release(session);
    }

    /** Gives back the rings to which no thread writes any more. */
    void giveBack() {
        ended.removeIf(it -> it.out.giveBack());
    }

    /** Returns the number of ended sessions with rings to which a thread may still write. */
    int count() {
        return ended.size();
    }

    /** Returns the bytes of the rings of ended sessions. */
    long ringBytes() {
        long bytes = 0;
        for (Session session : ended) {
            bytes += session.out.ringBytes();
        }
        return bytes;
    }
}
