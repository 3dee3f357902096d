package io.teff.cluster.admin;

import io.teff.cluster.admin.ClusterStatus.Member;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How the copies of zones are spread over racks: the owner and the backups of a zone are its copies. Immutable.
 *
 * @param racks the living peers of each named rack, by the names
 * @param unnamed living peers without the name of a rack: each counts as a rack of its own
 * @param sharing served zones with two copies in one rack: the end of this rack takes both
 * @param copiesMost most copies of a zone
 */
public record RackSpread(Map<String, List<NodeLife>> racks, List<NodeLife> unnamed, List<ZoneStatus> sharing,
                         int copiesMost) {
    /** Copies the collections. */
    public RackSpread {
        racks = Map.copyOf(racks);
        unnamed = List.copyOf(unnamed);
        sharing = List.copyOf(sharing);
    }

    /**
     * {@return the spread of a cluster}
     *
     * @param status the status, or the tables alone
     */
    public static RackSpread of(ClusterStatus status) {
        final Map<String, List<NodeLife>> racks = new TreeMap<>();
        final Map<Integer, String> names = new HashMap<>();
        final List<NodeLife> unnamed = new ArrayList<>();
        for (Member node : status.nodes()) {
            if (node.role() == NodeRole.PEER && node.isAlive()) {
                names.put(node.life().nid(), node.rack());
                if (node.rack().isEmpty()) {
                    unnamed.add(node.life());
                } else {
                    racks.computeIfAbsent(node.rack(), _ -> new ArrayList<>()).add(node.life());
                }
            }
        }
        final List<ZoneStatus> sharing = new ArrayList<>();
        int most = 0;
        for (ZoneStatus zone : status.zones()) {
            most = Math.max(most, 1 + zone.backups().size());
            if (zone.state().isServed() && isSharing(zone, names)) {
                sharing.add(zone);
            }
        }
        return new RackSpread(racks, unnamed, sharing, most);
    }

    private static boolean isSharing(ZoneStatus zone, Map<Integer, String> names) {
        final Set<String> seen = new HashSet<>();
        final NodeLife owner = zone.owner();
        if (owner != null) {
            seen.add(names.getOrDefault(owner.nid(), ""));
        }
        boolean isSharing = false;
        for (ZoneStatus.Copy copy : zone.backups()) {
            final String rack = names.getOrDefault(copy.node().nid(), "");
            isSharing |= !seen.add(rack) && !rack.isEmpty();
        }
        return isSharing;
    }

    /** {@return whether a peer has the name of a rack} */
    public boolean hasNames() {
        return !racks.isEmpty();
    }

    /** {@return the number of racks, where each peer without a name counts as one} */
    public int count() {
        return racks.size() + unnamed.size();
    }

    /** {@return whether zones have more copies than there are racks} */
    public boolean hasTooFew() {
        return hasNames() && count() < copiesMost;
    }
}
