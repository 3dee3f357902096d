package io.teff.cluster.admin;

import org.jspecify.annotations.Nullable;

/** A node in this process: {@link NodeSettings#start}. Thread-safe. */
public interface ClusterNode extends AutoCloseable {
    /** {@return the settings of the node} */
    NodeSettings settings();

    /**
     * Waits until the node is ready. A superpeer is ready when the superpeers have a leader and the superpeer has
     * applied its own announcement; a peer is ready when the peer holds a lease. A superpeer waits without a limit for
     * other superpeers, and logs the wait: the superpeers of a majority may be started hours apart.
     *
     * @param patienceNs longest time until a peer is ready, in nanoseconds; for a superpeer the time between two lines
     *     of the log
     * @throws NodeStartException if the node has failed, or a peer is late; the caller must close the node
     */
    void awaitReady(long patienceNs) throws NodeStartException;

    /** {@return whether the node does its work now} */
    boolean isReady();

    /** {@return the node's current life} */
    NodeLife life();

    /**
     * {@return the node's status}
     *
     * @param withZones whether zones and copies are listed
     */
    NodeStatus status(boolean withZones);

    /** {@return the node's figures, at most a second old} */
    NodeFigures figures();

    /**
     * {@return why the node has ended its work for good, for people; null for a working node} A failed node must be
     * closed, and the process of a failed node should end.
     */
    @Nullable String failure();

    /**
     * Lets operators restart the node ({@link ClusterAdmin#restart}). Without this call the node refuses such orders.
     * For a process that some manager starts again after its end.
     *
     * @param process number of this process
     * @param action asks for the end of the process, and returns at once; called by a thread of the node
     */
    void onRestart(long process, Runnable action);

    /** Ends the node. A peer leaves the cluster: other peers restore the peer's zones at once. Idempotent. */
    @Override
    void close();
}
