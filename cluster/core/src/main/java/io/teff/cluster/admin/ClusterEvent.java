package io.teff.cluster.admin;

import org.jspecify.annotations.Nullable;

/**
 * A change of a cluster, as seen in two statuses in a row. Several changes between two looks are one event: an event
 * names the state after the change. Immutable.
 *
 * @param kind kind of change
 * @param node the node of the change: a joined or expired node, or the owner of a changed zone; null without a node
 * @param zone the changed zone; 0 without a zone
 * @param text the change in one sentence with a small first letter, for people
 */
public record ClusterEvent(Kind kind, @Nullable NodeLife node, int zone, String text) {
    /** The kind of a change. */
    public enum Kind {
        /** A life of a node counts from now on. */
        NODE_JOINED,
        /** A life of a node does not count any more. */
        NODE_EXPIRED,
        /** A zone is new, or has another state or another owner. */
        ZONE_CHANGED,
        /** No superpeer answers. */
        SUPERPEERS_SILENT,
        /** A superpeer answers again. */
        SUPERPEERS_ANSWER
    }
}
