package io.teff.cluster.net;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The agents of a network. A connection belongs to one of them, which follows from its NID alone, so all that happens
 * to it happens in one thread. The first agent accepts links, and hands those that are not its own to their agents.
 *
 * <p>All agents are added before the first of them does anything; from then on thread-safe.
 */
final class Agents {
    /** 2^32 divided by the golden ratio, odd: numbers that follow each other are spread as evenly as can be. */
    private static final int SPREAD = 0x9E37_79B1;
    private static final long INT_MASK = 0xFFFF_FFFFL;

    private final List<Node> all = new ArrayList<>();
    private final Links links;

    Agents(NetworkConfig config) {
        this.links = new Links(config.greetingsMax(), config.linksMax());
    }

    void add(Node agent) {
        all.add(agent);
    }

    /** Who has the connection to a node. */
    Node of(int nid) {
        return all.get(index(nid, all.size()));
    }

    static int index(int nid, int agentCount) {
        return (int) ((nid * SPREAD & INT_MASK) * agentCount >>> Integer.SIZE);
    }

    /** Who accepts links, and looks after what there is only once. */
    Node first() {
        return all.getFirst();
    }

    List<Node> all() {
        return all;
    }

    Links links() {
        return links;
    }

    /** What each has counted, together. */
    long sum(ToLongFunction<Counts> count) {
        long sum = 0;
        for (Node it : all) {
            sum += count.applyAsLong(it.counts());
        }
        return sum;
    }

    /** Whether something is on its way over a link of any. */
    boolean isSending() {
        for (Node it : all) {
            if (it.isSending()) {
                return true;
            }
        }
        return false;
    }

    /** Ends the sleep of each. */
    void wakeUp() {
        all.forEach(Node::wakeUp);
    }
}
