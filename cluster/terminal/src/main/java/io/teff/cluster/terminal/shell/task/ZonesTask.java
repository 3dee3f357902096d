package io.teff.cluster.terminal.shell.task;

import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.admin.NodeStatus.ZoneUse;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.terminal.shell.value.TextTable;
import io.teff.cluster.terminal.status.NodeList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code zones}: the zones of the cluster with their owners. */
@Command(
    name = "zones",
    description = "Lists the zones with their owners, backups and chunks.",
    footerHeading = "%nExamples:%n",
    footer = {"  zones --node peer-1", "  zones --waiting"},
    sortOptions = false)
final class ZonesTask implements Callable<Integer> {
    @Mixin
    private Show show = new Show();

    @Option(names = "--node", paramLabel = "NODE", description = "Zones that this node owns.")
    private @Nullable String owner;

    @Option(names = "--waiting", description = "Zones that wait, or that no owner serves.")
    private boolean isWaiting;

    @Override
    public Integer call() {
        NodeList nodes = show.session().nodes();
        List<ZoneStatus> zones = nodes.cluster().zones().stream().filter(zone -> isShown(zone, nodes)).toList();
        TextTable table = new TextTable("ZONE", "STATE", "EPOCH", "OWNER", "BACKUPS", "CHUNKS", "PAYLOAD");
        for (ZoneStatus zone : zones) {
            Map<String, @Nullable Object> row = json(zone, nodes);
            table.row(zone.zone(), text(row.get("state")), zone.epoch(), text(row.get("owner")), backups(zone, nodes),
                text(row.get("chunks")), text(row.get("bytes")));
        }
        return show.print(zones.stream().map(zone -> json(zone, nodes)).toList(), table);
    }

    private boolean isShown(ZoneStatus zone, NodeList nodes) {
        NodeLife life = zone.owner();
        boolean isOwned = owner == null || life != null && (nodes.name(life.nid()).equals(owner)
            || owner.equals(String.valueOf(life.nid())));
        return isOwned && (!isWaiting || zone.isWaiting() || !zone.state().isServed());
    }

    private static String text(@Nullable Object value) {
        return value == null ? "-" : value.toString();
    }

    private static String backups(ZoneStatus zone, NodeList nodes) {
        return zone.backups().isEmpty() ? "-" : String.join(" ", zone.backups().stream().map(copy -> nodes.name(copy
            .node().nid())).toList());
    }

    /** Returns a zone for JSON. */
    static Map<String, @Nullable Object> json(ZoneStatus zone, NodeList nodes) {
        NodeLife owner = zone.owner();
        ZoneUse use = owner == null ? null : use(zone.zone(), owner, nodes);
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("zone", zone.zone());
        json.put("state", zone.state().name().toLowerCase(Locale.ROOT));
        json.put("epoch", zone.epoch());
        json.put("owner", owner == null ? null : nodes.name(owner.nid()));
        json.put("backups", copies(zone.backups(), nodes));
        json.put("chunks", use == null ? null : use.chunks());
        json.put("bytes", use == null ? null : use.bytes());
        return json;
    }

    /** Returns copies for JSON. */
    static List<Map<String, Object>> copies(List<ZoneStatus.Copy> copies, NodeList nodes) {
        return copies.stream().map(copy -> {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("node", nodes.name(copy.node().nid()));
            json.put("life", copy.node().toString());
            json.put("copy", copy.copy());
            json.put("cut", copy.isCut());
            json.put("doubtful", copy.isDoubtful());
            return json;
        }).toList();
    }

    private static @Nullable ZoneUse use(int zone, NodeLife owner, NodeList nodes) {
        Member member = nodes.cluster().node(owner.nid());
        NodeStatus status = member == null ? null : member.status();
        NodeStatus.PeerFigures peer = status == null ? null : status.peer();
        return peer == null ? null : peer.zones().stream().filter(each -> each.zone() == zone).findFirst()
            .orElse(null);
    }
}
