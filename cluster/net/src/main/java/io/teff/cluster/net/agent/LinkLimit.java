package io.teff.cluster.net.agent;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.stream.PendingRequests;
import io.teff.cluster.net.stream.Session;
import io.teff.engine.os.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Makes room for a link when a network has as many as {@code linksMax}: the least recently used link at rest is closed.
 * By the agent only.
 *
 * <p>All links are scanned only when no candidate of the last scan is left: a link among the oldest links of a scan,
 * unused since, is older than all links outside the candidates. If a scan finds none, the next scan is a tick later.
 *
 * <p>A link is closed only if both sides can dial again: this node listens, and knows the peer's address.
 */
final class LinkLimit {
    /** Candidates kept by a scan. */
    private static final int CANDIDATES_MAX = 64;

    private final NetworkConfig config;
    private final Clock clock;
    private final LinkTable links;
    private final List<Channel> channels;
    private final PendingRequests requests;
    private final Runnable askOthers;
    private final Deque<Candidate> oldest = new ArrayDeque<>();
    private long nextScanNs;

    /**
     * A link eligible to be closed.
     *
     * @param channel the link
     * @param connection of the link
     * @param lastNs when the link was used last
     */
    private record Candidate(Channel channel, Connection connection, long lastNs) {
        boolean isUsed() {
            return connection.counters().lastNs.get() != lastNs;
        }
    }

    /**
     * Makes the limit of an agent.
     *
     * @param links of all agents
     * @param channels the agent's links
     * @param askOthers makes other agents {@linkplain #giveRoom give room}
     */
    LinkLimit(NetworkConfig config, Clock clock, LinkTable links, List<Channel> channels, PendingRequests requests,
              Runnable askOthers) {
        this.config = config;
        this.clock = clock;
        this.links = links;
        this.channels = channels;
        this.requests = requests;
        this.askOthers = askOthers;
        this.nextScanNs = clock.nowNs();
    }

    /**
     * Tries to enter a link. At the limit, a link at rest is closed to make room. Other agents give room a little
     * later, so a caller without room tries again.
     */
    boolean makeRoom(Predicate<LinkTable> entry) {
        boolean isIn = entry.test(links);
        if (!isIn && closeOne()) {
            isIn = entry.test(links);
        }
        if (!isIn) {
            askOthers.run();
        }
        return isIn;
    }

    /** Closes a link, because another agent has found no room. */
    void giveRoom() {
        if (!links.hasRoom()) {
            closeOne();
        }
    }

    /** Neither side has room for a link, so the peer is alive: a session with nothing to send waits on. */
    void waitForRoom(Connection connection) {
        final Session session = connection.known();
        if (session != null && session.out.isEmpty() && !session.hasLate()) {
            session.out.rest();
            connection.waitForLinkFrom(clock.nowNs());
        }
    }

    /** Closes a link at rest, if any; returns whether room for another link exists now. */
    private boolean closeOne() {
        final long nowNs = clock.nowNs();
        if (config.listen().isEmpty()) {
            return false;
        }
        if (closeOldest(nowNs)) {
            return true;
        }
        if (nowNs - nextScanNs < 0) {
            return false;
        }
        scan(nowNs);
        final boolean isClosed = closeOldest(nowNs);
        nextScanNs = isClosed ? nowNs : nowNs + config.tickNs();
        return isClosed;
    }

    private void scan(long nowNs) {
        final Set<Session> waiting = requests.sessions();
        final List<Candidate> found = new ArrayList<>();
        for (Channel channel : channels) {
            final Connection connection = channel.connection();
            if (connection != null && channel.isAtRest(nowNs) && !waiting.contains(connection.known())) {
                found.add(new Candidate(channel, connection, connection.counters().lastNs.get()));
            }
        }
        found.sort(Comparator.comparingLong(it -> it.lastNs - nowNs));
        oldest.addAll(found.subList(0, Math.min(found.size(), CANDIDATES_MAX)));
    }

    private boolean closeOldest(long nowNs) {
        for (Candidate candidate = oldest.poll(); candidate != null; candidate = oldest.poll()) {
            if (!candidate.isUsed() && candidate.channel.isAtRest(nowNs)
                && config.addresses().apply(candidate.connection.nid()) != null
                && candidate.channel.closeToRest()) {
                return true;
            }
        }
        return false;
    }
}
