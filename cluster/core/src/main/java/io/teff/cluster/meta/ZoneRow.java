package io.teff.cluster.meta;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table of zones: the current configuration of a zone.
 *
 * <p>In state {@link ZoneState#FENCING} there is no owner, and {@code backups} are the candidates. A node acts on the
 * rows that name it: a candidate fences its copy and reports it; the new owner restores; an owner ships to the backups
 * of its row.
 *
 * @param zone id of the zone: the creator in its CIDs, from 1 to {@link #ZONE_MAX}
 * @param epoch number of the configuration, from 1; rises by one with each change of owner or backups
 * @param state the state
 * @param isFull whether the zone is full; kept during a recovery
 * @param owner the owner, or null
 * @param backups the backups, the preferred new owner first
 * @param reports what the candidates have reported in state {@link ZoneState#FENCING}
 * @param spares in state {@link ZoneState#RESTORING}, candidates that were slow to report: they are no backups of the
 *     new configuration, but have every acknowledged change until the new owner serves
 * @param nextCopy number of the zone's next copy
 * @param version version of the tables in which the row last changed
 * @param learners nodes that are being made backups of a zone that is served: the owner ships to them as to backups,
 *     and records the whole zone once more; until they have it, they are no candidates
 */
public record ZoneRow(int zone, int epoch, ZoneState state, boolean isFull, @Nullable NodeRef owner,
                      List<Backup> backups, List<Report> reports, List<Backup> spares, int nextCopy, long version,
                      List<Backup> learners) {
    /** The highest zone. The creators above are the engine's own. */
    public static final int ZONE_MAX = 65_533;

    /** The highest epoch: an epoch is the upper 16 bits of the number of a change. */
    public static final int EPOCH_MAX = 65_535;

    /**
     * The last number that a candidate has.
     *
     * @param node the candidate
     * @param last the last number that its copy has
     */
    public record Report(NodeRef node, long last) {}

    /** Copies the lists. */
    public ZoneRow {
        backups = List.copyOf(backups);
        reports = List.copyOf(reports);
        spares = List.copyOf(spares);
        learners = List.copyOf(learners);
    }

    /** Makes a row without learners; see the components. */
    public ZoneRow(int zone, int epoch, ZoneState state, boolean isFull, @Nullable NodeRef owner, List<Backup> backups,
                   List<Report> reports, List<Backup> spares, int nextCopy, long version) {
        this(zone, epoch, state, isFull, owner, backups, reports, spares, nextCopy, version, List.of());
    }

    /** {@return whether a node's life is a backup in this configuration} */
    public boolean hasBackup(NodeRef node) {
        return backup(node) != null;
    }

    /** {@return the node's backup in this configuration, or null} */
    public @Nullable Backup backup(NodeRef node) {
        return of(node, backups);
    }

    /** {@return the copy that the owner ships to this node's life, as to a backup or a learner, or null} */
    public @Nullable Backup receiver(NodeRef node) {
        Backup backup = of(node, backups);
        return backup != null ? backup : of(node, learners);
    }

    /** {@return the backups and the learners: all to which the owner ships} */
    public List<Backup> receivers() {
        List<Backup> all = new ArrayList<>(backups);
        all.addAll(learners);
        return all;
    }

    private static @Nullable Backup of(NodeRef node, List<Backup> backups) {
        for (Backup backup : backups) {
            if (backup.node().equals(node)) {
                return backup;
            }
        }
        return null;
    }

    /** {@return whether a node's life is the owner} */
    public boolean isOwnedBy(NodeRef node) {
        return node.equals(owner);
    }

    /** {@return whether every backup has reported} */
    boolean isReported() {
        return reports.size() == backups.size();
    }

    // ---- moves of the state machine ----

    /** The owner has expired: the nodes that have every acknowledged change are fenced. */
    ZoneRow ownerExpired(long at) {
        List<Backup> candidates = new ArrayList<>(backups);
        candidates.addAll(spares);
        return fenced(candidates, at);
    }

    /** A backup or a spare has expired, or the owner does without it. */
    ZoneRow without(NodeRef node, long at) {
        if (state == ZoneState.FENCING) {
            return fenced(others(backups, node), at);
        }
        return new ZoneRow(zone, epoch + 1, state, isFull, owner, others(backups, node), reports, others(spares, node),
            nextCopy, at, others(learners, node));
    }

    /** A node begins to be made a backup. */
    ZoneRow learning(NodeRef node, long at) {
        List<Backup> all = new ArrayList<>(learners);
        all.add(new Backup(node, nextCopy));
        return new ZoneRow(zone, epoch + 1, state, isFull, owner, backups, reports, spares, nextCopy + 1, at, all);
    }

    /** A learner has the whole zone, and is a backup from now on. */
    ZoneRow learned(Backup learner, long at) {
        List<Backup> all = new ArrayList<>(backups);
        all.add(learner);
        return new ZoneRow(zone, epoch + 1, state, isFull, owner, all, reports, spares, nextCopy, at,
            others(learners, learner.node()));
    }

    private ZoneRow fenced(List<Backup> candidates, long at) {
        ZoneState next = candidates.isEmpty() ? ZoneState.LOST : ZoneState.FENCING;
        return new ZoneRow(zone, epoch + 1, next, isFull, null, candidates, List.of(), List.of(), nextCopy, at);
    }

    private static List<Backup> others(List<Backup> backups, NodeRef node) {
        return backups.stream().filter(backup -> !backup.node().equals(node)).toList();
    }

    /** A candidate has reported. */
    ZoneRow reported(Report report, long at) {
        List<Report> all = new ArrayList<>(reports);
        all.add(report);
        return new ZoneRow(zone, epoch, state, isFull, owner, backups, all, spares, nextCopy, at);
    }

    /**
     * The most advanced candidate that has reported becomes the owner, of equal ones the first in the order of the
     * backups. The others that have reported are its backups.
     */
    ZoneRow chosen(long at) {
        Report best = reports.getFirst();
        for (Backup backup : backups) {
            Report report = report(backup.node());
            if (report != null && (Long.compareUnsigned(report.last(), best.last()) > 0
                || report.last() == best.last() && isBefore(backup.node(), best.node()))) {
                best = report;
            }
        }
        List<Backup> rest = new ArrayList<>();
        List<Backup> slow = new ArrayList<>();
        for (Backup backup : others(backups, best.node())) {
            (report(backup.node()) != null ? rest : slow).add(backup);
        }
        return new ZoneRow(zone, epoch, ZoneState.RESTORING, isFull, best.node(), rest, List.of(), slow, nextCopy, at);
    }

    private boolean isBefore(NodeRef first, NodeRef second) {
        for (Backup backup : backups) {
            if (backup.node().equals(first) || backup.node().equals(second)) {
                return backup.node().equals(first);
            }
        }
        return false;
    }

    private @Nullable Report report(NodeRef node) {
        for (Report report : reports) {
            if (report.node().equals(node)) {
                return report;
            }
        }
        return null;
    }

    /** The owner serves; the spares no longer have every acknowledged change. */
    ZoneRow served(long at) {
        ZoneState next = isFull ? ZoneState.FULL : ZoneState.OPEN;
        return new ZoneRow(zone, epoch, next, isFull, owner, backups, reports, List.of(), nextCopy, at, learners);
    }

    /** The owner creates elsewhere from now on. */
    ZoneRow full(long at) {
        ZoneState next = state == ZoneState.OPEN ? ZoneState.FULL : state;
        return new ZoneRow(zone, epoch, next, true, owner, backups, reports, spares, nextCopy, at, learners);
    }

    /** {@return whether a node's life takes part in this row, in any role} */
    boolean names(NodeRef node) {
        return isOwnedBy(node) || receiver(node) != null || of(node, spares) != null;
    }
}
