package io.teff.cluster.net.agent;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves accepted links to the agents of their connections: a link moves after its HELLO has named the NID, before any
 * answer is sent. By the agent only.
 */
final class LinkTransfer {
    private final Agent agent;
    private final Agents agents;
    private final Transports transports;
    /** Links to be moved at the end of the transports' poll, when no event of a link runs. */
    private final List<Channel> moving = new ArrayList<>();

    LinkTransfer(Agent agent, Agents agents, Transports transports) {
        this.agent = agent;
        this.agents = agents;
        this.transports = transports;
    }

    /**
     * Returns whether the connection to a node belongs to another agent; if so, the link moves after the transport's
     * poll.
     */
    boolean isOfAnother(Channel channel, int nid) {
        final boolean isOfAnother = agents.of(nid) != agent;
        if (isOfAnother) {
            moving.add(channel);
        }
        return isOfAnother;
    }

    /** Hands links to their agents after the transports' poll; returns the number of links. */
    int moveAll() {
        final int count = moving.size();
        for (int i = 0; i < count; i++) {
            final Channel channel = moving.get(i);
            if (!channel.isClosed()) {
                move(channel);
            }
        }
        moving.clear();
        return count;
    }

    private void move(Channel channel) {
        final Agent to = agents.of(channel.hello().nid());
        try {
            channel.leave(to, transports);
        } catch (IOException e) {
            channel.fail(e);
            return;
        }
        agent.remove(channel);
        to.post(() -> to.transfer().take(channel));            // from here on the link is not this agent's
    }

    private void take(Channel channel) {
        agent.add(channel);
        channel.arrive(transports);
    }
}
