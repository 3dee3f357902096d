package io.teff.cluster.terminal.status;

import io.teff.cluster.admin.ZoneStatus;
import io.teff.engine.os.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes a status as text: a table of the nodes, and the zones by their states. */
final class StatusText {
    private static final String MISSING = "-";
    private static final List<String> HEAD = List.of("NODE", "STATE", "NID", "ADDRESS", "PID", "UP", "LEASE", "ZONES",
        "BACKUPS", "CHUNKS", "PAYLOAD", "MEMORY", "LOG", "HEAP");
    private static final int LEFT_COLUMNS = 4;

    private StatusText() {}

    /**
     * Returns the text, in lines.
     *
     * @param isAll whether expired nodes are shown for which no zone has a use; else their number is
     */
    static String of(StatusView status, boolean isAll) {
        StringBuilder text = new StringBuilder();
        if (status.folder() != null) {
            text.append("cluster in ").append(status.folder()).append(status.supervisor() == null
                ? "; no supervisor runs" : "; supervisor: process " + status.supervisor()).append('\n');
        }
        if (!status.cluster().id().isEmpty()) {
            text.append("cluster ").append(status.cluster().name())
                .append(status.cluster().name().isEmpty() ? "" : ", ").append("id ")
                .append(status.cluster().id()).append('\n');
        }
        text.append("connect: ClusterStore.connect(\"").append(String.join("\", \"", status.cluster().superpeers()))
            .append("\")\n");
        if (status.isDown()) {
            text.append("the cluster is down, none of its processes runs; to start it: ./teff cluster up --dir ")
                .append(status.folder()).append('\n');
        } else if (!status.isAnswering()) {
            text.append("no superpeer answers: ").append(status.cluster().problem()).append('\n')
                .append(status.cluster().version() > 0 ? "these are the tables of before:\n" : "");
        }
        List<NodeView> nodes = status.nodes().stream().filter(node -> isAll || !status.isPast(node)).toList();
        text.append('\n').append(table(nodes));
        if (nodes.size() < status.nodes().size()) {
            text.append("expired nodes without zones and copies: ").append(status.nodes().size() - nodes.size())
                .append("; --all shows them\n");
        }
        text.append('\n');
        status.nodes().stream().filter(node -> node.problem() != null)
            .forEach(node -> text.append(node.name()).append(": ").append(node.problem()).append('\n'));
        text.append("zones: ").append(zones(status)).append('\n');
        String racks = new PlaceText(status.cluster()).racks();
        text.append(racks.isEmpty() ? "" : "racks: " + racks + '\n');
        for (ZoneStatus row : status.zones()) {
            if (row.obstacle() != null && (row.state() != ZoneStatus.State.WAITING || row.isUsedUp())) {
                text.append("zone ").append(row.zone()).append(" is ").append(name(row)).append(": ")
                    .append(row.obstacle()).append('\n');
            }
        }
        status.warnings().forEach(line -> text.append(line).append('\n'));
        if (status.zones().stream().anyMatch(row -> row.state() == ZoneStatus.State.WAITING && !row.isUsedUp())) {
            text.append("  start the nodes that have these folders, or give them up for good: ./teff cluster "
                + "accept-loss ZONE\n");
        }
        return text.toString();
    }

    private static String name(ZoneStatus row) {
        return row.state().name().toLowerCase(Locale.ROOT);
    }

    private static String zones(StatusView status) {
        if (status.zones().isEmpty()) {
            return "none";
        }
        String states = status.zonesByState().entrySet().stream().filter(entry -> entry.getValue() > 0)
            .map(entry -> entry.getValue() + " " + entry.getKey()).collect(Collectors.joining(", "));
        String backups = status.zonesByBackups().entrySet().stream().map(StatusText::backups)
            .collect(Collectors.joining(", "));
        return status.zones().size() + ": " + states + "; " + backups;
    }

    private static String backups(Map.Entry<Integer, Long> entry) {
        return entry.getValue() + " with " + entry.getKey() + (entry.getKey() == 1 ? " backup" : " backups");
    }

    /** Returns a table of nodes, in lines. */
    static String table(List<NodeView> nodes) {
        List<List<String>> rows = new ArrayList<>(List.of(HEAD));
        nodes.forEach(node -> rows.add(row(node)));
        int[] widths = new int[HEAD.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String padding = " ".repeat(widths[i] - row.get(i).length());
                line.append(i < LEFT_COLUMNS ? row.get(i) + padding : padding + row.get(i)).append("  ");
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static List<String> row(NodeView node) {
        boolean isSuperpeer = node.isSuperpeer();
        String state = node.state() + (Boolean.TRUE.equals(node.isLeading()) ? ", leads" : "")
            + (node.state().equals("down") && node.exitCode() != null ? ", code "
                + (node.exitCode() < 0 ? "unknown" : node.exitCode()) : "");
        Boolean holdsLease = node.holdsLease();
        String nid = node.nid() == null ? MISSING : node.nid()
            + (node.incarnation() == null ? "" : "/" + node.incarnation());
        String lease = holdsLease == null ? MISSING : holdsLease ? "held" : "none";
        return List.of(node.name(), state, nid, node.address(), text(node.pid()), duration(node.upMs()), lease,
            isSuperpeer ? MISSING : String.valueOf(node.owned()),
            isSuperpeer ? MISSING : String.valueOf(node.backups()),
            count(node.chunks()), bytes(node.chunkBytes()), bytes(node.memoryBytes()), bytes(node.logBytes()),
            bytes(node.heapBytes()));
    }

    private static String text(@Nullable Object value) {
        return value == null ? MISSING : value.toString();
    }

    private static String count(@Nullable Long value) {
        return value == null ? MISSING : String.format(Locale.ROOT, "%,d", value);
    }

    private static String bytes(@Nullable Long value) {
        return value == null || value == 0 ? MISSING : Units.bytes(value);
    }

    /** Writes a duration in its two largest units. */
    static String duration(@Nullable Long ms) {
        if (ms == null) {
            return MISSING;
        }
        long seconds = ms / 1_000;
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3_600) {
            return seconds / 60 + "m" + seconds % 60 + "s";
        }
        return seconds < 86_400 ? seconds / 3_600 + "h" + seconds % 3_600 / 60 + "m"
            : seconds / 86_400 + "d" + seconds % 86_400 / 3_600 + "h";
    }
}
