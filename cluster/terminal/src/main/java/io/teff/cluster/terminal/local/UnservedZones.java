package io.teff.cluster.terminal.local;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Texts for users: zones waiting for copies on disks, and lost zones. */
public final class UnservedZones {
    private static final int ZONES_SHOWN = 16;

    private final Tables tables;
    private final @Nullable ClusterFolder folder;

    /**
     * Looks at tables.
     *
     * @param tables tables of the cluster, read by the texts
     * @param folder the folder of the cluster on this machine, or null
     */
    public UnservedZones(Tables tables, @Nullable ClusterFolder folder) {
        this.tables = tables;
        this.folder = folder;
    }

    /** {@return a line for each group of zones waiting for the same copies, and a line for the lost zones} */
    public List<String> lines() {
        Map<String, List<Integer>> zones = new LinkedHashMap<>();
        for (ZoneRow row : tables.zones()) {
            if (row.state() == ZoneState.WAITING && row.isUsedUp()) {
                zones.computeIfAbsent("without a configuration left, whose copies stay at " + wanted(row),
                    _ -> new ArrayList<>()).add(row.zone());
            } else if (row.state() == ZoneState.WAITING) {
                zones.computeIfAbsent("waiting for " + wanted(row) + found(row), _ -> new ArrayList<>())
                    .add(row.zone());
            } else if (row.state() == ZoneState.LOST) {
                zones.computeIfAbsent("lost: no disk has all of what they had", _ -> new ArrayList<>()).add(row.zone());
            }
        }
        return zones.entrySet().stream().map(entry -> "warning: " + entry.getValue().size() + " zone(s) "
            + entry.getKey() + ": " + numbers(entry.getValue())).toList();
    }

    /** {@return the copies awaited by a zone} */
    String wanted(ZoneRow row) {
        return row.kept().isEmpty() ? "the reports of " + row.backups().stream().map(this::place).collect(
            Collectors.joining(", ")) : row.kept().stream().map(this::place).collect(Collectors.joining(" or "));
    }

    /** {@return what has come back of a zone that waits} */
    private String found(ZoneRow row) {
        return row.backups().isEmpty() || row.kept().isEmpty() ? "" : ", beside what has come back of " + row.backups()
            .stream().map(backup -> place(backup) + (backup.isCut() ? ", which may lack changes of before a power cut"
                : "")).collect(Collectors.joining(", "));
    }

    /** {@return the node of a copy, and where its folder is} */
    String place(Backup backup) {
        if (backup.isDoubtful()) {
            return place(new Backup(new NodeRef(backup.node().nid(), 0), 0)) + ", whose copy may not be the whole zone,"
                + " so that a person must decide";
        }
        NodeRow row = tables.node(backup.node().nid());
        String address = row == null ? "" : row.address();
        LocalNode node = folder == null ? null : folder.nodes().stream()
            .filter(it -> it.config().listen().link().equals(address)).findFirst().orElse(null);
        return node == null ? backup.node() + (address.isEmpty() ? "" : " at " + address)
            : node.name() + " (" + backup.node() + ", folder " + node.config().folder() + ")";
    }

    private static String numbers(List<Integer> zones) {
        return zones.stream().limit(ZONES_SHOWN).map(String::valueOf).collect(Collectors.joining(" "))
            + (zones.size() > ZONES_SHOWN ? " ..." : "");
    }
}
