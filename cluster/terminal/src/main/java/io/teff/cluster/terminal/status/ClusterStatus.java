package io.teff.cluster.terminal.status;

import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The status of a cluster at a moment.
 *
 * @param folder folder of a cluster on this machine, or null
 * @param supervisor process number of the supervisor, or null
 * @param superpeers addresses to connect to
 * @param problem why no superpeer has answered; null if a superpeer has
 * @param version version of the tables
 * @param nodes the nodes of the folder, and the nodes of the tables
 * @param zones the rows of all zones
 * @param warnings texts about waiting zones with the awaited copies, and about lost zones
 */
record ClusterStatus(@Nullable String folder, @Nullable Long supervisor, List<String> superpeers,
                     @Nullable String problem, long version, List<NodeView> nodes, List<ZoneRow> zones,
                     List<String> warnings) {
    private static final int NO_ANSWER = 1;
    private static final int MISSING = 3;
    private static final int EXPOSED = 4;

    /**
     * A node. Unknown values are null.
     *
     * @param name name of the node
     * @param role role of the node
     * @param state {@code up}, {@code starting}, {@code new}, {@code down}, or, of nodes outside of the folder,
     *     {@code alive}, {@code expired}, {@code silent}
     * @param nid NID of the node
     * @param incarnation current incarnation of the node
     * @param address listening address of the node
     * @param pid number of the node's process
     * @param exitCode exit code of the node's last process
     * @param upMs milliseconds since the start of the process
     * @param isLeading whether the node is the leading superpeer
     * @param holdsLease whether the node holds a lease
     * @param owned number of zones owned by the node, by the tables
     * @param backups number of zones with the node as backup, by the tables
     * @param chunks chunks in the node's zones
     * @param chunkBytes payload of these chunks
     * @param memoryBytes memory of the node's store
     * @param logBytes bytes of the log on the disk
     * @param heapBytes used bytes of the Java heap
     * @param problem problem that keeps the node from its work
     */
    record NodeView(String name, String role, String state, @Nullable Integer nid, @Nullable Integer incarnation,
                    String address, @Nullable Long pid, @Nullable Integer exitCode, @Nullable Long upMs,
                    @Nullable Boolean isLeading, @Nullable Boolean holdsLease, int owned, int backups,
                    @Nullable Long chunks, @Nullable Long chunkBytes, @Nullable Long memoryBytes,
                    @Nullable Long logBytes, @Nullable Long heapBytes, @Nullable String problem) {

        /** Returns whether zones may have a backup at this node. */
        boolean mayBeBackup() {
            return !role.equals("superpeer") && Boolean.TRUE.equals(holdsLease);
        }

        NodeView withProblem(@Nullable String text) {
            return new NodeView(name, role, state, nid, incarnation, address, pid, exitCode, upMs, isLeading,
                holdsLease, owned, backups, chunks, chunkBytes, memoryBytes, logBytes, heapBytes, text);
        }

        Map<String, @Nullable Object> json() {
            Map<String, @Nullable Object> json = new LinkedHashMap<>();
            json.put("name", name);
            json.put("role", role);
            json.put("state", state);
            json.put("nid", nid);
            json.put("incarnation", incarnation);
            json.put("address", address);
            json.put("pid", pid);
            json.put("exitCode", exitCode);
            json.put("upMs", upMs);
            json.put("leading", isLeading);
            json.put("lease", holdsLease);
            json.put("zonesOwned", owned);
            json.put("zonesBackedUp", backups);
            json.put("chunks", chunks);
            json.put("chunkBytes", chunkBytes);
            json.put("memoryBytes", memoryBytes);
            json.put("logBytes", logBytes);
            json.put("heapBytes", heapBytes);
            json.put("problem", problem);
            return json;
        }
    }

    /** {@return whether a superpeer has answered} */
    boolean isAnswering() {
        return problem == null;
    }

    /** {@return whether it is a cluster of a folder on this machine, of which no process runs} */
    boolean isDown() {
        return folder != null && supervisor == null && !isAnswering()
            && nodes.stream().allMatch(node -> node.pid() == null);
    }

    /** {@return the exit code of the command that has shown it, which its help explains} */
    int exitCode() {
        if (!isAnswering()) {
            return NO_ANSWER;
        }
        if (zones.stream().anyMatch(row -> row.state() == ZoneState.WAITING || row.state() == ZoneState.LOST)) {
            return MISSING;
        }
        long peers = nodes.stream().filter(NodeView::mayBeBackup).count();
        return peers > 1 && zones.stream().anyMatch(row -> row.backups().isEmpty()) ? EXPOSED : 0;
    }

    /** {@return number of zones in each state, all states} */
    Map<String, Long> zonesByState() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (ZoneState state : ZoneState.values()) {
            counts.put(state.name().toLowerCase(Locale.ROOT),
                zones.stream().filter(row -> row.state() == state).count());
        }
        return counts;
    }

    /** {@return number of zones with each number of backups} */
    Map<Integer, Long> zonesByBackups() {
        Map<Integer, Long> counts = new TreeMap<>();
        zones.stream().filter(row -> row.state() != ZoneState.LOST)
            .forEach(row -> counts.merge(row.backups().size(), 1L, Long::sum));
        return counts;
    }

    Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("folder", folder);
        json.put("supervisor", supervisor);
        json.put("superpeers", superpeers);
        json.put("answering", isAnswering());
        json.put("down", isDown());
        json.put("problem", problem);
        json.put("tableVersion", version);
        json.put("nodes", nodes.stream().map(NodeView::json).toList());
        Map<String, Object> zoneCounts = new LinkedHashMap<>();
        zoneCounts.put("count", zones.size());
        zoneCounts.put("byState", zonesByState());
        Map<String, Long> byBackups = new LinkedHashMap<>();
        zonesByBackups().forEach((backups, count) -> byBackups.put(String.valueOf(backups), count));
        zoneCounts.put("byBackups", byBackups);
        Map<String, String> obstacles = new LinkedHashMap<>();
        for (ZoneRow row : zones) {
            String obstacle = row.obstacle();
            if (obstacle != null) {
                obstacles.put(String.valueOf(row.zone()), obstacle);
            }
        }
        zoneCounts.put("obstacles", obstacles);
        zoneCounts.put("waiting", numbers(ZoneState.WAITING));
        zoneCounts.put("lost", numbers(ZoneState.LOST));
        json.put("zones", zoneCounts);
        json.put("warnings", warnings);
        return json;
    }

    private List<Integer> numbers(ZoneState state) {
        return zones.stream().filter(row -> row.state() == state).map(ZoneRow::zone).toList();
    }
}
