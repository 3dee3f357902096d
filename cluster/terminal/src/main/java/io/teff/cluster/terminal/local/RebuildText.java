package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterRebuild;
import io.teff.cluster.admin.ClusterRebuild.Folder;
import io.teff.cluster.admin.ClusterRebuild.Outlook;
import io.teff.cluster.admin.ClusterRebuild.Peer;
import io.teff.cluster.admin.ClusterRebuild.Zone;
import io.teff.cluster.admin.ZoneStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Texts for users: the findings of a rebuild, and the assumptions of the rebuild. */
final class RebuildText {
    private final ClusterFolder cluster;
    private final ClusterRebuild plan;

    RebuildText(ClusterFolder cluster, ClusterRebuild plan) {
        this.cluster = cluster;
        this.plan = plan;
    }

    // ---- findings ----

    List<String> found() {
        List<String> lines = new ArrayList<>();
        for (Folder folder : plan.folders()) {
            lines.add(folder.unread() != null ? String.format("  %-12s is left out: %s", folder.name(), folder.unread())
                : String.format(Locale.ROOT, "  %-12s %d copies of zones, %s", folder.name(), folder.copies(),
                    folder.tableVersion() == null ? "no tables" : "tables of version " + folder.tableVersion()));
        }
        for (Peer row : plan.missing()) {
            String name = name(row);
            lines.add("  missing      " + place(row.nid()) + ": " + (isUnread(name)
                ? "its log cannot be opened, or its folder cannot be read"
                : row.address().isEmpty() ? "no table says more of this node than that it has copies"
                : "its folder has no log here"));
        }
        add(lines, Outlook.SERVED, _ -> "of which all copies that count are here");
        add(lines, Outlook.WAITING, row -> "that will wait for " + waited(row) + "; ./teff cluster accept-loss gives "
            + "this up");
        add(lines, Outlook.DOUBTFUL, row -> "that will wait for a person: a copy at " + doubtful(row) + " has later "
            + "changes than those that count, and may not be the whole zone; ./teff cluster accept-loss gives it up");
        add(lines, Outlook.USED_UP, row -> "that have used up their configurations, and cannot be served any more; "
            + "their copies stay at " + places(row.kept().stream().map(copy -> copy.node().nid()).toList()));
        add(lines, Outlook.LOST, _ -> "of which no copy can be used: lost");
        return lines;
    }

    private boolean isUnread(String name) {
        return plan.folders().stream().anyMatch(folder -> folder.name().equals(name) && folder.unread() != null);
    }

    /** Adds a line for each group of zones of an outlook with an equal text. */
    private void add(List<String> lines, Outlook outlook, Function<ZoneStatus, String> text) {
        Map<String, List<Integer>> all = new LinkedHashMap<>();
        for (Zone zone : plan.zones()) {
            if (zone.outlook() == outlook) {
                all.computeIfAbsent(text.apply(zone.row()), _ -> new ArrayList<>()).add(zone.row().zone());
            }
        }
        all.forEach((said, of) -> lines.add("  " + of.size() + " zone(s) " + said + ": " + ranges(of)));
    }

    private String waited(ZoneStatus row) {
        Set<Integer> missing = plan.missing().stream().map(Peer::nid).collect(Collectors.toSet());
        return "the copy of " + places(row.kept().stream().map(copy -> copy.node().nid()).filter(missing::contains)
            .toList());
    }

    private String doubtful(ZoneStatus row) {
        return places(row.kept().stream().filter(ZoneStatus.Copy::isDoubtful).map(copy -> copy.node().nid()).toList());
    }

    private String places(List<Integer> nids) {
        return new TreeSet<>(nids).stream().map(this::place).collect(Collectors.joining(" and "));
    }

    private String place(int nid) {
        Peer row = plan.peers().stream().filter(peer -> peer.nid() == nid).findFirst().orElse(null);
        String name = row == null ? "" : name(row);
        return !name.isEmpty() ? name + " (node " + nid + ")"
            : "node " + nid + (row == null || row.address().isEmpty() ? "" : " at " + row.address());
    }

    /** Returns the name of a node of this folder; empty if the folder has no such node. */
    private String name(Peer row) {
        return cluster.nodes().stream().filter(node -> node.config().listen().equals(row.address()))
            .map(LocalNode::name).findFirst().orElse("");
    }

    /** Returns numbers in ascending order as ranges: {@code 1-3 7}. */
    static String ranges(List<Integer> numbers) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < numbers.size(); i++) {
            int from = i;
            while (i + 1 < numbers.size() && numbers.get(i + 1) == numbers.get(i) + 1) {
                i++;
            }
            text.append(text.isEmpty() ? "" : " ").append(numbers.get(from)).append(i == from ? "" : "-"
                + numbers.get(i));
        }
        return text.toString();
    }

    // ---- assumptions ----

    List<String> assumed(List<LocalNode> aside) {
        List<String> lines = new ArrayList<>();
        String has = names(aside) + (aside.size() == 1 ? " still has" : " still have");
        lines.add("  - the superpeers' disks never come back into use: " + names(MetadataCheck.superpeers(cluster))
            + (aside.isEmpty() ? "" : "; what " + has + " is set aside, and not used"));
        if (2 * aside.size() > MetadataCheck.superpeers(cluster).size()) {
            lines.add("  - the metadata that " + has + ", a majority, are not those of these peers: what they alone "
                + "know is lost");
        }
        lines.add("  - these are all folders that peers of this cluster have had, except for the missing ones; of zones"
            + " that only others have, nothing is known");
        long later = plan.zones().stream().filter(Zone::isLater).count();
        lines.add(plan.folders().stream().allMatch(folder -> folder.tableVersion() == null)
            ? "  - no folder has tables, so the logs alone say what there was: a zone whose owner or backups have ever"
                + " changed is lost, each folder is a new node, and numbers that no log has may be given again"
            : "  - the tables in these folders are at most seconds older than the last change of the metadata"
                + (later == 0 ? "" : "; " + later + " zones have later changes than they say"));
        lines.add("  - zones that had no backup are lost, and so are changes that were acknowledged at OWNER alone");
        lines.add("  - all sessions of clients have ended: a call that was under way has an unknown outcome");
        return lines;
    }

    static String names(List<LocalNode> nodes) {
        return nodes.stream().map(LocalNode::name).collect(Collectors.joining(", "));
    }
}
