package io.teff.cluster.peer;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.Membership;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import java.io.IOException;
import java.util.List;

/** One life of a peer, from its join to its end. Thread-safe. */
final class PeerLife implements Membership.Listener, AutoCloseable {
    private static final long WINDOW_BYTES = 4 << 20;

    private final NodeRef node;
    private final Network network;
    private final CellClient cell;
    private final Membership membership;

    private PeerLife(PeerConfig config, NodeRef node, Tables tables, Network network) {
        this.node = node;
        this.network = network;
        cell = new CellClient(network, config.superpeers().size());
        membership = new Membership(node, network, config.superpeers().size(), config.terms(), cell, tables,
            config.platform().clock(), this);
    }

    static PeerLife begin(PeerConfig config, NodeFolder folder) throws IOException {
        final Joining joining = new Joining(config);
        final NodeRef node = joining.join(new Command.Join(folder.id(), config.platform().chance().nextLong(),
            config.address(), Roles.PEER));
        final Tables tables = new Tables();
        final NetworkConfig network = NetworkConfig.builder(node.nid()).listen(config.listen()).secret(config.secret())
            .handlerThreads(config.handlerThreads()).windowBytes(WINDOW_BYTES)
            .addresses(nid -> {
                final String superpeer = joining.superpeer(nid);
                final NodeRow row = superpeer == null ? tables.node(nid) : null;
                return row == null ? superpeer : row.address();
            }).build();
        return new PeerLife(config, node, tables, Network.open(network));
    }

    NodeRef node() {
        return node;
    }

    boolean holdsLease() {
        return membership.holdsLease();
    }

    @Override
    public void changed(List<ZoneRow> rows) {}

    @Override
    public void expired() {}

    /** Reports the end of this life, so that nobody waits for its lease. */
    void leave() {
        final var _ = cell.send(new Command.Ended(node)).join();
    }

    @Override
    public void close() {
        membership.close();
        network.close();
    }
}
