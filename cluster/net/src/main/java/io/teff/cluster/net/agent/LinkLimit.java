package io.teff.cluster.net.agent;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.stream.Requests;
import io.teff.cluster.net.stream.Session;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Makes room for a link where there are as many as there may be: of those at rest the one goes that was used least
 * recently. By the agent only.
 *
 * <p>All links are looked at only when no old one is remembered any more: one that was among the oldest, and was not
 * used since, is older than all that were not among them. Where a look finds none, the next is a tick later.
 *
 * <p>A link goes only if both sides can make the next one: this node has an address, and knows the other's.
 */
final class LinkLimit {
    /** So many links are remembered. */
    private static final int OLD_MAX = 64;

    private final Agent node;
    private final Agents agents;
    private final NetworkConfig config;
    private final Requests requests;
    private final Deque<Old> oldest = new ArrayDeque<>();
    private long nextLookNs;

    /**
     * A link that may go.
     *
     * @param channel carries it
     * @param connection whose it is
     * @param lastNs when it was used last
     */
    private record Old(Channel channel, Connection connection, long lastNs) {
        boolean isUsed() {
            return connection.traffic.lastNs.get() != lastNs;
        }
    }

    LinkLimit(Agent node, Agents agents, Requests requests) {
        this.node = node;
        this.agents = agents;
        this.config = node.config();
        this.requests = requests;
        this.nextLookNs = node.nowNs();
    }

    /**
     * Tries to enter a link; where there are as many as there may be, one that is at rest makes room. LinkTable of other
     * agents do so a little later: who has found no room tries again.
     */
    boolean makeRoom(Predicate<LinkTable> entry) {
        boolean isIn = entry.test(agents.links());
        if (!isIn && closeOne()) {
            isIn = entry.test(agents.links());
        }
        if (!isIn) {
            agents.all().stream().filter(it -> it != node).forEach(it -> it.post(it.limit()::giveRoom));
        }
        return isIn;
    }

    /** Another agent has found no room for a link. */
    private void giveRoom() {
        if (!agents.links().hasRoom()) {
            closeOne();
        }
    }

    /** There is no room for a link, here or there, so the other node is there: who has nothing to send waits on. */
    void waitForRoom(Connection connection) {
        final Session session = connection.known();
        if (session != null && session.out.isEmpty() && !session.hasLate()) {
            session.out.rest();
            connection.awaySinceNs = node.nowNs();
        }
    }

    /** Closes a link, if one may go; whether there is room for one more now. */
    private boolean closeOne() {
        final long nowNs = node.nowNs();
        if (config.listen().isEmpty()) {
            return false;
        }
        if (closeOldest(nowNs)) {
            return true;
        }
        if (nowNs - nextLookNs < 0) {
            return false;
        }
        look(nowNs);
        final boolean isClosed = closeOldest(nowNs);
        nextLookNs = isClosed ? nowNs : nowNs + config.tickNs();
        return isClosed;
    }

    private void look(long nowNs) {
        final Set<Session> waiting = requests.sessions();
        final List<Old> some = new ArrayList<>();
        for (Channel it : node.channels()) {
            final Connection its = it.connection();
            if (its != null && it.isAtRest(nowNs) && !waiting.contains(its.known())) {
                some.add(new Old(it, its, its.traffic.lastNs.get()));
            }
        }
        some.sort(Comparator.comparingLong(it -> it.lastNs - nowNs));
        oldest.addAll(some.subList(0, Math.min(some.size(), OLD_MAX)));
    }

    private boolean closeOldest(long nowNs) {
        for (Old it = oldest.poll(); it != null; it = oldest.poll()) {
            if (!it.isUsed() && it.channel.isAtRest(nowNs) && config.addresses().apply(it.connection.nid) != null
                && it.channel.closeToRest()) {
                return true;
            }
        }
        return false;
    }
}
