package io.teff.cluster.terminal.node;

import io.teff.cluster.message.NodeStatus;
import io.teff.cluster.message.StatusRequest;
import io.teff.cluster.node.Node;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** Shows a node to JMX. */
record NodeBean(Node node) implements NodeMXBean {
    private static final StatusRequest ALL = new StatusRequest(true);
    private static final StatusRequest SHORT = new StatusRequest(false);

    /** Registers the beans of a node with the platform's server. */
    static void register(Node node) throws JMException {
        register(new NodeBean(node), "Node", node);
        if (node.stats() != null) {
            register(new PeerBean(node), "Peer", node);
        }
    }

    private static void register(Object bean, String type, Node node) throws JMException {
        ManagementFactory.getPlatformMBeanServer().registerMBean(bean,
            new ObjectName("io.teff.cluster:type=" + type + ",name=" + node.config().name()));
    }

    private NodeStatus status() {
        return node.status(SHORT);
    }

    @Override
    public String getRole() {
        return node.config().role().text();
    }

    @Override
    public int getNid() {
        return node.reference().nid();
    }

    @Override
    public int getIncarnation() {
        return node.reference().incarnation();
    }

    @Override
    public boolean isReady() {
        return node.isReady();
    }

    @Override
    public boolean isLeading() {
        return status().isLeading();
    }

    @Override
    public boolean isHoldingLease() {
        return status().holdsLease();
    }

    @Override
    public long getUpMillis() {
        return status().upMs();
    }

    @Override
    public long getTableVersion() {
        return status().version();
    }

    @Override
    public int getZones() {
        return node.status(ALL).zones().size();
    }

    @Override
    public long getChunks() {
        return node.status(ALL).zones().stream().mapToLong(NodeStatus.ZoneUse::chunks).sum();
    }

    @Override
    public long getChunkBytes() {
        return node.status(ALL).zones().stream().mapToLong(NodeStatus.ZoneUse::bytes).sum();
    }

    @Override
    public int getCopies() {
        return node.status(ALL).copies().size();
    }

    @Override
    public long getMemoryBytes() {
        return status().memoryBytes();
    }

    @Override
    public long getLogBytes() {
        return status().logBytes();
    }

    @Override
    public String getProblem() {
        return status().problem();
    }
}
