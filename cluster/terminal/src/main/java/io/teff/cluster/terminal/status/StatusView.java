package io.teff.cluster.terminal.status;

import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.terminal.local.UnservedZones;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The status of a cluster as the command shows the status.
 *
 * @param folder folder of a cluster on this machine, or null
 * @param supervisor process number of the supervisor, or null
 * @param cluster status of the cluster
 * @param nodes the nodes of the folder, and the nodes of the tables
 * @param warnings texts about waiting zones with the awaited copies, about lost zones, and about places of copies
 */
record StatusView(@Nullable String folder, @Nullable Long supervisor, ClusterStatus cluster, List<NodeView> nodes,
                  List<String> warnings) {
    private static final int NO_ANSWER = 1;
    private static final int EXPOSED = 4;

    /** {@return whether a superpeer has answered} */
    boolean isAnswering() {
        return cluster.isAnswering();
    }

    /** {@return the zones of the cluster} */
    List<ZoneStatus> zones() {
        return cluster.zones();
    }

    /** {@return whether the cluster has a folder on this machine, and no process runs} */
    boolean isDown() {
        return folder != null && supervisor == null && !isAnswering()
            && nodes.stream().allMatch(node -> node.pid() == null);
    }

    /** {@return the exit code of the command; the help of the command explains the codes} */
    int exitCode() {
        if (!isAnswering()) {
            return NO_ANSWER;
        }
        if (new UnservedZones(cluster, null).exist()) {
            return UnservedZones.EXIT_CODE;
        }
        long peers = nodes.stream().filter(NodeView::mayBeBackup).count();
        return peers > 1 && zones().stream().anyMatch(row -> row.backups().isEmpty()) ? EXPOSED : 0;
    }

    /**
     * {@return whether a node outside of the folder has expired, and no zone has a use for the node: no zone is
     * owned by the node, is backed up there, or may continue with a copy of the node}
     */
    boolean isPast(NodeView node) {
        Integer nid = node.nid();
        return node.state().equals(NodeView.EXPIRED) && nid != null
            && zones().stream().noneMatch(row -> hasUseFor(row, nid));
    }

    private static boolean hasUseFor(ZoneStatus row, int nid) {
        NodeLife owner = row.owner();
        return owner != null && owner.nid() == nid || isIn(row.backups(), nid) || isIn(row.kept(), nid)
            || !row.state().isServed() && isIn(row.outdated(), nid);
    }

    private static boolean isIn(List<ZoneStatus.Copy> copies, int nid) {
        return copies.stream().anyMatch(copy -> copy.node().nid() == nid);
    }

    /** {@return number of zones in each state, all states} */
    Map<String, Long> zonesByState() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (ZoneStatus.State state : ZoneStatus.State.values()) {
            counts.put(state.name().toLowerCase(Locale.ROOT),
                zones().stream().filter(row -> row.state() == state).count());
        }
        return counts;
    }

    /** {@return number of zones with each number of backups} */
    Map<Integer, Long> zonesByBackups() {
        Map<Integer, Long> counts = new TreeMap<>();
        zones().stream().filter(row -> row.state() != ZoneStatus.State.LOST)
            .forEach(row -> counts.merge(row.backups().size(), 1L, Long::sum));
        return counts;
    }

    Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("folder", folder);
        json.put("supervisor", supervisor);
        json.put("id", cluster.id());
        json.put("name", cluster.name());
        json.put("superpeers", cluster.superpeers());
        json.put("answering", isAnswering());
        json.put("down", isDown());
        json.put("problem", cluster.problem());
        json.put("tableVersion", cluster.version());
        json.put("nodes", nodes.stream().map(NodeView::json).toList());
        Map<String, Object> zoneCounts = new LinkedHashMap<>();
        zoneCounts.put("count", zones().size());
        zoneCounts.put("byState", zonesByState());
        Map<String, Long> byBackups = new LinkedHashMap<>();
        zonesByBackups().forEach((backups, count) -> byBackups.put(String.valueOf(backups), count));
        zoneCounts.put("byBackups", byBackups);
        Map<String, String> obstacles = new LinkedHashMap<>();
        for (ZoneStatus row : zones()) {
            String obstacle = row.obstacle();
            if (obstacle != null) {
                obstacles.put(String.valueOf(row.zone()), obstacle);
            }
        }
        zoneCounts.put("obstacles", obstacles);
        zoneCounts.put("waiting", numbers(ZoneStatus.State.WAITING));
        zoneCounts.put("lost", numbers(ZoneStatus.State.LOST));
        PlaceText places = new PlaceText(cluster);
        zoneCounts.put("sharingRacks", places.sharing());
        zoneCounts.put("given", cluster.zonesGiven());
        json.put("racks", places.json());
        json.put("zones", zoneCounts);
        json.put("warnings", warnings);
        return json;
    }

    private List<Integer> numbers(ZoneStatus.State state) {
        return zones().stream().filter(row -> row.state() == state).map(ZoneStatus::zone).toList();
    }
}
