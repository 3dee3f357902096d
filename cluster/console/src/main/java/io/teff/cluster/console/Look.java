package io.teff.cluster.console;

import io.teff.cluster.admin.ClusterFigures;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeStatus;

/**
 * The cluster as seen at a moment. Immutable.
 *
 * @param atMs wall clock of the moment, in milliseconds since 1970
 * @param status the tables, and the statuses of the nodes
 * @param figures the figures of the nodes
 */
record Look(long atMs, ClusterStatus status, ClusterFigures figures) {
    /** Returns the name of a node; a made name if the node does not answer. */
    static String name(ClusterStatus.Member node) {
        NodeStatus status = node.status();
        return status != null ? status.name()
            : (node.role() == NodeRole.SUPERPEER ? "superpeer" : "peer") + "-nid-" + node.life().nid();
    }

    /** Returns the host of an address such as {@code tcp:10.0.0.1:7400}. */
    static String machine(String address) {
        int port = address.lastIndexOf(':');
        int scheme = address.indexOf(':');
        return port <= scheme ? address : address.substring(scheme + 1, port);
    }
}
