package io.teff.cluster.meta;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Rules for the moves of zones between owners that live. Pure functions.
 *
 * <p><b>Balance.</b> A zone moves only from an owner to a node that owns at least two zones of its kind less; those
 * that are full and those that are not are counted apart. So each move makes the sum of the squares of these counts
 * smaller, and zones do not move back and forth: after the last change of the nodes the moves come to an end. A zone on
 * its way counts for the node that it moves to.
 */
public final class Moves {
    /** Least difference between the zones of an owner and of a node that takes one of them. */
    public static final int DIFFERENCE_MIN = 2;

    /** Epochs that are left for failures. */
    private static final int EPOCHS_KEPT = 1 << 14;

    private Moves() {}

    /**
     * Returns how many zones of a kind a node owns, or will own by the moves and recoveries that are under way.
     *
     * @param node the node
     * @param isFull whether those that are full are counted, or those that are not
     * @param rows the rows of all zones
     * @return their number
     */
    public static int owned(NodeRef node, boolean isFull, Collection<ZoneRow> rows) {
        int count = 0;
        for (ZoneRow row : rows) {
            count += row.isFull() == isFull && node.equals(row.nextOwner()) ? 1 : 0;
        }
        return count;
    }

    /**
     * Returns whether a zone can move to a node as far as the zone's own row says: it is served, not on its way, has no
     * learner, and has a backup beside the node, so that it is not without one when the node owns it.
     *
     * @param row the zone's row
     * @param node the node
     * @return whether it can move
     */
    public static boolean isMovable(ZoneRow row, NodeRef node) {
        return row.state().isServed() && row.heir() == null && row.learners().isEmpty() && !row.isOwnedBy(node)
            && row.backups().size() > (row.hasBackup(node) ? 1 : 0) && row.epoch() < ZoneRow.EPOCH_MAX - EPOCHS_KEPT;
    }

    /** Returns why a zone that is served does not move to a node, for people; null if it can. */
    static @Nullable String problem(ZoneRow row, NodeRow node, Collection<ZoneRow> rows) {
        final NodeRef to = node.reference();
        final NodeRef from = row.owner();
        if (from == null || !node.roles().ownsZones() || !node.roles().takesBackups()) {
            return "the node owns no zones";
        }
        if (!isMovable(row, to)) {
            return "the zone is not free to move";
        }
        return owned(from, row.isFull(), rows) - owned(to, row.isFull(), rows) >= DIFFERENCE_MIN ? null
            : "it owns as many";
    }
}
