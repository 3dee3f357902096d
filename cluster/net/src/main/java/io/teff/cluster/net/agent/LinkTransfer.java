package io.teff.cluster.net.agent;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * LinkTable that an agent has accepted and that are another's: each moves when its HELLO has said whose it is, before
 * anything is answered. By the agent only.
 */
final class LinkTransfer {
    private final Agent node;
    private final Agents agents;
    private final Transports transports;
    /** Those that have said whose they are, until the end of the transports' poll: while no event of theirs runs. */
    private final List<Channel> moving = new ArrayList<>();

    LinkTransfer(Agent node, Agents agents, Transports transports) {
        this.node = node;
        this.agents = agents;
        this.transports = transports;
    }

    /** Whether the connection to a node is another agent's; then the link moves there when its transport was polled. */
    boolean isOfAnother(Channel channel, int nid) {
        final boolean isOfAnother = agents.of(nid) != node;
        if (isOfAnother) {
            moving.add(channel);
        }
        return isOfAnother;
    }

    /** Gives links to their agents, when the transports were polled; how many. */
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
        node.remove(channel);
        to.post(() -> to.moves().take(channel));                // from here on it is not this agent's
    }

    private void take(Channel channel) {
        node.add(channel);
        channel.goOn(transports);
    }
}
