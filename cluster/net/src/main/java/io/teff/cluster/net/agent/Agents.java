package io.teff.cluster.net.agent;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.counter.AgentCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The agents of a network. A connection belongs to one of them, which follows from its NID alone, so all that happens
 * to it happens in one thread. The first agent accepts links, and hands those that are not its own to their agents.
 *
 * <p>All agents are added before the first of them does anything; from then on thread-safe.
 */
public final class Agents {
    /** 2^32 divided by the golden ratio, odd: numbers that follow each other are spread as evenly as can be. */
    private static final int SPREAD = 0x9E37_79B1;
    private static final long INT_MASK = 0xFFFF_FFFFL;

    private final List<Agent> all = new ArrayList<>();
    private final LinkTable links;

    public Agents(NetworkConfig config) {
        this.links = new LinkTable(config.greetingsMax(), config.linksMax());
    }

    public void add(Agent agent) {
        all.add(agent);
    }

    /** Who has the connection to a node. */
    public Agent of(int nid) {
        return all.get(index(nid, all.size()));
    }

    static int index(int nid, int agentCount) {
        return (int) ((nid * SPREAD & INT_MASK) * agentCount >>> Integer.SIZE);
    }

    /** Who accepts links, and looks after what there is only once. */
    public Agent first() {
        return all.getFirst();
    }

    public List<Agent> all() {
        return all;
    }

    public LinkTable links() {
        return links;
    }

    /** What each has counted, together. */
    public long sum(ToLongFunction<AgentCounters> count) {
        long sum = 0;
        for (Agent it : all) {
            sum += count.applyAsLong(it.counts());
        }
        return sum;
    }

    /** Whether something is on its way over a link of any. */
    boolean isSending() {
        for (Agent it : all) {
            if (it.isSending()) {
                return true;
            }
        }
        return false;
    }

    /** Ends the sleep of each. */
    void wakeUp() {
        all.forEach(Agent::wakeUp);
    }
}
