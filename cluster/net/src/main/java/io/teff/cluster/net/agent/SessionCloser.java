package io.teff.cluster.net.agent;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.stream.Requests;
import io.teff.cluster.net.stream.Session;
import io.teff.engine.os.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends sessions: their requests fail, the listener is notified, and their send buffers are given back as soon as no
 * thread writes to them. By the agent only.
 */
final class SessionCloser {
    private final NetworkConfig config;
    private final Clock clock;
    private final Requests requests;
    private final AgentCounters counters;
    private final Notifier notifier;
    /** Sessions that have ended while a thread may still write to their rings. */
    private final List<Session> ended = new ArrayList<>();

    SessionCloser(NetworkConfig config, Clock clock, Requests requests, AgentCounters counters,
                  Notifier notifier) {
        this.config = config;
        this.clock = clock;
        this.requests = requests;
        this.counters = counters;
        this.notifier = notifier;
    }

    /** Ends a session that cannot continue, and its link. */
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
     * Ends a session, and its requests for a reason. A request that has ended before has nothing to lose, so it does
     * not count as a lost message.
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

    /** Gives back the rings that no thread writes to any more. */
    void giveBack() {
        ended.removeIf(it -> it.out.giveBack());
    }

    /** Returns the number of ended sessions whose rings a thread may still write to. */
    int count() {
        return ended.size();
    }

    /** Returns the bytes of their rings. */
    long ringBytes() {
        long bytes = 0;
        for (Session session : ended) {
            bytes += session.out.ringBytes();
        }
        return bytes;
    }
}
