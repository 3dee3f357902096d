package io.teff.cluster.peer;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.ClientNid;
import io.teff.cluster.cell.SuperpeerNews;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Deadline;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Joins a cluster: asks the superpeers for a NID. Before, the node has no NID, and asks under an ephemeral NID. Each
 * attempt draws a new ephemeral NID, because two nodes may draw the same number at the same time.
 */
final class Joining {
    private static final int SENDS_PER_NID = 10;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long NEWS_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    private final PeerConfig config;
    private final NodeFolder folder;
    private final BooleanSupplier isGivenUp;
    private final Clock clock;
    private volatile SuperpeerSet superpeers;
    private boolean isWaitSaid;

    /**
     * Prepares to join.
     *
     * @param isGivenUp looked at before each attempt; an attempt takes at most about a second
     */
    Joining(PeerConfig config, NodeFolder folder, BooleanSupplier isGivenUp) {
        this.config = config;
        this.folder = folder;
        this.isGivenUp = isGivenUp;
        clock = config.platform().clock();
        superpeers = config.superpeers().set();
    }

    /**
     * Sends the command until there is a reply. Waits while an earlier life of the folder counts.
     *
     * @throws IOException if the join is refused or given up, or there is no reply within a minute
     */
    NodeRef join(Command join) throws IOException {
        final Deadline limit = Deadline.in(clock, LIMIT_NS);
        String last = "no superpeer has answered";
        while (!limit.isOver()) {
            final int nid = ClientNid.draw(config.platform().chance());
            try (Network network = Network.open(network(nid).build())) {
                final CellClient cell = new CellClient(network::request, this::superpeers);
                for (int i = 0; i < SENDS_PER_NID && !limit.isOver(); i++) {
                    checkWanted();
                    final CommandReply reply = cell.send(join, limit.leftNs()).join();
                    if (reply instanceof CommandReply.Joined joined && network.cluster().isKnown()) {
                        folder.joined(network.cluster());
                        return joined.node();
                    }
                    if (cell.misfit() != null) {
                        throw new IOException("the superpeers refuse this peer: " + cell.misfit());
                    }
                    last = refusal(reply, last);
                    sayWhyWaiting(reply);
                    clock.pause(this, PAUSE_NS);
                }
                superpeers = SuperpeerNews.ask(network::request, superpeers, NEWS_NS).join();
            }
        }
        throw new IOException("not joined within " + limit + ": " + last);
    }

    /** Returns the superpeers as known now. */
    SuperpeerSet superpeers() {
        return superpeers;
    }

    /** Reports the end of a life that never began. If no superpeer is reached, the life expires. */
    void leave(NodeRef node) throws IOException {
        final int nid = ClientNid.draw(config.platform().chance());
        try (Network network = Network.open(network(nid).build())) {
            final CellClient cell = new CellClient(network::request, this::superpeers);
            for (int i = 0; i < superpeers.rows().size(); i++) {
                if (cell.send(new Command.Ended(node)).join() != null) {
                    return;
                }
            }
        }
    }

    private void checkWanted() throws IOException {
        if (isGivenUp.getAsBoolean()) {
            throw new IOException("the peer ends while it joins");
        }
    }

    /** Says once why the superpeers do not take the peer yet. */
    private void sayWhyWaiting(@Nullable CommandReply reply) {
        if (reply instanceof CommandReply.Refused refused && !isWaitSaid) {
            isWaitSaid = true;
            config.log().log(NodeEvent.NODE, "waits to join: " + refused.reason());
        }
    }

    private static String refusal(@Nullable CommandReply reply, String last) throws IOException {
        if (reply instanceof CommandReply.Refused refused) {
            if (refused.isFinal()) {
                throw new IOException("the cluster refuses this node: " + refused.reason());
            }
            return refused.reason();
        }
        return last;
    }

    private NetworkConfig.Builder network(int nid) {
        return config.network(nid, folder).drawnNid(true).handlerThreads(1).lingerNs(0)
            .addresses(called -> config.superpeers().address(called, superpeers));
    }
}
