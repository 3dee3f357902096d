package io.teff.cluster.terminal.node;

import io.teff.cluster.admin.ClusterNode;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.admin.NodeStatus.PeerFigures;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** Shows a node to JMX. */
record NodeBean(ClusterNode node) implements NodeMXBean {
    /** Registers the beans of a node with the platform's server. */
    static void register(ClusterNode node) throws JMException {
        register(new NodeBean(node), "Node", node);
        if (node.settings().role() == NodeRole.PEER) {
            register(new PeerBean(node), "Peer", node);
        }
    }

    private static void register(Object bean, String type, ClusterNode node) throws JMException {
        ManagementFactory.getPlatformMBeanServer().registerMBean(bean,
            new ObjectName("io.teff.cluster:type=" + type + ",name=" + node.settings().name()));
    }

    private NodeStatus status() {
        return node.status(false);
    }

    private @Nullable PeerFigures figures() {
        return node.status(true).peer();
    }

    @Override
    public String getRole() {
        return node.settings().role().text();
    }

    @Override
    public int getNid() {
        return node.life().nid();
    }

    @Override
    public int getIncarnation() {
        return node.life().incarnation();
    }

    @Override
    public boolean isReady() {
        return node.isReady();
    }

    @Override
    public boolean isLeading() {
        return status().standing().isLeading();
    }

    @Override
    public boolean isHoldingLease() {
        return status().standing().holdsLease();
    }

    @Override
    public long getUpMillis() {
        return status().process().upMs();
    }

    @Override
    public long getTableVersion() {
        return status().standing().tableVersion();
    }

    @Override
    public int getZones() {
        PeerFigures figures = figures();
        return figures == null ? 0 : figures.zones().size();
    }

    @Override
    public long getChunks() {
        PeerFigures figures = figures();
        return figures == null ? 0 : figures.chunks();
    }

    @Override
    public long getChunkBytes() {
        PeerFigures figures = figures();
        return figures == null ? 0 : figures.chunkBytes();
    }

    @Override
    public int getCopies() {
        PeerFigures figures = figures();
        return figures == null ? 0 : figures.copies().size();
    }

    @Override
    public long getMemoryBytes() {
        PeerFigures figures = status().peer();
        return figures == null ? 0 : figures.memoryBytes();
    }

    @Override
    public long getLogBytes() {
        return status().logBytes();
    }

    @Override
    public long getCertificateEndMillis() {
        Instant end = node.settings().certificateEnd();
        return end == null ? 0 : end.toEpochMilli();
    }

    @Override
    public String getProblem() {
        return status().problem();
    }
}
