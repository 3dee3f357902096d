package io.teff.cluster.control;

import io.teff.cluster.admin.ClusterEvent;
import io.teff.cluster.admin.ClusterEvent.Kind;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.ZoneStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The changes between two statuses of a cluster, as events. Pure. */
final class StatusChanges {
    private StatusChanges() {}

    /** Returns the changes: of the superpeers, then of the nodes, then of the zones. */
    static List<ClusterEvent> between(ClusterStatus before, ClusterStatus after) {
        List<ClusterEvent> events = new ArrayList<>();
        if (before.isAnswering() != after.isAnswering()) {
            events.add(after.isAnswering()
                ? new ClusterEvent(Kind.SUPERPEERS_ANSWER, null, 0, "a superpeer answers again")
                : new ClusterEvent(Kind.SUPERPEERS_SILENT, null, 0, "no superpeer answers: " + after.problem()));
        }
        Map<Integer, Member> nodes = new HashMap<>();
        before.nodes().forEach(node -> nodes.put(node.life().nid(), node));
        after.nodes().stream().filter(node -> node.role() == NodeRole.PEER)
            .forEach(node -> addChanges(nodes.get(node.life().nid()), node, events));
        Map<Integer, ZoneStatus> zones = new HashMap<>();
        before.zones().forEach(zone -> zones.put(zone.zone(), zone));
        for (ZoneStatus zone : after.zones()) {
            ZoneStatus old = zones.get(zone.zone());
            if (old == null || old.state() != zone.state() || !Objects.equals(old.owner(), zone.owner())) {
                NodeLife owner = zone.owner();
                events.add(new ClusterEvent(Kind.ZONE_CHANGED, owner, zone.zone(), "zone " + zone.zone() + " is "
                    + zone.state().name().toLowerCase(Locale.ROOT) + (owner == null ? "" : " at " + owner)));
            }
        }
        return events;
    }

    private static void addChanges(@Nullable Member before, Member after, List<ClusterEvent> events) {
        boolean wasAlive = before != null && before.isAlive();
        boolean isSame = before != null && before.life().equals(after.life());
        if (before != null && wasAlive && !(isSame && after.isAlive())) {
            events.add(new ClusterEvent(Kind.NODE_EXPIRED, before.life(), 0, before.life() + " at " + before.address()
                + " does not count any more"));
        }
        if (after.isAlive() && !(isSame && wasAlive)) {
            events.add(new ClusterEvent(Kind.NODE_JOINED, after.life(), 0, after.life() + " at " + after.address()
                + " has joined"));
        }
    }
}
