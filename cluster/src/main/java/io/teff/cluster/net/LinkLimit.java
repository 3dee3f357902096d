package io.teff.cluster.net;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;

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

    LinkLimit(NetworkConfig config, Requests requests, long nowNs) {
        this.config = config;
        this.requests = requests;
        this.nextLookNs = nowNs;
    }

    /** Closes a link, if one may go; whether there is room for one more now. */
    boolean closeOne(List<Channel> all, long nowNs) {
        if (config.listen().isEmpty()) {
            return false;
        }
        if (closeOldest(nowNs)) {
            return true;
        }
        if (nowNs - nextLookNs < 0) {
            return false;
        }
        look(all, nowNs);
        final boolean isClosed = closeOldest(nowNs);
        nextLookNs = isClosed ? nowNs : nowNs + config.tickNs();
        return isClosed;
    }

    private void look(List<Channel> all, long nowNs) {
        final Set<Session> waiting = requests.sessions();
        final List<Old> some = new ArrayList<>();
        for (Channel it : all) {
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
