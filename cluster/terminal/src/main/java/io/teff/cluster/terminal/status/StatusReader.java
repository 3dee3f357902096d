package io.teff.cluster.terminal.status;

import io.teff.cluster.config.Address;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.NodeStatus;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.terminal.local.ClusterFolder;
import io.teff.cluster.terminal.local.LocalNode;
import io.teff.cluster.terminal.local.UnservedZones;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.cluster.terminal.status.ClusterStatus.NodeView;
import io.teff.cluster.terminal.watch.CellLink;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads statuses of a cluster: asks the superpeers for the tables, and all nodes for their own status at once. */
final class StatusReader {
    /** Exit code of a node after a failure of its work. */
    private static final int FAILED = 1;

    private final @Nullable ClusterFolder folder;
    private final List<Address> superpeers;
    private final CellLink link;

    StatusReader(@Nullable ClusterFolder folder, List<Address> superpeers, CellLink link) {
        this.folder = folder;
        this.superpeers = superpeers;
        this.link = link;
    }

    ClusterStatus read() {
        boolean isAnswering = link.refresh();
        List<ZoneRow> zones = link.tables().zones();
        Map<Integer, NodeStatus> answers = answers(isAnswering);
        List<NodeView> views = new ArrayList<>();
        List<Integer> shown = new ArrayList<>();
        if (folder != null) {
            for (LocalNode node : folder.nodes()) {
                Integer nid = nid(node);
                views.add(view(node, nid, nid == null ? null : answers.get(nid), zones));
                if (nid != null) {
                    shown.add(nid);
                }
            }
        } else {
            for (int i = 0; i < superpeers.size(); i++) {
                int nid = CellMessages.nid(i);
                views.add(superpeer(i, answers.get(nid)));
                shown.add(nid);
            }
        }
        link.tables().nodes().stream().filter(row -> !shown.contains(row.nid()) && !row.roles().equals(Roles.CLIENT))
            .sorted(Comparator.comparingInt(NodeRow::nid))
            .forEach(row -> views.add(view(row, answers.get(row.nid()), zones)));
        ProcessId supervisor = folder == null ? null : folder.supervisor();
        return new ClusterStatus(folder == null ? null : folder.path().toString(),
            supervisor == null ? null : supervisor.pid(), superpeers.stream().map(Address::link).toList(),
            isAnswering ? null : link.problem(),
            link.tables().version(), views, zones, new UnservedZones(link.tables(), folder).lines());
    }

    /** Asks the superpeers, and the nodes alive according to the tables. */
    private Map<Integer, NodeStatus> answers(boolean isAnswering) {
        Map<Integer, CompletableFuture<@Nullable NodeStatus>> asked = new HashMap<>();
        for (int i = 0; i < superpeers.size(); i++) {
            asked.put(CellMessages.nid(i), link.status(CellMessages.nid(i), true));
        }
        if (isAnswering) {
            for (NodeRow row : link.tables().nodes()) {
                if (row.isAlive() && !row.address().isEmpty()) {
                    asked.put(row.nid(), link.status(row.nid(), true));
                }
            }
        }
        Map<Integer, NodeStatus> answers = new HashMap<>();
        asked.forEach((nid, future) -> {
            NodeStatus status = future.join();
            if (status != null) {
                answers.put(nid, status);
            }
        });
        return answers;
    }

    private static @Nullable Integer nid(LocalNode node) {
        NodeRef life = node.life();
        return node.isSuperpeer() ? Integer.valueOf(CellMessages.nid(node.config().superpeer().number()))
            : life == null ? null : Integer.valueOf(life.nid());
    }

    private NodeView view(LocalNode node, @Nullable Integer nid, @Nullable NodeStatus status, List<ZoneRow> zones) {
        NodeRef life = node.life();
        LocalNode.Started started = node.started();
        ProcessId process = node.process();
        NodeView view = filled(node.name(), node.config().role().text(), node.state().name().toLowerCase(Locale.ROOT),
            nid, life == null || node.isSuperpeer() ? null : life.incarnation(), node.config().listen().toString(),
            process == null ? null : process.pid(), started == null ? null : started.exitCode(), status,
            node.isSuperpeer() ? null : life, zones);
        boolean hasFailed = started != null && started.exitCode() != null && started.exitCode() == FAILED;
        return hasFailed && view.problem() == null ? view.withProblem(node.lastWords()) : view;
    }

    private NodeView superpeer(int number, @Nullable NodeStatus status) {
        return filled(status == null ? "superpeer " + number : status.name(), "superpeer",
            status == null ? "silent" : "up", CellMessages.nid(number), null, superpeers.get(number).toString(),
            status == null ? null : status.pid(), null, status, null, List.of());
    }

    private NodeView view(NodeRow row, @Nullable NodeStatus status, List<ZoneRow> zones) {
        String state = !row.isAlive() ? "expired" : status == null ? "silent" : "up";
        return filled(status == null ? "node " + row.nid() : status.name(), "peer", state, row.nid(), row.incarnation(),
            row.address().replaceFirst("^tcp:", ""), status == null ? null : status.pid(), null, status,
            row.reference(), zones);
    }

    private static NodeView filled(String name, String role, String state, @Nullable Integer nid,
                                   @Nullable Integer incarnation, String address, @Nullable Long pid,
                                   @Nullable Integer exitCode, @Nullable NodeStatus status, @Nullable NodeRef life,
                                   List<ZoneRow> zones) {
        int owned = life == null ? 0 : (int) zones.stream().filter(row -> row.isOwnedBy(life)).count();
        int backups = life == null ? 0 : (int) zones.stream().filter(row -> row.hasBackup(life)).count();
        boolean isSuperpeer = role.equals("superpeer");
        if (status == null) {
            return new NodeView(name, role, state, nid, incarnation, address, pid, exitCode, null, null, null, owned,
                backups, null, null, null, null, null, null);
        }
        return new NodeView(name, role, state, nid, incarnation, address, pid, exitCode, status.upMs(),
            isSuperpeer ? status.isLeading() : null, isSuperpeer ? null : status.holdsLease(), owned, backups,
            isSuperpeer ? null : status.zones().stream().mapToLong(NodeStatus.ZoneUse::chunks).sum(),
            isSuperpeer ? null : status.zones().stream().mapToLong(NodeStatus.ZoneUse::bytes).sum(),
            isSuperpeer ? null : status.memoryBytes(), status.logBytes(), status.heapBytes(),
            status.problem().isEmpty() ? null : status.problem());
    }
}
