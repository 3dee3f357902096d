package io.teff.cluster.meta;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table of zones: the current configuration of a zone.
 *
 * <p>In states {@link ZoneState#FENCING} and {@link ZoneState#WAITING} there is no owner, and {@code backups} are the
 * candidates. A node acts on the rows with its name: a candidate fences its copy and reports the copy's last number;
 * the new owner restores; an owner ships to the backups of the row.
 *
 * @param zone id of the zone: the creator in the zone's CIDs, from 1 to {@link #ZONE_MAX}
 * @param epoch number of the configuration, from 1; rises by one with each change of owner or backups
 * @param state the phase of the zone's life; decides which fields below are used
 * @param isFull whether the zone is full; kept during a recovery
 * @param owner the owner, or null
 * @param backups the backups, the preferred new owner first
 * @param reports reports of the candidates in state {@link ZoneState#FENCING}
 * @param spares in state {@link ZoneState#RESTORING}, candidates that were slow to report, have more than the new
 *     owner, or cannot catch up with the new owner: spares are no backups of the new configuration, but have every
 *     acknowledged change until the new owner serves
 * @param obstacles candidates that cannot restore the zone; kept until the zone is served
 * @param nextCopy number of the zone's next copy
 * @param version version of the tables in which the row last changed
 * @param learners nodes about to become backups of a served zone: the owner ships to learners as to backups, and
 *     records the whole zone once more; until a learner has the whole zone, the learner is no candidate
 * @param heir the node that receives the zone from the owner as soon as the node is a backup. In state
 *     {@link ZoneState#FENCING} the heir of a zone that was handed over; null without an heir
 * @param kept copies on disks that have every acknowledged change, besides the copies of backups and spares: copies of
 *     expired lives, as long as the owner has acknowledged no change without them, and the owner's own copy until the
 *     zone is served. The own copy of an owner without backups stays until the owner acknowledges the first change. If
 *     no candidate lives, the zone waits for these copies to come back
 * @param outdated copies on disks that had every acknowledged change earlier, and may lack later changes; at most one
 *     of a node, the newest last. A node that comes back catches up from such a copy. If all other copies are gone for
 *     good, a person may have the zone continue with such a copy
 */
public record ZoneRow(int zone, int epoch, ZoneState state, boolean isFull, @Nullable NodeRef owner,
                      List<Backup> backups, List<Report> reports, List<Backup> spares, List<Obstacle> obstacles,
                      int nextCopy, long version, List<Backup> learners, @Nullable NodeRef heir, List<Backup> kept,
                      List<Backup> outdated) {
    /** The highest zone. The creators above are the engine's own. */
    public static final int ZONE_MAX = 65_533;

    /**
     * The highest epoch: an epoch is the upper 16 bits of the number of a change. No zone is served with this epoch.
     */
    public static final int EPOCH_MAX = 65_535;

    /** The epoch of the last possible configuration of a zone. */
    public static final int EPOCH_LAST = EPOCH_MAX - 1;

    /** Epochs left for failures: a zone with no more epochs than these gets no new backups. */
    static final int EPOCHS_FOR_FAILURES = 1 << 12;

    /** Position of the epoch in the number of a change. */
    static final int EPOCH_SHIFT = 48;

    private static final long MEBIBYTE = 1 << 20;

    /**
     * The report of a candidate.
     *
     * @param node the candidate
     * @param last number of the last change in the candidate's copy
     */
    public record Report(NodeRef node, long last) {}

    /**
     * A candidate cannot restore the zone.
     *
     * @param node the candidate
     * @param hindrance the reason
     * @param neededBytes approximate memory needed by the zone, if memory is short; else 0
     * @param freeBytes free memory of the candidate, if memory is short; else 0
     */
    public record Obstacle(NodeRef node, Hindrance hindrance, long neededBytes, long freeBytes) {}

    /** Copies the lists. */
    public ZoneRow {
        backups = List.copyOf(backups);
        reports = List.copyOf(reports);
        spares = List.copyOf(spares);
        obstacles = List.copyOf(obstacles);
        learners = List.copyOf(learners);
        kept = List.copyOf(kept);
        outdated = List.copyOf(outdated);
    }

    /** Makes the row of a zone without outdated copies. */
    public ZoneRow(int zone, int epoch, ZoneState state, boolean isFull, @Nullable NodeRef owner,
                   List<Backup> backups, List<Report> reports, List<Backup> spares, List<Obstacle> obstacles,
                   int nextCopy, long version, List<Backup> learners, @Nullable NodeRef heir, List<Backup> kept) {
        this(zone, epoch, state, isFull, owner, backups, reports, spares, obstacles, nextCopy, version, learners, heir,
            kept, List.of());
    }

    /** Makes the row of a zone without an heir and kept copies. */
    public ZoneRow(int zone, int epoch, ZoneState state, boolean isFull, @Nullable NodeRef owner,
                   List<Backup> backups, List<Report> reports, List<Backup> spares, List<Obstacle> obstacles,
                   int nextCopy, long version, List<Backup> learners) {
        this(zone, epoch, state, isFull, owner, backups, reports, spares, obstacles, nextCopy, version, learners, null,
            List.of());
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
        if (isUsedUp()) {
            return "it has had all of its " + EPOCH_LAST + " configurations, and cannot be served any more";
        }
        List<String> all = new ArrayList<>();
        if (state == ZoneState.WAITING && kept.isEmpty() && backups.isEmpty()) {
            all.add("it waits for a person: no copy has every acknowledged change, and the older copies are at "
                + String.join(", ", outdated.stream().map(backup -> backup.node().toString()).toList()));
        } else if (state == ZoneState.WAITING) {
            all.add("it waits for " + String.join(", ", kept.stream().map(backup -> backup.isDoubtful()
                ? "a person, because of a doubtful copy of node " + backup.node().nid()
                : "the copy of " + backup.node()).toList()) + ": no node that lives has all of its changes");
        }
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

    /**
     * {@return whether the zone is served without a backup, and its changes wait for a new backup: only kept copies
     * have every acknowledged change}
     */
    public boolean awaitsBackup() {
        return state.isServed() && backups.isEmpty() && !kept.isEmpty();
    }

    /** {@return why the zone is not served for long, or why its changes wait, for people; null if nothing is known} */
    public @Nullable String problem() {
        return !awaitsBackup() ? obstacle() : "its changes wait for a new backup: beside the owner, only copies of "
            + String.join(", ", kept.stream().map(backup -> backup.node().toString()).toList())
            + " have every acknowledged change";
    }

    private static long mebibytes(long bytes) {
        return bytes / MEBIBYTE;
    }

    /** {@return the kept copy of this node's life, or null} */
    public @Nullable Backup keptOf(NodeRef node) {
        return of(node, kept);
    }

    /** {@return the newest kept copy of an earlier life of a node, or null} */
    public @Nullable Backup keptBefore(NodeRef node) {
        Backup newest = null;
        for (Backup backup : kept) {
            if (isOf(backup, node) && (newest == null || backup.copy() > newest.copy())) {
                newest = backup;
            }
        }
        return newest;
    }

    /**
     * {@return the newest copy of any life of a node from which the node can catch up as a backup: a kept copy or an
     * outdated copy, or null}
     *
     * @param node the life that is to catch up
     */
    public @Nullable Backup resumable(NodeRef node) {
        Backup newest = null;
        for (Backup backup : joined(kept, outdated)) {
            if (backup.node().nid() == node.nid() && !backup.isDoubtful()
                && (newest == null || backup.copy() > newest.copy())) {
                newest = backup;
            }
        }
        return newest;
    }

    /** {@return whether a learner catches up from an earlier copy: the owner ships only what the copy lacks} */
    public boolean isResumed(Backup learner) {
        return joined(kept, outdated).stream().anyMatch(copy -> copy.copy() == learner.copy());
    }

    /** Returns whether a learner catches up from a copy of the row. */
    boolean isLearnedFrom(Backup copy) {
        return learners.stream().anyMatch(learner -> learner.copy() == copy.copy()
            && learner.node().nid() == copy.node().nid());
    }

    /** {@return whether a receiver needs every change: a backup, or a learner that catches up from an earlier copy} */
    public boolean needsAll(Backup receiver) {
        return hasBackup(receiver.node()) || isResumed(receiver);
    }

    private static boolean isOf(Backup backup, NodeRef node) {
        return backup.node().nid() == node.nid() && backup.node().incarnation() < node.incarnation();
    }

    /**
     * {@return whether the row names a copy of any life of a node. A row that is older than the life that looks at it
     * names the copy as that of a backup, and not yet as a kept one}
     *
     * @param nid NID of the node
     * @param copy number of the copy
     */
    public boolean names(int nid, int copy) {
        return named().anyMatch(backup -> backup.node().nid() == nid && backup.copy() == copy);
    }

    /**
     * {@return whether the row names a copy of any life of a node that is an earlier one}
     *
     * @param nid NID of the node
     * @param copy number of the later copy
     */
    public boolean namesBefore(int nid, int copy) {
        return named().anyMatch(backup -> backup.node().nid() == nid && backup.copy() < copy);
    }

    private Stream<Backup> named() {
        return Stream.of(backups, spares, learners, kept, outdated).flatMap(List::stream);
    }

    // ---- the end of the epochs ----

    /**
     * {@return whether the zone has had all of its configurations, and has needed another one: it is not served any
     * more. The row names the copies that have every acknowledged change, so that they stay on their disks}
     */
    public boolean isUsedUp() {
        return epoch >= EPOCH_MAX;
    }

    /** {@return whether the zone has so few epochs left that it gets no new backups} */
    public boolean isNearItsEnd() {
        return epoch > EPOCH_LAST - EPOCHS_FOR_FAILURES;
    }

    /** {@return whether this is the zone's last configuration: it goes on with it until its owner expires} */
    boolean isLast() {
        return epoch >= EPOCH_LAST;
    }

    private ZoneRow usedUp(List<Backup> copies, long at) {
        RowDraft draft = new RowDraft(this, at);
        draft.epoch = EPOCH_MAX;
        draft.state = copies.isEmpty() && outdated.isEmpty() ? ZoneState.LOST : ZoneState.WAITING;
        draft.withoutOwner();
        draft.backups = List.of();
        draft.obstacles = List.of();
        draft.heir = null;
        draft.kept = copies;
        return draft.row();
    }

    /** {@return whether every candidate has reported} */
    boolean isReported() {
        return reports.size() == backups.size();
    }

    /**
     * Returns whether a fenced zone can continue without the candidates that have not reported: a whole copy has
     * reported. If the owner has handed the zone over, another reported candidate must be left as a backup: the old
     * owner lives, and the death of the old owner alone would not end the zone. So the death of the new owner must not
     * end the zone either.
     *
     * @return whether a new owner can be chosen
     */
    public boolean canGoOn() {
        return state.isFenced() && hasWholeReport() && reports.size() > (heir != null && backups.size() > 1 ? 1 : 0);
    }

    private boolean hasWholeReport() {
        return reports.stream().anyMatch(report -> isWhole(report.node()));
    }

    private boolean isWhole(NodeRef node) {
        Backup backup = of(node, backups);
        return backup != null && !backup.isCut();
    }

    // ---- moves of the state machine ----

    /** The owner has expired: the nodes with every acknowledged change are fenced. */
    ZoneRow ownerExpired(long at) {
        return fenced(candidates(), owner == null ? obstacles : obstaclesWithout(owner), kept, at, null);
    }

    private List<Backup> candidates() {
        return joined(backups, spares);
    }

    private static List<Backup> joined(List<Backup> first, List<Backup> second) {
        List<Backup> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    private static List<Backup> with(List<Backup> all, @Nullable Backup one) {
        return one == null ? all : joined(all, List.of(one));
    }

    /**
     * A backup, a spare or a learner has expired. The copy is kept unless the node was a learner: the owner
     * acknowledges nothing without the copy before announcing this. In the last configuration of a zone the node stays
     * a backup: changes wait for the node.
     */
    ZoneRow without(NodeRef node, long at) {
        if (isLast() && !state.isFenced()) {
            return state.isServed() || backup(node) == null ? this : usedUp(joined(candidates(), kept), at);
        }
        Backup backup = of(node, backups);
        List<Backup> copies = with(kept, backup != null ? backup : of(node, spares));
        if (state.isFenced()) {
            return fenced(others(backups, node), obstaclesWithout(node), copies, at, node.equals(heir) ? null : heir);
        }
        RowDraft draft = new RowDraft(this, at).next().without(node);
        draft.kept = copies;
        return draft.row();
    }

    /** A node begins to be made a backup. */
    ZoneRow learning(NodeRef node, long at) {
        RowDraft draft = new RowDraft(this, at).next();
        draft.learners = with(learners, new Backup(node, nextCopy));
        draft.nextCopy++;
        return draft.row();
    }

    /**
     * A node has come back, and begins to be made a backup with the copy of an earlier life. The row keeps the name of
     * the earlier life's copy until the node is a backup.
     */
    ZoneRow resuming(NodeRef node, Backup copy, long at) {
        RowDraft draft = new RowDraft(this, at).next();
        draft.learners = with(learners, new Backup(node, copy.copy()));
        return draft.row();
    }

    /**
     * A learner has the whole zone: the learner is a backup from now on. A zone with all backups needs no further
     * copies, and no learner but its heir.
     */
    ZoneRow learned(Backup learner, int backupsWanted, long at) {
        NodeRef node = learner.node();
        RowDraft draft = new RowDraft(this, at).next();
        draft.backups = with(backups, learner);
        draft.learners = others(learners, node);
        draft.forget(node);
        if (draft.backups.size() >= backupsWanted) {
            draft.kept = List.of();
            draft.outdated = List.of();
            draft.learners = draft.learners.stream().filter(other -> other.node().equals(heir)).toList();
        }
        return draft.row();
    }

    /** A node claims the zone as the next owner. A node that is no backup of the zone becomes a learner. */
    ZoneRow claimed(NodeRef node, long at) {
        RowDraft draft = new RowDraft(hasBackup(node) ? this : learning(node, at), at);
        draft.heir = node;
        return draft.row();
    }

    /** The owner has ended serving: the heir, already a backup, is the first candidate. */
    ZoneRow handedOn(Backup next, long at) {
        List<Backup> copies = owner == null ? kept : others(kept, owner);
        return fenced(joined(List.of(next), others(backups, next.node())), obstacles, copies, at, next.node());
    }

    /**
     * The owner gives up a living backup or learner. While the owner restores, a backup becomes a spare: a spare has
     * every acknowledged change. Otherwise the copy of a backup is outdated from now on. A learner with an earlier copy
     * could not catch up from it, so the row forgets an outdated copy, and never a kept copy.
     */
    ZoneRow givenUp(Backup backup, long at) {
        NodeRef node = backup.node();
        boolean isSpare = state == ZoneState.RESTORING;
        RowDraft draft = new RowDraft(this, at).next();
        boolean isResumed = isResumed(backup);
        draft.without(node);
        if (isSpare) {
            draft.spares = with(spares, backup);
            draft.obstacles = obstacles;
        } else if (isResumed) {
            draft.outdated = outdated.stream().filter(copy -> copy.copy() != backup.copy()).toList();
        } else if (hasBackup(node)) {
            draft.outdate(List.of(backup));
        }
        return draft.row();
    }

    /**
     * The owner acknowledges changes that the kept copies lack. In the last configuration of a zone the epoch stays.
     */
    ZoneRow withoutKept(long at) {
        RowDraft draft = new RowDraft(this, at).outdate(kept);
        draft.kept = List.of();
        return isLast() ? draft.row() : draft.next().row();
    }

    /**
     * The owner cannot restore the zone: another candidate is chosen.
     *
     * @param hasCopy whether the owner's copy is valid. The owner then stays a candidate; in this case all backups have
     *     caught up with the owner
     * @param obstacle of the owner, or null
     */
    ZoneRow handedOver(boolean hasCopy, @Nullable Obstacle obstacle, long at) {
        Backup own = owner == null ? null : of(owner, kept);
        List<Backup> rest = owner == null ? kept : others(kept, owner);
        List<Obstacle> known = obstacle != null ? obstaclesWith(obstacle)
            : owner == null ? obstacles : obstaclesWithout(owner);
        return hasCopy && own != null
            ? fenced(with(joined(whole(backups), spares), own.whole()), known, rest, at, null)
            : fenced(candidates(), known, rest, at, null);
    }

    private static List<Backup> whole(List<Backup> backups) {
        return backups.stream().map(Backup::whole).toList();
    }

    /** The owner cannot restore the zone for now, and neither can any other candidate. */
    ZoneRow hindered(Obstacle obstacle, long at) {
        RowDraft draft = new RowDraft(this, at);
        draft.obstacles = obstaclesWith(obstacle);
        return draft.row();
    }

    /** {@return whether there is a candidate beside the owner that is not known to be hindered} */
    boolean hasOtherCandidate() {
        return backups.stream().anyMatch(this::isFree)
            || spares.stream().anyMatch(backup -> !backup.isCut() && isFree(backup));
    }

    private boolean isFree(Backup backup) {
        return obstacleOf(backup.node()) == null;
    }

    /** {@return whether the zone need not wait for the owner's copy: there are others, here or on disks} */
    boolean hasOtherCopy() {
        return !backups.isEmpty() || !spares.isEmpty()
            || kept.stream().anyMatch(backup -> !backup.node().equals(owner));
    }

    private List<Obstacle> obstaclesWithout(NodeRef node) {
        return obstacles.stream().filter(obstacle -> !obstacle.node().equals(node)).toList();
    }

    private List<Obstacle> obstaclesWith(Obstacle obstacle) {
        List<Obstacle> all = new ArrayList<>(obstaclesWithout(obstacle.node()));
        all.add(obstacle);
        return all;
    }

    /**
     * The zone has no owner. Whole copies of living nodes are enough; without a whole copy the zone waits for the kept
     * copies.
     */
    private ZoneRow fenced(List<Backup> candidates, List<Obstacle> known, List<Backup> copies, long at,
                           @Nullable NodeRef next) {
        if (isLast()) {
            return usedUp(joined(candidates, copies), at);
        }
        boolean isEnough = candidates.stream().anyMatch(backup -> !backup.isCut());
        boolean isGone = candidates.isEmpty() && copies.isEmpty();
        RowDraft draft = new RowDraft(this, at).next();
        draft.state = isGone && outdated.isEmpty() ? ZoneState.LOST
            : isEnough || !isGone && copies.isEmpty() ? ZoneState.FENCING : ZoneState.WAITING;
        draft.withoutOwner();
        draft.backups = candidates;
        draft.obstacles = draft.state == ZoneState.LOST ? List.of() : known;
        draft.heir = draft.state == ZoneState.FENCING ? next : null;
        draft.kept = copies;
        return draft.row();
    }

    /** Returns the copies that are not of a node's life. */
    static List<Backup> others(List<Backup> backups, NodeRef node) {
        return backups.stream().filter(backup -> !backup.node().equals(node)).toList();
    }

    /** A candidate has reported. */
    ZoneRow reported(Report report, long at) {
        List<Report> all = new ArrayList<>(reports);
        all.add(report);
        RowDraft draft = new RowDraft(this, at);
        draft.reports = all;
        return draft.row();
    }

    /** A node has returned with a kept copy, and is a candidate with a report. */
    ZoneRow returned(Backup candidate, Report report, long at) {
        List<Backup> all = new ArrayList<>(with(backups, candidate));
        all.sort(Comparator.comparingInt(Backup::copy));        // in the earlier order of preference
        RowDraft draft = new RowDraft(this, at);
        draft.backups = all;
        draft.heir = null;
        draft.kept = kept.stream().filter(backup -> !isOf(backup, candidate.node())).toList();
        return draft.row().reported(report, at);
    }

    /** A kept copy is of no use. */
    ZoneRow useless(Backup copy, long at) {
        RowDraft draft = new RowDraft(this, at);
        draft.kept = kept.stream().filter(backup -> !backup.isSame(copy)).toList();
        draft.heir = null;
        ZoneRow rest = draft.row();
        return rest.kept.isEmpty() && backups.isEmpty() ? rest.fenced(backups, obstacles, rest.kept, at, null) : rest;
    }

    /**
     * A person has given up the kept copies. The zone continues with the copies that have come back, else with a chosen
     * outdated copy, else with nothing.
     *
     * @param chosen a living node with its outdated copy, or null
     */
    ZoneRow lossAccepted(@Nullable Backup chosen, long at) {
        RowDraft draft = new RowDraft(this, at);
        draft.outdated = List.of();
        List<Backup> candidates = backups.isEmpty() && chosen != null ? List.of(chosen) : backups;
        return draft.row().fenced(candidates, obstacles, List.of(), at, null);
    }

    /** The choice of the owner, if every candidate with possibly more changes has reported. */
    ZoneRow settled(long at) {
        return state.isFenced() && !backups.isEmpty() && isReported()
            && (state == ZoneState.FENCING || kept.isEmpty()) ? chosen(at) : this;
    }

    /**
     * The most advanced candidate with a report becomes the owner. Of equal candidates the first in the order of the
     * backups is chosen; hindered candidates are chosen only if all candidates are hindered. All further candidates
     * with a report are backups, unless a candidate has more than the owner: the surplus was never acknowledged, and
     * could contradict changes of the new owner. A copy that may have lost its end is chosen only if no whole copy has
     * more.
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
        RowDraft draft = new RowDraft(this, at);
        draft.state = ZoneState.RESTORING;
        draft.owner = best.node();
        draft.backups = rest;
        draft.reports = List.of();
        draft.spares = apart;
        draft.learners = List.of();
        draft.heir = null;
        draft.kept = with(kept, of(best.node(), backups));
        return draft.row();
    }

    private Report best() {
        long least = leastOfOwner();
        Report best = null;
        for (Backup backup : backups) {
            Report report = report(backup.node());
            if (report != null && (!backup.isCut() || Long.compareUnsigned(report.last(), least) >= 0)
                && (best == null || isBetter(report, best))) {
                best = report;
            }
        }
        return Objects.requireNonNull(best, "no candidate has reported");
    }

    /**
     * Returns the least last number with which a copy that may have lost its end can be chosen: the highest number of
     * all whole copies, or of all copies if no copy is whole.
     */
    private long leastOfOwner() {
        boolean hasWhole = hasWholeReport();
        long most = 0;
        for (Report report : reports) {
            if ((!hasWhole || isWhole(report.node())) && Long.compareUnsigned(report.last(), most) > 0) {
                most = report.last();
            }
        }
        return most;
    }

    private boolean isBetter(Report report, Report best) {
        boolean isFree = obstacleOf(report.node()) == null;
        if (isFree != (obstacleOf(best.node()) == null)) {
            return isFree;
        }
        return Long.compareUnsigned(report.last(), best.last()) > 0;
    }

    private @Nullable Report report(NodeRef node) {
        for (Report report : reports) {
            if (report.node().equals(node)) {
                return report;
            }
        }
        return null;
    }

    /**
     * The owner serves. From now on spares and copies of earlier lives may lack changes. An owner without backups keeps
     * its own copy: the own copy has everything that was acknowledged before, and no change is acknowledged without it.
     */
    ZoneRow served(int backupsWanted, long at) {
        Backup own = owner == null || !backups.isEmpty() ? null : of(owner, kept);
        RowDraft draft = new RowDraft(this, at);
        draft.state = isFull ? ZoneState.FULL : ZoneState.OPEN;
        draft.backups = whole(backups);
        draft.spares = List.of();
        draft.obstacles = List.of();
        draft.heir = null;
        if (backups.size() < backupsWanted) {
            draft.outdate(joined(own == null ? kept : others(kept, own.node()), spares));
        } else {
            draft.outdated = List.of();
        }
        draft.kept = own == null ? List.of() : List.of(own.whole());
        return draft.row();
    }

    /** The owner creates elsewhere from now on. */
    ZoneRow full(long at) {
        RowDraft draft = new RowDraft(this, at);
        draft.state = state == ZoneState.OPEN ? ZoneState.FULL : state;
        draft.isFull = true;
        return draft.row();
    }

    /** The owner creates in the full zone again. */
    ZoneRow vacant(long at) {
        RowDraft draft = new RowDraft(this, at);
        draft.state = ZoneState.OPEN;
        draft.isFull = false;
        return draft.row();
    }

    /** Returns all nodes of the row. A node may occur several times. */
    Stream<NodeRef> nodes() {
        return Stream.concat(Stream.ofNullable(owner), named().map(Backup::node));
    }

    /** Returns the row with another version. */
    ZoneRow at(long other) {
        return new RowDraft(this, other).row();
    }

    /** {@return whether a node's life takes part in this row, in any role} */
    boolean names(NodeRef node) {
        return isOwnedBy(node) || receiver(node) != null || of(node, spares) != null;
    }
}
