package io.teff.cluster.console;

import io.teff.cluster.admin.ClusterFigures;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.NodeFigures;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.admin.ZoneStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The documents that the page reads. */
final class State {
    private static final long NS_PER_MS = 1_000_000;

    private State() {}

    /** Returns the whole picture. */
    static Map<String, Object> of(ClusterLook look, List<RecoveryTimeline.Change> changes, boolean hasActions) {
        ClusterStatus status = look.status();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("atMs", look.atMs());
        json.put("id", status.id());
        json.put("name", status.name());
        json.put("answering", status.isAnswering());
        json.put("version", status.version());
        json.put("actions", hasActions);
        json.put("alerts", Alerts.of(look).stream().map(Alert::json).toList());
        json.put("nodes", status.nodes().stream().map(node -> node(node, look)).toList());
        Map<Integer, NodeStatus.ZoneUse> uses = uses(status);
        json.put("zones", status.zones().stream().map(zone -> zone(zone, uses.get(zone.zone()))).toList());
        json.put("sum", figures(look.figures().together()));
        json.put("changes", changes.stream().map(RecoveryTimeline.Change::json).toList());
        json.put("recoveries", recoveries(status));
        return json;
    }

    private static Map<String, @Nullable Object> node(Member node, ClusterLook look) {
        int nid = node.life().nid();
        NodeStatus seen = node.status();
        ClusterFigures.Answer answer = look.figures().node(nid);
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("nid", nid);
        json.put("incarnation", node.life().incarnation());
        json.put("name", look.name(node));
        json.put("role", node.role().text());
        json.put("alive", node.isAlive());
        json.put("answers", seen != null || answer != null);
        json.put("address", node.address());
        json.put("machine", ClusterLook.machine(node.address()));
        json.put("leading", seen != null && seen.standing().isLeading());
        json.put("lease", seen != null && seen.standing().holdsLease());
        json.put("problem", seen == null ? "" : seen.problem());
        json.put("owned", look.status().zones().stream().filter(zone -> zone.isOwnedBy(node.life())).count());
        json.put("copies", look.status().zones().stream().filter(zone -> zone.hasBackup(node.life())).count());
        json.put("offsetMs", answer == null ? null : answer.clockOffsetMs());
        json.put("figures", answer == null ? null : figures(answer.figures()));
        return json;
    }

    /** Returns the figures that are not absent, by their names. */
    static Map<String, Object> figures(NodeFigures figures) {
        Map<String, Object> json = new LinkedHashMap<>();
        for (Figure figure : Figure.values()) {
            if (figures.has(figure)) {
                json.put(figure.text(), figures.get(figure));
            }
        }
        return json;
    }

    private static Map<Integer, NodeStatus.ZoneUse> uses(ClusterStatus status) {
        Map<Integer, NodeStatus.ZoneUse> uses = new HashMap<>();
        for (Member node : status.nodes()) {
            NodeStatus seen = node.status();
            NodeStatus.PeerFigures peer = seen == null ? null : seen.peer();
            if (peer != null) {
                peer.zones().forEach(use -> uses.put(use.zone(), use));
            }
        }
        return uses;
    }

    private static Map<String, @Nullable Object> zone(ZoneStatus zone, NodeStatus.@Nullable ZoneUse use) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        NodeLife owner = zone.owner();
        json.put("zone", zone.zone());
        json.put("epoch", zone.epoch());
        json.put("state", zone.state().name().toLowerCase(Locale.ROOT));
        json.put("waiting", zone.isWaiting());
        json.put("owner", owner == null ? null : owner.nid());
        json.put("backups", nids(zone.backups()));
        json.put("kept", nids(zone.kept()));
        json.put("outdated", nids(zone.outdated()));
        json.put("obstacle", zone.obstacle());
        json.put("chunks", use == null ? null : use.chunks());
        json.put("bytes", use == null ? null : use.bytes());
        return json;
    }

    private static List<Integer> nids(List<ZoneStatus.Copy> copies) {
        return copies.stream().map(copy -> copy.node().nid()).toList();
    }

    /** Returns the recoveries of zones, as their new owners have seen the recoveries. */
    private static List<Map<String, Object>> recoveries(ClusterStatus status) {
        List<Map<String, Object>> json = new ArrayList<>();
        for (Member node : status.nodes()) {
            NodeStatus seen = node.status();
            NodeStatus.PeerFigures peer = seen == null ? null : seen.peer();
            if (peer != null) {
                peer.recoveries().forEach(recovery -> json.add(recovery(node, recovery)));
            }
        }
        return json;
    }

    private static Map<String, Object> recovery(Member node, NodeStatus.Recovery recovery) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("nid", node.life().nid());
        json.put("zone", recovery.zone());
        json.put("atMs", recovery.detectedMs());
        json.put("fencedMs", recovery.fencedNs() / NS_PER_MS);
        json.put("chosenMs", recovery.chosenNs() / NS_PER_MS);
        json.put("restoredMs", recovery.restoredNs() / NS_PER_MS);
        json.put("shippedMs", recovery.shippedNs() / NS_PER_MS);
        json.put("servedMs", recovery.servedNs() / NS_PER_MS);
        json.put("chunks", recovery.chunks());
        return json;
    }
}
