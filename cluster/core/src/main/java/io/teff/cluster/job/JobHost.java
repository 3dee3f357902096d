package io.teff.cluster.job;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.cell.Requests;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.operation.ZoneHost;
import io.teff.engine.os.Platform;
import java.util.function.Supplier;

/**
 * The peer as its jobs see the peer.
 *
 * @param node this life of the peer
 * @param zones the zones that the peer serves
 * @param tables what the peer knows of other nodes
 * @param requests sends messages to other peers
 * @param platform clock and threads
 * @param store the whole cluster, connected at the first use
 * @param code the jobs and tasks of the peer
 */
public record JobHost(NodeRef node, ZoneHost zones, Tables tables, Requests requests, Platform platform,
                      Supplier<ClusterStore> store, NodeJars code) {
    /** {@return whether a node lives, as far as this peer knows} */
    boolean isAlive(int nid) {
        final NodeRow row = tables.node(nid);
        return row != null && row.isAlive();
    }
}
