package io.teff.cluster.control;

import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.ZoneRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of the tables as values of the administration. */
final class RowViews {
    private RowViews() {}

    static NodeLife life(NodeRef node) {
        return new NodeLife(node.nid(), node.incarnation());
    }

    static NodeRef node(NodeLife life) {
        return new NodeRef(life.nid(), life.incarnation());
    }

    static Member peer(NodeRow row, @Nullable NodeStatus status) {
        return new Member(NodeRole.PEER, life(row.reference()), row.isAlive(), row.address(), status, row.rack());
    }

    static ZoneStatus zone(ZoneRow row) {
        NodeRef owner = row.owner();
        return new ZoneStatus(row.zone(), row.epoch(), ZoneStatus.State.valueOf(row.state().name()),
            owner == null ? null : life(owner), copies(row.backups()), copies(row.kept()), copies(row.outdated()),
            row.isUsedUp(), row.problem());
    }

    private static List<ZoneStatus.Copy> copies(List<Backup> backups) {
        return backups.stream().map(backup -> new ZoneStatus.Copy(life(backup.node()), backup.copy(), backup.isCut(),
            backup.isDoubtful())).toList();
    }
}
