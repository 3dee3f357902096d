package io.teff.cluster.console;

import io.teff.cluster.admin.ClusterFigures;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.NodeRole;
import java.util.Map;

/**
 * The cluster as seen at a moment. Immutable.
 *
 * @param atMs wall clock of the moment, in milliseconds since 1970
 * @param status the tables, and the statuses of the nodes
 * @param figures the figures of the nodes
 * @param names the last known names of nodes by their NIDs, also of nodes that have ended
 */
record ClusterLook(long atMs, ClusterStatus status, ClusterFigures figures, Map<Integer, String> names) {
    /** Copies the map. */
    ClusterLook {
        names = Map.copyOf(names);
    }

    /** Returns the name of a node; a made name if the node has never answered. */
    String name(ClusterStatus.Member node) {
        int nid = node.life().nid();
        return names.getOrDefault(nid, (node.role() == NodeRole.SUPERPEER ? "superpeer" : "peer") + "-nid-" + nid);
    }

    /** Returns the host of an address such as {@code tcp:10.0.0.1:7400}. */
    static String machine(String address) {
        int port = address.lastIndexOf(':');
        int scheme = address.indexOf(':');
        return port <= scheme ? address : address.substring(scheme + 1, port);
    }
}
