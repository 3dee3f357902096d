package io.teff.cluster.peer;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.Moves;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.ZoneRow;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Where the copies of zones would be if the zones moved to this node. A view of the tables at a moment. */
final class CopyPlaces {
    private final NodeRef self;
    private final Tables tables;
    private final List<ZoneRow> rows;
    private final boolean isNarrow;
    private final Set<List<Integer>> copysets = new HashSet<>();

    CopyPlaces(NodeRef self, Tables tables, List<ZoneRow> rows) {
        this.self = self;
        this.tables = tables;
        this.rows = rows;
        final long takers = tables.nodes().stream().filter(node -> node.isAlive() && node.roles().takesBackups()
            && node.nid() != self.nid()).count();
        isNarrow = tables.scatterWidth() > 0 && takers > tables.scatterWidth();
    }

    /** Returns whether more copies of a zone would share a rack. */
    boolean crowds(ZoneRow row) {
        final NodeRow node = tables.node(self.nid());
        return node != null && Moves.crowds(row, node, tables::node);
    }

    /** Returns whether the nodes of a zone would be a copyset of other zones, or copysets do not matter. */
    boolean isKnown(ZoneRow row) {
        if (!isNarrow) {
            return true;
        }
        if (copysets.isEmpty()) {
            rows.stream().filter(other -> other.owner() != null && other.backups().size() >= tables.backups())
                .forEach(other -> copysets.add(Moves.copyset(other, null)));
        }
        return copysets.contains(Moves.copyset(row, self));
    }
}
