package io.teff.cluster.admin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * State of the zones of a cluster before a node ends. A later state lacks something against this state.
 *
 * @param backups number of backups of each served zone
 */
public record RollState(Map<Integer, Integer> backups) {
    /** Copies the map. */
    public RollState {
        backups = Map.copyOf(backups);
    }

    /**
     * {@return what the zones of a status have}
     *
     * @param status the status before
     */
    public static RollState of(ClusterStatus status) {
        Map<Integer, Integer> backups = new LinkedHashMap<>();
        status.zones().stream().filter(zone -> zone.state().isServed())
            .forEach(zone -> backups.put(zone.zone(), zone.backups().size()));
        return new RollState(backups);
    }

    /**
     * {@return what a later state lacks, for people; empty if nothing is lacking}
     *
     * @param status the later state
     * @param isBacked whether backups count
     * @param lives the present lives of peers
     */
    public String lack(ClusterStatus status, boolean isBacked, List<NodeLife> lives) {
        int unserved = 0;
        int few = 0;
        for (Map.Entry<Integer, Integer> each : backups.entrySet()) {
            ZoneStatus zone = status.zone(each.getKey());
            if (zone == null || !zone.state().isServed() || !lives.contains(zone.owner())) {
                unserved++;
            } else if (isBacked && zone.backups().stream().filter(copy -> lives.contains(copy.node())).count()
                < Math.min(each.getValue(), lives.size() - 1)) {
                few++;
            }
        }
        return unserved + few == 0 ? "" : unserved + " zones are not served, and " + few
            + " lack a backup";
    }
}
