package io.teff.cluster.terminal.status;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.terminal.local.ClusterFolder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nodes of a cluster at a moment, as {@code cluster status} shows nodes. */
public final class NodeList {
    private final StatusView view;

    private NodeList(StatusView view) {
        this.view = view;
    }

    /**
     * Reads the nodes.
     *
     * @param folder folder of a cluster on this machine, or null
     * @param admin connection to the cluster
     * @return the nodes
     */
    public static NodeList read(@Nullable ClusterFolder folder, ClusterAdmin admin) {
        return new NodeList(new StatusReader(folder, admin).read());
    }

    /** {@return the status that the nodes belong to} */
    public ClusterStatus cluster() {
        return view.cluster();
    }

    /** {@return the names of the nodes without expired nodes that no zone has a use for} */
    public List<String> names() {
        return shown(false).stream().map(NodeView::name).toList();
    }

    /**
     * {@return the name of a node; its number if the node has none}
     *
     * @param nid NID of the node
     */
    public String name(int nid) {
        return view.nodes().stream().filter(node -> node.nid() != null && node.nid() == nid).map(NodeView::name)
            .findFirst().orElse("node " + nid);
    }

    /**
     * {@return a table of the nodes, in lines}
     *
     * @param isAll whether expired nodes are shown that no zone has a use for
     */
    public String text(boolean isAll) {
        return StatusText.table(shown(isAll));
    }

    /**
     * {@return the nodes for JSON}
     *
     * @param isAll whether expired nodes are shown that no zone has a use for
     */
    public List<Map<String, @Nullable Object>> json(boolean isAll) {
        return shown(isAll).stream().map(NodeView::json).toList();
    }

    /**
     * {@return a node for JSON, or null}
     *
     * @param name name or NID of the node
     */
    public @Nullable Map<String, @Nullable Object> json(String name) {
        NodeView node = node(name);
        return node == null ? null : node.json();
    }

    /**
     * {@return the status of a node by the node itself; null if the node does not answer}
     *
     * @param name name or NID of the node
     */
    public @Nullable NodeStatus status(String name) {
        NodeView node = node(name);
        return node == null ? null : node.status();
    }

    private @Nullable NodeView node(String name) {
        return view.nodes().stream().filter(node -> node.name().equals(name)
            || name.equals(String.valueOf(node.nid()))).findFirst().orElse(null);
    }

    private List<NodeView> shown(boolean isAll) {
        return view.nodes().stream().filter(node -> isAll || !view.isPast(node)).toList();
    }
}
