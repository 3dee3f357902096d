package io.teff.cluster.zone;

import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An owner's state of one zone: the changes of the owner, and the acknowledgements of its backups. Immutable.
 * <pre>
 *      created: OPEN             chosen: RESTORING
 *            |                         |  all backups have everything, the cell knows it
 *            v                         v
 *         SERVING                   SERVING
 *            |  the row names another owner, or the epoch of one
 *            v
 *          ended
 * </pre>
 * Whether the owner may answer at a moment depends on the node's lease, too. The lease is not a matter of one zone.
 *
 * @param self the owner
 * @param row the newest row of the zone known to the owner
 * @param committed number of the last change
 * @param backups progress of each backup and learner of the row, in its order
 * @param kept progress of the kept copies of a served row. The nodes of these copies have ended, so this progress rises
 *     no more. A change that a kept copy lacks is answered only when the row does without the copy
 */
public record ZoneOwner(NodeRef self, ZoneRow row, long committed, List<Progress> backups, List<Progress> kept) {

    /**
     * Progress of a backup.
     *
     * @param backup node and number of the copy
     * @param logged number of the last change in its log
     * @param synced number of the last change on its disk
     */
    public record Progress(Backup backup, long logged, long synced) {}

    /** Copies the lists. */
    public ZoneOwner {
        backups = List.copyOf(backups);
        kept = List.copyOf(kept);
    }

    /**
     * Begins with a row of a zone of the node.
     *
     * @param self the node
     * @param row the row: of a new zone, or of a zone that the node restores
     * @param last number of the last change in the node's copy, or 0
     * @return the state
     */
    public static ZoneOwner begun(NodeRef self, ZoneRow row, long last) {
        List<Progress> backups = new ArrayList<>();
        row.receivers().forEach(backup -> backups.add(new Progress(backup, 0, 0)));
        List<Progress> kept = new ArrayList<>();
        if (row.state().isServed()) {
            row.kept().forEach(backup -> kept.add(new Progress(backup, 0, 0)));
        }
        return new ZoneOwner(self, row, last, backups, kept);
    }

    /** {@return the number of the next change} */
    public long next() {
        return ZoneNumber.of(row.epoch(), ZoneNumber.counter(committed) + 1);
    }

    /** {@return the state after a change} */
    public ZoneOwner committed(long number) {
        return new ZoneOwner(self, row, number, backups, kept);
    }

    /**
     * {@return the state after an acknowledgement; an acknowledgement of a node or copy that is not in the
     * configuration, or of fewer changes than an earlier one, changes nothing}
     *
     * @param node the backup
     * @param copy its copy
     * @param logged number of the last change in its log
     * @param synced number of the last change on its disk
     */
    public ZoneOwner acknowledged(NodeRef node, int copy, long logged, long synced) {
        List<Progress> next = new ArrayList<>();
        for (Progress progress : backups) {
            boolean isMeant = progress.backup().node().equals(node) && progress.backup().copy() == copy;
            next.add(isMeant ? new Progress(progress.backup(), max(progress.logged(), logged),
                max(progress.synced(), synced)) : progress);
        }
        return new ZoneOwner(self, row, committed, next, kept);
    }

    private static long max(long first, long second) {
        return Long.compareUnsigned(first, second) >= 0 ? first : second;
    }

    /**
     * {@return the state with a newer row, or null if the node is no longer the owner}
     *
     * @param newer the row
     */
    public @Nullable ZoneOwner configured(ZoneRow newer) {
        if (newer.version() <= row.version()) {
            return this;
        }
        if (!newer.isOwnedBy(self)) {
            return null;
        }
        List<Progress> next = new ArrayList<>();
        for (Backup backup : newer.receivers()) {
            next.add(progress(backup, newer.needsAll(backup) ? 0 : committed));
        }
        List<Progress> copies = new ArrayList<>();
        if (newer.state().isServed()) {
            for (Backup backup : newer.kept()) {
                boolean isOwn = backup.node().equals(self) && row.state() == ZoneState.RESTORING;
                copies.add(progress(backup, isOwn ? committed : 0));    // the node has restored its own copy
            }
        }
        return new ZoneOwner(self, newer, committed, next, copies);
    }

    /**
     * Returns the progress of a receiver; a new learner gets the changes after {@code base}, and needs no earlier
     * changes.
     */
    private Progress progress(Backup backup, long base) {
        for (Progress progress : backups) {
            if (progress.backup().isSame(backup)) {
                return progress;
            }
        }
        for (Progress progress : kept) {
            if (progress.backup().isSame(backup)) {
                return progress;
            }
        }
        return new Progress(backup, base, base);
    }

    /**
     * {@return the number of the last change that all backups and learners of the configuration have logged, or that
     * the owner has made if there is none}
     */
    public long acknowledged() {
        return least(committed, backups);
    }

    private static long least(long most, List<Progress> of) {
        long least = most;
        for (Progress progress : of) {
            least = Long.compareUnsigned(progress.logged(), least) < 0 ? progress.logged() : least;
        }
        return least;
    }

    /**
     * {@return the number of the last change whose answer may leave: backups and learners have logged it, and no kept
     * copy lacks it}
     */
    public long answerable() {
        return least(acknowledged(), kept);
    }

    /** {@return the number of the last change that the disks of all backups have, and those of the kept copies} */
    public long synced() {
        long least = committed;
        for (Progress progress : backups) {
            least = Long.compareUnsigned(progress.synced(), least) < 0 ? progress.synced() : least;
        }
        for (Progress progress : kept) {
            least = Long.compareUnsigned(progress.synced(), least) < 0 ? progress.synced() : least;
        }
        return least;
    }

    /** {@return whether the owner can report that it has restored the zone: all backups have everything} */
    public boolean isRestored() {
        return row.state() == ZoneState.RESTORING && acknowledged() == committed;
    }
}
