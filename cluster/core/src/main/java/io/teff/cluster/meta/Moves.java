package io.teff.cluster.meta;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Rules for the moves of zones between living owners. Pure functions.
 *
 * <p><b>Balance.</b> A zone moves only from an owner to a node with at least two fewer zones of the zone's kind; full
 * zones and zones with room are counted apart. So each move makes the sum of the squares of these counts smaller, and
 * zones do not move back and forth: after the last change of the nodes the moves end. A moving zone counts for its
 * destination. Zones of a peer that is being unloaded move to any other peer. An unloaded peer takes no zones, so these
 * moves come to an end, too.
 */
public final class Moves {
    /** Least difference between the zone counts of an owner and of the node that takes a zone. */
    public static final int DIFFERENCE_MIN = 2;

    /** Epochs left for failures. */
    private static final int EPOCHS_KEPT = 1 << 14;

    private Moves() {}

    /**
     * Returns how many zones of a kind a node owns, or will own after the current moves and recoveries.
     *
     * @param node life of the node
     * @param isFull whether full zones are counted, or zones with room
     * @param rows the rows of all zones
     * @return number of zones
     */
    public static int owned(NodeRef node, boolean isFull, Collection<ZoneRow> rows) {
        int count = 0;
        for (ZoneRow row : rows) {
            count += row.isFull() == isFull && node.equals(row.nextOwner()) ? 1 : 0;
        }
        return count;
    }

    /**
     * Returns how many zones a node owns, or will own after the current moves and recoveries.
     *
     * @param node life of the node
     * @param rows the rows of all zones
     * @return number of zones
     */
    public static int owned(NodeRef node, Collection<ZoneRow> rows) {
        return owned(node, false, rows) + owned(node, true, rows);
    }

    /**
     * Returns whether a zone can move to a node according to the zone's own row: the zone is served, is not on its way,
     * has no learner, and has a backup besides the node, so that the zone keeps a backup when the node is the owner.
     *
     * @param row the zone's row
     * @param node life of the node
     * @return whether the zone can move
     */
    public static boolean isMovable(ZoneRow row, NodeRef node) {
        return row.state().isServed() && row.heir() == null && row.learners().isEmpty() && !row.isOwnedBy(node)
            && row.backups().size() > (row.hasBackup(node) ? 1 : 0) && row.epoch() < ZoneRow.EPOCH_MAX - EPOCHS_KEPT;
    }

    /**
     * Returns whether more copies of a zone would share a rack if the zone moved to a node.
     *
     * @param row the zone's row
     * @param node the next owner
     * @param nodes finds the row of a node
     * @return whether racks have more copies of the zone afterwards
     */
    public static boolean crowds(ZoneRow row, NodeRow node, IntFunction<@Nullable NodeRow> nodes) {
        if (node.rack().isEmpty()) {
            return false;
        }
        final List<NodeRow> after = new ArrayList<>(List.of(node));
        for (Backup backup : row.backups()) {
            final NodeRow other = nodes.apply(backup.node().nid());
            if (other != null && other.nid() != node.nid()) {
                after.add(other);
            }
        }
        final List<NodeRow> before = new ArrayList<>();
        for (int nid : Copysets.Holding.of(row).set()) {
            final NodeRow holder = nodes.apply(nid);
            if (holder != null) {
                before.add(holder);
            }
        }
        return Racks.surplus(after) > Racks.surplus(before);
    }

    /**
     * Returns the nodes with the copies of a zone, if the zone moved to a node: the copyset of the zone.
     *
     * @param row the zone's row
     * @param node life of the next owner; null for the present owner
     * @return NIDs in ascending order
     */
    public static List<Integer> copyset(ZoneRow row, @Nullable NodeRef node) {
        return new Copysets.Holding(node == null ? row.owner() : node, row.backups().stream().map(Backup::node)
            .toList()).set();
    }

    /**
     * Returns why a served zone does not move to a node, for people; null if the zone can move.
     *
     * @param isUnloaded whether the owner is being unloaded, so that numbers of zones do not matter
     */
    static @Nullable String problem(ZoneRow row, NodeRow node, boolean isUnloaded, Collection<ZoneRow> rows,
                                    IntFunction<@Nullable NodeRow> nodes) {
        final NodeRef to = node.reference();
        final NodeRef from = row.owner();
        if (from == null || !node.roles().ownsZones() || !node.roles().takesBackups()) {
            return "the node owns no zones";
        }
        if (!isMovable(row, to)) {
            return "the zone is not free to move";
        }
        if (!isUnloaded && crowds(row, node, nodes)) {
            return "more of its copies would share a rack";
        }
        return isUnloaded || owned(from, row.isFull(), rows) - owned(to, row.isFull(), rows) >= DIFFERENCE_MIN ? null
            : "it owns as many";
    }
}
