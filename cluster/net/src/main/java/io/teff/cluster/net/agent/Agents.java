package io.teff.cluster.net.agent;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.wire.RefusedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The agents of a network. A connection belongs to one agent, chosen by the NID alone, so all work of a connection
 * happens in one thread. The first agent accepts all links, and hands over the links of other agents.
 *
 * <p>All agents are added before the first of them does any work; from then on thread-safe.
 */
public final class Agents {
    /** 2^32 divided by the golden ratio, odd: spreads successive NIDs as evenly as possible. */
    private static final int SPREAD = 0x9E37_79B1;
    private static final long INT_MASK = 0xFFFF_FFFFL;

    private final List<Agent> all = new ArrayList<>();
    private final LinkTable links;
    private final OwnCluster cluster;
    /** For each address at which every agent has its own port: the ports of all agents. Set before the agents work. */
    private final Map<String, int[]> ports = new HashMap<>();

    /** Makes a list without agents. */
    public Agents(NetworkConfig config) {
        this.links = new LinkTable(config.greetingsMax(), config.linksMax());
        this.cluster = new OwnCluster(config.cluster(), config.adoptsCluster());
    }

    /** Adds an agent. */
    public void add(Agent agent) {
        all.add(agent);
    }

    /** {@return the agent of the connection to a node} */
    public Agent of(int nid) {
        return all.get(index(nid, all.size()));
    }

    /** Sets the ports of the agents, in the order of the agents, for callers of an address whose links do not move. */
    public void setPorts(String address, int[] each) {
        ports.put(address, each.clone());
    }

    /** Returns the port at which the agent of a node listens for callers of an address; 0 if links move instead. */
    int port(String address, int nid) {
        final int[] each = ports.get(address);
        return each == null ? 0 : each[index(nid, all.size())];
    }

    static int index(int nid, int agentCount) {
        return (int) ((nid * SPREAD & INT_MASK) * agentCount >>> Integer.SIZE);
    }

    /** {@return the agent that accepts links and ends requests whose deadline has passed} */
    public Agent first() {
        return all.getFirst();
    }

    /** {@return all agents} */
    public List<Agent> all() {
        return all;
    }

    /** {@return the links of all agents} */
    public LinkTable links() {
        return links;
    }

    /** {@return the identity of the network's cluster} */
    public OwnCluster cluster() {
        return cluster;
    }

    /**
     * Learns the identity of the cluster. The links to nodes that have not proved to be of this cluster end: their
     * sessions continue over new links, if the nodes turn out to be of this cluster.
     *
     * @param known the identity
     * @return whether the identity was unknown until now
     * @throws RefusedException if the network belongs to another cluster, or expects another name
     */
    public boolean learn(ClusterId known) throws RefusedException {
        final boolean isNew = cluster.learn(known);
        if (isNew) {
            all.forEach(agent -> agent.post(agent::endOutside));
        }
        return isNew;
    }

    /** {@return the sum of a count over all agents} */
    public long sum(ToLongFunction<AgentCounters> count) {
        long sum = 0;
        for (Agent agent : all) {
            sum += count.applyAsLong(agent.counters());
        }
        return sum;
    }

    /** Returns whether an agent has frames on their way over a link. */
    boolean isSending() {
        for (Agent agent : all) {
            if (agent.isSending()) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether the calling thread acts as one of the agents} */
    public boolean isOnDuty() {
        for (Agent agent : all) {
            if (agent.isOnDuty()) {
                return true;
            }
        }
        return false;
    }

    /** Ends the sleep of each agent. */
    void wakeUp() {
        all.forEach(Agent::wakeUp);
    }
}
