package io.teff.cluster.terminal.status;

import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node as the command shows the node: the place of the node, and the status from the node itself. Unknown values are
 * null.
 *
 * @param name name of the node
 * @param role role of the node
 * @param state {@code up}, {@code starting}, {@code new}, {@code down}, or, of nodes outside of the folder,
 *     {@code expired}, {@code silent}
 * @param nid NID of the node
 * @param incarnation number of the node's current or last life
 * @param address listening address of the node
 * @param pid number of the node's process
 * @param exitCode exit code of the node's last process
 * @param owned number of zones owned by the node, by the tables
 * @param backups number of zones with the node as backup, by the tables
 * @param status status of the node
 * @param lastWords last line of a failed process
 */
record NodeView(String name, NodeRole role, String state, @Nullable Integer nid, @Nullable Integer incarnation,
                String address, @Nullable Long pid, @Nullable Integer exitCode, int owned, int backups,
                @Nullable NodeStatus status, @Nullable String lastWords) {
    /** State of a node outside of the folder whose last life does not count any more. */
    static final String EXPIRED = "expired";

    boolean isSuperpeer() {
        return role == NodeRole.SUPERPEER;
    }

    /** Returns whether zones may have a backup at this node. */
    boolean mayBeBackup() {
        return Boolean.TRUE.equals(holdsLease());
    }

    /** Returns milliseconds since the start of the node. */
    @Nullable Long upMs() {
        return status == null ? null : Long.valueOf(status.process().upMs());
    }

    /** Returns whether a superpeer leads; null for peers. */
    @Nullable Boolean isLeading() {
        return status == null || !isSuperpeer() ? null : Boolean.valueOf(status.standing().isLeading());
    }

    /** Returns whether a peer holds a lease; null for superpeers. */
    @Nullable Boolean holdsLease() {
        return status == null || isSuperpeer() ? null : Boolean.valueOf(status.standing().holdsLease());
    }

    /** Returns the figures of a peer; null for superpeers. */
    NodeStatus.@Nullable PeerFigures figures() {
        return status == null ? null : status.peer();
    }

    /** Returns chunks in the node's zones. */
    @Nullable Long chunks() {
        NodeStatus.PeerFigures figures = figures();
        return figures == null ? null : Long.valueOf(figures.chunks());
    }

    /** Returns payload of the chunks in the node's zones, in bytes. */
    @Nullable Long chunkBytes() {
        NodeStatus.PeerFigures figures = figures();
        return figures == null ? null : Long.valueOf(figures.chunkBytes());
    }

    /** Returns memory of the node's store, in bytes. */
    @Nullable Long memoryBytes() {
        NodeStatus.PeerFigures figures = figures();
        return figures == null ? null : Long.valueOf(figures.memoryBytes());
    }

    /** Returns bytes of the log on the disk. */
    @Nullable Long logBytes() {
        return status == null ? null : Long.valueOf(status.logBytes());
    }

    /** Returns used bytes of the Java heap. */
    @Nullable Long heapBytes() {
        return status == null ? null : Long.valueOf(status.process().heapBytes());
    }

    /** Returns the problem that keeps the node from its work. */
    @Nullable String problem() {
        return status == null || status.problem().isEmpty() ? lastWords : status.problem();
    }

    Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("role", role.text());
        json.put("state", state);
        json.put("nid", nid);
        json.put("incarnation", incarnation);
        json.put("address", address);
        json.put("pid", pid);
        json.put("exitCode", exitCode);
        json.put("upMs", upMs());
        json.put("leading", isLeading());
        json.put("lease", holdsLease());
        json.put("zonesOwned", owned);
        json.put("zonesBackedUp", backups);
        json.put("chunks", chunks());
        json.put("chunkBytes", chunkBytes());
        json.put("memoryBytes", memoryBytes());
        json.put("logBytes", logBytes());
        json.put("heapBytes", heapBytes());
        json.put("problem", problem());
        return json;
    }
}
