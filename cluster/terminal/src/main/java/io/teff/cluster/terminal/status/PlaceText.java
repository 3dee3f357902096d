package io.teff.cluster.terminal.status;

import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.RackSpread;
import io.teff.cluster.admin.ZoneStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Texts for users: racks, zones whose copies share a rack, and the numbers of zones that are left. */
final class PlaceText {
    private static final int ZONES_SHOWN = 16;

    private final RackSpread spread;
    private final ClusterStatus cluster;

    PlaceText(ClusterStatus cluster) {
        this.cluster = cluster;
        spread = RackSpread.of(cluster);
    }

    /** Returns the racks with their numbers of peers; empty without names of racks. */
    String racks() {
        return spread.racks().isEmpty() ? "" : new TreeMap<>(spread.racks()).entrySet().stream()
            .map(rack -> rack.getKey() + " " + rack.getValue().size()).collect(Collectors.joining(", "))
            + (spread.unnamed().isEmpty() ? "" : "; without a rack: " + spread.unnamed().size());
    }

    /** Returns a line for each fault of the places. */
    List<String> warnings() {
        List<String> lines = new ArrayList<>();
        if (!spread.sharing().isEmpty()) {
            String zones = spread.sharing().stream().limit(ZONES_SHOWN).map(zone -> String.valueOf(zone.zone()))
                .collect(Collectors.joining(" ")) + (spread.sharing().size() > ZONES_SHOWN ? " ..." : "");
            lines.add("warning: " + spread.sharing().size() + " zone(s) with two copies in one rack: " + zones
                + (spread.hasTooFew() ? "; " + spread.copiesMost() + " copies need as many racks, and there are "
                    + spread.count() : "; ./teff cluster rebalance moves their backups"));
        }
        if (spread.hasNames() && !spread.unnamed().isEmpty()) {
            lines.add("warning: " + spread.unnamed().size() + " peer(s) without a rack, each of which counts as a rack"
                + " of its own: " + spread.unnamed().stream().limit(ZONES_SHOWN).map(Object::toString)
                    .collect(Collectors.joining(", ")));
        }
        if (cluster.isNearEndOfZones()) {
            lines.add("warning: " + cluster.zonesGiven() + " of " + ClusterStatus.ZONES_MAX + " zones are given; full"
                + " zones are used again when half of their chunks are removed");
        }
        return lines;
    }

    /** Returns the racks, for programs. */
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        new TreeMap<>(spread.racks()).forEach((rack, nodes) -> json.put(rack, nodes.stream().map(node -> node.nid())
            .toList()));
        return json;
    }

    /** Returns the zones whose copies share a rack, for programs. */
    List<Integer> sharing() {
        return spread.sharing().stream().map(ZoneStatus::zone).toList();
    }
}
