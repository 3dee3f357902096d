package io.teff.cluster.terminal.status;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.terminal.config.AddressText;
import io.teff.cluster.terminal.local.ClusterFolder;
import io.teff.cluster.terminal.local.LocalNode;
import io.teff.cluster.terminal.local.UnservedZones;
import io.teff.cluster.terminal.node.ProcessId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads statuses of a cluster, and adds the processes of the cluster's folder on this machine. */
final class StatusReader {
    /** Exit code of a node after a failure of its work. */
    private static final int FAILED = 1;

    private final @Nullable ClusterFolder folder;
    private final ClusterAdmin admin;

    StatusReader(@Nullable ClusterFolder folder, ClusterAdmin admin) {
        this.folder = folder;
        this.admin = admin;
    }

    StatusView read() {
        ClusterStatus cluster = admin.status();
        List<NodeView> views = new ArrayList<>();
        List<Integer> shown = new ArrayList<>();
        if (folder != null) {
            for (LocalNode node : folder.nodes()) {
                Integer nid = nid(node);
                views.add(view(node, nid, cluster));
                if (nid != null) {
                    shown.add(nid);
                }
            }
        }
        cluster.nodes().stream().filter(node -> !shown.contains(node.life().nid())
            && (folder == null || node.role() == NodeRole.PEER)).forEach(node -> views.add(view(node, cluster)));
        List<String> warnings = new ArrayList<>(new UnservedZones(cluster, folder).lines());
        warnings.addAll(new PlaceText(cluster).warnings());
        ProcessId supervisor = folder == null ? null : folder.supervisor();
        return new StatusView(folder == null ? null : folder.path().toString(),
            supervisor == null ? null : supervisor.pid(), cluster, views, warnings);
    }

    private static @Nullable Integer nid(LocalNode node) {
        NodeLife life = node.life();
        return node.isSuperpeer() ? Integer.valueOf(node.config().number() + 1)
            : life == null ? null : Integer.valueOf(life.nid());
    }

    private static NodeView view(LocalNode node, @Nullable Integer nid, ClusterStatus cluster) {
        NodeLife life = node.isSuperpeer() ? null : node.life();
        LocalNode.Started started = node.started();
        ProcessId process = node.process();
        Member member = nid == null ? null : cluster.node(nid);
        boolean hasFailed = started != null && started.exitCode() != null && started.exitCode() == FAILED;
        boolean isSilent = node.state() == LocalNode.State.UP && cluster.isAnswering()
            && (member == null || member.status() == null);
        String state = isSilent ? "silent" : node.state().name().toLowerCase(Locale.ROOT);
        return new NodeView(node.name(), node.config().role(), state, nid,
            life == null ? null : life.incarnation(), AddressText.of(node.config().listen()),
            process == null ? null : process.pid(), started == null ? null : started.exitCode(), owned(cluster, life),
            backups(cluster, life), member == null ? null : member.status(), hasFailed ? node.lastWords() : null);
    }

    private static NodeView view(Member node, ClusterStatus cluster) {
        NodeStatus status = node.status();
        boolean isSuperpeer = node.role() == NodeRole.SUPERPEER;
        NodeLife life = isSuperpeer ? null : node.life();
        int nid = node.life().nid();
        return new NodeView(status != null ? status.name() : isSuperpeer ? "superpeer " + (nid - 1) : "node " + nid,
            node.role(), !node.isAlive() ? NodeView.EXPIRED : status == null ? "silent" : "up", nid,
            life == null ? null : life.incarnation(), AddressText.of(node.address()),
            status == null ? null : status.process().pid(), null, owned(cluster, life), backups(cluster, life), status,
            null);
    }

    private static int owned(ClusterStatus cluster, @Nullable NodeLife life) {
        return life == null ? 0 : (int) cluster.zones().stream().filter(zone -> zone.isOwnedBy(life)).count();
    }

    private static int backups(ClusterStatus cluster, @Nullable NodeLife life) {
        return life == null ? 0 : (int) cluster.zones().stream().filter(zone -> zone.hasBackup(life)).count();
    }
}
