package io.teff.cluster.control;

import io.teff.cluster.admin.ClusterNode;
import io.teff.cluster.admin.NodeFigures;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.admin.NodeStartException;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.message.StatusRequest;
import io.teff.cluster.node.Node;
import org.jspecify.annotations.Nullable;

/** A node in this process. */
final class StartedNode implements ClusterNode {
    private final NodeSettings settings;
    private final Node node;
    private final NodeLog log;
    private final CertificateWatch certificates;

    StartedNode(NodeSettings settings, Node node, NodeLog log, CertificateWatch certificates) {
        this.settings = settings;
        this.node = node;
        this.log = log;
        this.certificates = certificates;
    }

    @Override
    public NodeSettings settings() {
        return settings;
    }

    @Override
    public void awaitReady(long patienceNs) throws NodeStartException {
        node.awaitReady(log, patienceNs);
    }

    @Override
    public boolean isReady() {
        return node.isReady();
    }

    @Override
    public NodeLife life() {
        return RowViews.life(node.reference());
    }

    @Override
    public NodeStatus status(boolean withZones) {
        return node.status(new StatusRequest(withZones));
    }

    @Override
    public NodeFigures figures() {
        return node.figures().now();
    }

    @Override
    public @Nullable String failure() {
        return node.failure();
    }

    @Override
    public void onRestart(long process, Runnable action) {
        node.figures().onRestart(process, action);
    }

    @Override
    public void close() {
        certificates.close();
        node.close();
    }
}
