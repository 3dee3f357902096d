package io.teff.cluster.node;

import io.teff.cluster.config.NodeConfig;
import io.teff.cluster.config.NodeRole;
import io.teff.cluster.message.NodeStatus;
import io.teff.cluster.message.StatusRequest;
import io.teff.cluster.meta.NodeRef;
import io.teff.engine.os.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A running node. Thread-safe. */
public abstract class Node implements AutoCloseable {
    private final NodeConfig config;
    private final NodeFolder folder;

    Node(NodeConfig config, NodeFolder folder) {
        this.config = config;
        this.folder = folder;
    }

    /**
     * Starts a node: locks its folder, checks its ports, and starts what its role needs. Waits until the node is
     * ready: a superpeer until the cell leads and this member has announced its life, a peer until it holds its lease.
     *
     * @param config the configuration
     * @param log receives what happens, in lines for people; called by several threads
     * @param patienceNs how long to wait until the node is ready
     * @return the node
     * @throws NodeStartException if something is in the way; nothing is left running
     */
    public static Node start(NodeConfig config, Consumer<String> log, long patienceNs) throws NodeStartException {
        NodeFolder folder = NodeFolder.open(config);
        Node node = null;
        try {
            List<String> faults = new ArrayList<>(Ports.checkTcp(config.listen()));
            if (config.role() == NodeRole.SUPERPEER) {
                faults.addAll(SuperpeerNode.checkPorts(config));
            }
            if (!faults.isEmpty()) {
                throw new NodeStartException(String.join("\n", faults), null);
            }
            node = switch (config.role()) {
                case SUPERPEER -> SuperpeerNode.start(config, folder, log);
                case PEER -> throw new NodeStartException("peers are being built", null);
            };
            node.awaitReady(patienceNs);
            Node ready = node;
            node = null;
            return ready;
        } finally {
            if (node != null) {
                node.close();
            }
            if (node != null) {
                folder.close();
            }
        }
    }

    private void awaitReady(long patienceNs) throws NodeStartException {
        long end = Clock.SYSTEM.nowNs() + patienceNs;
        while (!isReady()) {
            if (Clock.SYSTEM.nowNs() - end >= 0) {
                throw new NodeStartException(config.name() + " is not ready after " + patienceNs / 1_000_000_000L
                    + " s: " + missing(), null);
            }
            Clock.SYSTEM.pause(this, 10_000_000L);
        }
    }

    /** {@return the configuration} */
    public NodeConfig config() {
        return config;
    }

    /** {@return the data folder} */
    public NodeFolder folder() {
        return folder;
    }

    /** {@return whether the node does its work now} */
    public abstract boolean isReady();

    /** {@return whether the node's life is over for the cluster, so that its process should end} */
    public abstract boolean isExpired();

    /** {@return the node's life; incarnation 0 for superpeers} */
    public abstract NodeRef reference();

    /**
     * {@return the node's status}
     *
     * @param request what to include
     */
    public abstract NodeStatus status(StatusRequest request);

    /** {@return what a node that is not ready waits for, for people} */
    abstract String missing();

    /** Ends what the role has started. */
    abstract void end();

    /** Ends the node: a peer leaves the cluster. Idempotent. */
    @Override
    public final void close() {
        try {
            end();
        } finally {
            folder.close();
        }
    }
}
