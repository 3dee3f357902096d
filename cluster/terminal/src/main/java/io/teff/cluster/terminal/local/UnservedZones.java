package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.admin.ZoneStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Texts for users: zones and changes that wait for copies on disks, and lost zones. */
public final class UnservedZones {
    /** Exit code of a command that has met zones that wait for copies, or are lost: a person must act. */
    public static final int EXIT_CODE = 3;

    private static final int ZONES_SHOWN = 16;

    private final ClusterStatus cluster;
    private final @Nullable ClusterFolder folder;

    /**
     * Makes the texts of a status.
     *
     * @param cluster status of the cluster
     * @param folder the folder of the cluster on this machine, or null
     */
    public UnservedZones(ClusterStatus cluster, @Nullable ClusterFolder folder) {
        this.cluster = cluster;
        this.folder = folder;
    }

    /** {@return a line for each group of zones waiting for the same copies, and a line for the lost zones} */
    public List<String> lines() {
        Map<String, List<Integer>> zones = new LinkedHashMap<>();
        for (ZoneStatus row : cluster.zones()) {
            if (row.state() == ZoneStatus.State.WAITING && row.isUsedUp()) {
                zones.computeIfAbsent("without a configuration left, whose copies stay at " + wanted(row),
                    _ -> new ArrayList<>()).add(row.zone());
            } else if (row.state() == ZoneStatus.State.WAITING) {
                zones.computeIfAbsent("waiting for " + wanted(row) + found(row), _ -> new ArrayList<>())
                    .add(row.zone());
            } else if (row.isWaiting()) {
                zones.computeIfAbsent("without a backup, whose changes wait for a new backup or for " + wanted(row),
                    _ -> new ArrayList<>()).add(row.zone());
            } else if (row.state() == ZoneStatus.State.LOST) {
                zones.computeIfAbsent("lost: no disk has all of what they had", _ -> new ArrayList<>()).add(row.zone());
            }
        }
        return zones.entrySet().stream().map(entry -> "warning: " + entry.getValue().size() + " zone(s) "
            + entry.getKey() + ": " + numbers(entry.getValue())).toList();
    }

    /** {@return whether a zone waits for copies, or is lost} */
    public boolean exist() {
        return cluster.zones().stream().map(ZoneStatus::state)
            .anyMatch(state -> state == ZoneStatus.State.WAITING || state == ZoneStatus.State.LOST);
    }

    /** {@return the copies awaited by a zone} */
    String wanted(ZoneStatus row) {
        if (!row.kept().isEmpty()) {
            return row.kept().stream().map(this::place).collect(Collectors.joining(" or "));
        }
        return row.backups().isEmpty() ? "a person, because no copy is whole; older copies: " + older(row)
            : "the reports of " + row.backups().stream().map(this::place).collect(Collectors.joining(", "));
    }

    /** {@return the places of the older copies of a zone, the newest first, with their last changes} */
    String older(ZoneStatus row) {
        return row.outdated().reversed().stream().map(copy -> place(copy) + end(row.zone(), copy))
            .collect(Collectors.joining(", "));
    }

    /** {@return the last change of a copy: epoch and counter; empty if the status of the copy's node is unknown} */
    String end(int zone, ZoneStatus.Copy copy) {
        Member member = cluster.node(copy.node().nid());
        NodeStatus status = member == null ? null : member.status();
        NodeStatus.PeerFigures figures = status == null ? null : status.peer();
        return figures == null ? "" : figures.copies().stream()
            .filter(it -> it.zone() == zone && it.copy() == copy.copy()).findFirst()
            .map(it -> ", up to change " + it.epoch() + ':' + it.counter()).orElse("");
    }

    /** {@return what has come back of a zone that waits} */
    private String found(ZoneStatus row) {
        return row.backups().isEmpty() || row.kept().isEmpty() ? "" : ", beside what has come back of " + row.backups()
            .stream().map(backup -> place(backup) + (backup.isCut() ? ", which may lack changes of before a power cut"
                : "")).collect(Collectors.joining(", "));
    }

    /** {@return the node of a copy, and where its folder is} */
    String place(ZoneStatus.Copy copy) {
        if (copy.isDoubtful()) {
            return place(new NodeLife(copy.node().nid(), 0)) + ", whose copy may not be the whole zone, so that a"
                + " person must decide";
        }
        return place(copy.node());
    }

    private String place(NodeLife life) {
        Member member = cluster.node(life.nid());
        String address = member == null ? "" : member.address();
        LocalNode node = folder == null ? null : folder.nodes().stream()
            .filter(it -> it.config().listen().equals(address)).findFirst().orElse(null);
        return node == null ? life + (address.isEmpty() ? "" : " at " + address)
            : node.name() + " (" + life + ", folder " + node.config().folder() + written(node) + ")";
    }

    /** Returns when the log of a node that does not run was last written; empty if the node runs or has no log. */
    private static String written(LocalNode node) {
        long ms = node.process() == null ? node.lastWrittenMs() : 0;
        return ms == 0 ? "" : ", log last written " + Instant.ofEpochMilli(ms).truncatedTo(ChronoUnit.SECONDS);
    }

    private static String numbers(List<Integer> zones) {
        return zones.stream().limit(ZONES_SHOWN).map(String::valueOf).collect(Collectors.joining(" "))
            + (zones.size() > ZONES_SHOWN ? " ..." : "");
    }
}
