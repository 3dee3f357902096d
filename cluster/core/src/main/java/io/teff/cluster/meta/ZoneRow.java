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
 * @param spares in state {@link ZoneState#RESTORING}, candidates that were slow to report, have more than the new
 *     owner, or cannot catch up with it: they are no backups of the new configuration, but have every acknowledged
 *     change until the new owner serves
 * @param obstacles candidates that cannot restore the zone; kept until it is served
 * @param nextCopy number of the zone's next copy
 * @param version version of the tables in which the row last changed
 * @param learners nodes that are being made backups of a zone that is served: the owner ships to them as to backups,
 *     and records the whole zone once more; until they have it, they are no candidates
 * @param heir the node to which the owner hands the zone over as soon as it is a backup, or in state
 *     {@link ZoneState#FENCING} has handed it over; null if there is none
 */
public record ZoneRow(int zone, int epoch, ZoneState state, boolean isFull, @Nullable NodeRef owner,
                      List<Backup> backups, List<Report> reports, List<Backup> spares, List<Obstacle> obstacles,
                      int nextCopy, long version, List<Backup> learners, @Nullable NodeRef heir) {
    /** The highest zone. The creators above are the engine's own. */
    public static final int ZONE_MAX = 65_533;

    /** The highest epoch: an epoch is the upper 16 bits of the number of a change. */
    public static final int EPOCH_MAX = 65_535;

    private static final long MEBIBYTE = 1 << 20;

    /**
     * The last number that a candidate has.
     *
     * @param node the candidate
     * @param last the last number that its copy has
     */
    public record Report(NodeRef node, long last) {}

    /**
     * A candidate cannot restore the zone.
     *
     * @param node the candidate
     * @param hindrance the reason
     * @param neededBytes memory that the zone needs, about, if there is not as much; else 0
     * @param freeBytes memory that the candidate has left, if it is not enough; else 0
     */
    public record Obstacle(NodeRef node, Hindrance hindrance, long neededBytes, long freeBytes) {}

    /** Copies the lists. */
    public ZoneRow {
        backups = List.copyOf(backups);
        reports = List.copyOf(reports);
        spares = List.copyOf(spares);
        obstacles = List.copyOf(obstacles);
        learners = List.copyOf(learners);
    }

    /** Makes the row of a zone without an heir. */
    public ZoneRow(int zone, int epoch, ZoneState state, boolean isFull, @Nullable NodeRef owner,
                   List<Backup> backups, List<Report> reports, List<Backup> spares, List<Obstacle> obstacles,
                   int nextCopy, long version, List<Backup> learners) {
        this(zone, epoch, state, isFull, owner, backups, reports, spares, obstacles, nextCopy, version, learners, null);
    }

    /** Makes the row of a zone without learners and obstacles. */
    public ZoneRow(int zone, int epoch, ZoneState state, boolean isFull, @Nullable NodeRef owner,
                   List<Backup> backups, List<Report> reports, List<Backup> spares, int nextCopy, long version) {
        this(zone, epoch, state, isFull, owner, backups, reports, spares, List.of(), nextCopy, version, List.of());
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

    /** {@return whether the owner is to hand the zone over now: the heir is a backup, and not the only one} */
    public boolean isHandedOver() {
        return heir != null && state.isServed() && backups.size() > 1 && hasBackup(heir);
    }

    /**
     * Returns whether a zone that is fenced can go on without the candidates that have not reported. If its owner has
     * handed it over, one must be left as a backup: the old owner lives, and its death alone would not be the end of
     * the zone, so that of the new one must not be either.
     *
     * @return whether a new owner can be chosen
     */
    public boolean canGoOn() {
        return state == ZoneState.FENCING && reports.size() > (heir != null && backups.size() > 1 ? 1 : 0);
    }

    /** {@return the node that owns the zone when what is under way has ended well, or null if the zone is lost} */
    public @Nullable NodeRef nextOwner() {
        return heir != null ? heir : owner != null || backups.isEmpty() ? owner : backups.getFirst().node();
    }

    /** {@return what keeps a node's life from restoring the zone, or null} */
    public @Nullable Obstacle obstacleOf(NodeRef node) {
        for (Obstacle obstacle : obstacles) {
            if (obstacle.node().equals(node)) {
                return obstacle;
            }
        }
        return null;
    }

    /** {@return why the zone is not served for long, for people; null if nothing is known} */
    public @Nullable String obstacle() {
        List<String> all = new ArrayList<>();
        long needed = 0;
        long most = 0;
        for (Obstacle obstacle : obstacles) {
            switch (obstacle.hindrance()) {
                case MEMORY -> {
                    needed = Math.max(needed, obstacle.neededBytes());
                    most = Math.max(most, obstacle.freeBytes());
                }
                case DISK -> all.add(obstacle.node() + " cannot read its log now: its disk is full, or fails");
                case DAMAGE -> all.add("the copy of " + obstacle.node() + " is damaged, and no other node that lives"
                    + " has one");
            }
        }
        if (needed > 0) {
            all.add("it needs " + mebibytes(needed + MEBIBYTE - 1) + " MiB of memory, and the most that a peer with its"
                + " log has is " + mebibytes(most) + " MiB");
        }
        return all.isEmpty() ? null : String.join("; ", all);
    }

    private static long mebibytes(long bytes) {
        return bytes / MEBIBYTE;
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
        return fenced(candidates, owner == null ? obstacles : obstaclesWithout(owner), at);
    }

    /** A backup or a spare has expired, or the owner does without it. */
    ZoneRow without(NodeRef node, long at) {
        if (state == ZoneState.FENCING) {
            return fenced(others(backups, node), obstaclesWithout(node), at, node.equals(heir) ? null : heir);
        }
        return new ZoneRow(zone, epoch + 1, state, isFull, owner, others(backups, node), reports, others(spares, node),
            obstaclesWithout(node), nextCopy, at, others(learners, node), node.equals(heir) ? null : heir);
    }

    /** A node begins to be made a backup. */
    ZoneRow learning(NodeRef node, long at) {
        List<Backup> all = new ArrayList<>(learners);
        all.add(new Backup(node, nextCopy));
        return new ZoneRow(zone, epoch + 1, state, isFull, owner, backups, reports, spares, obstacles, nextCopy + 1, at,
            all, heir);
    }

    /** A learner has the whole zone, and is a backup from now on. */
    ZoneRow learned(Backup learner, long at) {
        List<Backup> all = new ArrayList<>(backups);
        all.add(learner);
        return new ZoneRow(zone, epoch + 1, state, isFull, owner, all, reports, spares, obstacles, nextCopy, at,
            others(learners, learner.node()), heir);
    }

    /** A node is to own the zone next. Unless it is a backup, it begins to be made one. */
    ZoneRow claimed(NodeRef node, long at) {
        final ZoneRow from = hasBackup(node) ? this : learning(node, at);
        return new ZoneRow(zone, from.epoch, state, isFull, owner, backups, reports, spares, obstacles, from.nextCopy,
            at, from.learners, node);
    }

    /** The owner has ended serving: the heir, which is a backup, is the first candidate. */
    ZoneRow handedOn(Backup next, long at) {
        final List<Backup> candidates = new ArrayList<>();
        candidates.add(next);
        candidates.addAll(others(backups, next.node()));
        return fenced(candidates, obstacles, at, next.node());
    }

    /**
     * The owner does without a backup that lives. While the owner restores, that one is a spare: it has every
     * acknowledged change.
     */
    ZoneRow givenUp(Backup backup, long at) {
        if (state != ZoneState.RESTORING) {
            return without(backup.node(), at);
        }
        List<Backup> more = new ArrayList<>(spares);
        more.add(backup);
        return new ZoneRow(zone, epoch + 1, state, isFull, owner, others(backups, backup.node()), reports, more,
            obstacles, nextCopy, at, learners);
    }

    /**
     * The owner cannot restore the zone: another candidate is to.
     *
     * @param own the owner's copy, which makes it a candidate again; null if the copy is of no use
     * @param obstacle of the owner, or null
     */
    ZoneRow handedOver(@Nullable Backup own, @Nullable Obstacle obstacle, long at) {
        List<Backup> candidates = new ArrayList<>(backups);
        candidates.addAll(spares);
        if (own != null) {
            candidates.add(own);
        }
        return fenced(candidates, obstacle != null ? obstaclesWith(obstacle)
            : owner == null ? obstacles : obstaclesWithout(owner), at);
    }

    /** The owner cannot restore the zone for now, and no other candidate can either. */
    ZoneRow hindered(Obstacle obstacle, long at) {
        return new ZoneRow(zone, epoch, state, isFull, owner, backups, reports, spares, obstaclesWith(obstacle),
            nextCopy, at, learners);
    }

    /** {@return whether there is a candidate beside the owner that is not known to be hindered} */
    boolean hasOtherCandidate() {
        List<Backup> candidates = new ArrayList<>(backups);
        candidates.addAll(spares);
        return candidates.stream().anyMatch(backup -> obstacleOf(backup.node()) == null);
    }

    private List<Obstacle> obstaclesWithout(NodeRef node) {
        return obstacles.stream().filter(obstacle -> !obstacle.node().equals(node)).toList();
    }

    private List<Obstacle> obstaclesWith(Obstacle obstacle) {
        List<Obstacle> all = new ArrayList<>(obstaclesWithout(obstacle.node()));
        all.add(obstacle);
        return all;
    }

    private ZoneRow fenced(List<Backup> candidates, List<Obstacle> known, long at) {
        return fenced(candidates, known, at, null);
    }

    private ZoneRow fenced(List<Backup> candidates, List<Obstacle> known, long at, @Nullable NodeRef next) {
        boolean isLost = candidates.isEmpty();
        return new ZoneRow(zone, epoch + 1, isLost ? ZoneState.LOST : ZoneState.FENCING, isFull, null, candidates,
            List.of(), List.of(), isLost ? List.of() : known, nextCopy, at, List.of(), next);
    }

    private static List<Backup> others(List<Backup> backups, NodeRef node) {
        return backups.stream().filter(backup -> !backup.node().equals(node)).toList();
    }

    /** A candidate has reported. */
    ZoneRow reported(Report report, long at) {
        List<Report> all = new ArrayList<>(reports);
        all.add(report);
        return new ZoneRow(zone, epoch, state, isFull, owner, backups, all, spares, obstacles, nextCopy, at, learners,
            heir);
    }

    /**
     * The most advanced candidate that has reported becomes the owner, of equal ones the first in the order of the
     * backups; those that are hindered only if all are. The others that have reported are its backups, unless they have
     * more than the owner: their surplus was never acknowledged, and could contradict what the owner writes.
     */
    ZoneRow chosen(long at) {
        Report best = best();
        List<Backup> rest = new ArrayList<>();
        List<Backup> apart = new ArrayList<>();
        for (Backup backup : others(backups, best.node())) {
            Report report = report(backup.node());
            boolean isBehind = report != null && Long.compareUnsigned(report.last(), best.last()) <= 0;
            (isBehind ? rest : apart).add(backup);
        }
        return new ZoneRow(zone, epoch, ZoneState.RESTORING, isFull, best.node(), rest, List.of(), apart, obstacles,
            nextCopy, at, List.of());
    }

    private Report best() {
        Report best = reports.getFirst();
        for (Backup backup : backups) {
            Report report = report(backup.node());
            if (report != null && isBetter(report, best)) {
                best = report;
            }
        }
        return best;
    }

    private boolean isBetter(Report report, Report best) {
        boolean isFree = obstacleOf(report.node()) == null;
        if (isFree != (obstacleOf(best.node()) == null)) {
            return isFree;
        }
        return Long.compareUnsigned(report.last(), best.last()) > 0
            || report.last() == best.last() && isBefore(report.node(), best.node());
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
        return new ZoneRow(zone, epoch, next, isFull, owner, backups, reports, List.of(), List.of(), nextCopy, at,
            learners);
    }

    /** The owner creates elsewhere from now on. */
    ZoneRow full(long at) {
        ZoneState next = state == ZoneState.OPEN ? ZoneState.FULL : state;
        return new ZoneRow(zone, epoch, next, true, owner, backups, reports, spares, obstacles, nextCopy, at, learners,
            heir);
    }

    /** {@return whether a node's life takes part in this row, in any role} */
    boolean names(NodeRef node) {
        return isOwnedBy(node) || receiver(node) != null || of(node, spares) != null;
    }
}
