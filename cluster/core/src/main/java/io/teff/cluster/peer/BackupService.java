package io.teff.cluster.peer;

import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CopyState;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.ship.RunAnswer;
import io.teff.cluster.ship.RunAnswer.Kind;
import io.teff.cluster.ship.RunMessage;
import io.teff.cluster.zone.Run;
import io.teff.cluster.zone.ZoneBackup;
import io.teff.engine.error.StoreException;
import io.teff.recovery.backup.ZoneCopy;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The backups of a peer: takes runs of owners into the peer's log, and fences copies. Thread-safe.
 *
 * <p><b>One life.</b> Only copies begun in this life count. Copies of an earlier life may lack changes. So such a copy
 * takes no changes and is not restored, unless a row names this life with the copy: then the cell has found that the
 * copy has every acknowledged change, or its owner sends all changes that the copy lacks. The copy stays until the
 * zone is served and the zone's row does not name the copy.
 *
 * <p><b>Epochs.</b> {@link ZoneBackup} decides about a run. An earlier check refuses a run if the newest row shows a
 * different owner, or no backup at this node. The check only makes refusals earlier.
 *
 * <p><b>Damage.</b> A message with wrong checksums is counted and not used. If the head is right, the answer asks the
 * owner to send the run again. Otherwise the owner sends the run again when the acknowledgement is missing.
 *
 * <p><b>Acknowledgements.</b> A run is acknowledged when the log has the run, cumulatively, and never before. The lock
 * of a copy is held while a run is appended, so a fenced copy has its last number for good.
 */
final class BackupService {
    private final NodeRef self;
    private final CopyLog log;
    private final Tables tables;
    private final Answers answers;
    private final Failures failures;
    /** Whether the last append or sync of the log has failed. */
    private volatile boolean hasFailed;
    private final Map<Integer, Copy> copies = new ConcurrentHashMap<>();
    private final Set<ZoneCopy> earlier = ConcurrentHashMap.newKeySet();
    private final LongAdder runs = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder stale = new LongAdder();
    private final LongAdder gaps = new LongAdder();
    private final LongAdder later = new LongAdder();
    private final LongAdder malformed = new LongAdder();
    private final LongAdder damaged = new LongAdder();

    /** Sends answers. Must not wait. */
    @FunctionalInterface
    interface Answers {
        /**
         * Sends answers to one node, together if there is room.
         *
         * @param nid the node
         * @param answers at least a single answer, not changed later
         */
        void send(int nid, List<RunAnswer> answers);
    }

    /** Is notified of failures of the log. Must not wait. */
    @FunctionalInterface
    interface Failures {
        /** The log has refused an append or a sync by an exception. */
        void failed(RuntimeException e);

        /** The log has taken changes again. */
        default void accepted() {}
    }

    /** A copy of this life. Guarded by its monitor. */
    private static final class Copy {
        private final ZoneCopy name;
        private ZoneBackup state;
        /** Number of the last change not needed by a learner; 0 for a copy from the begin. */
        private long base;
        private boolean isDropped;

        Copy(ZoneCopy name) {
            this(name, new ZoneBackup(name.copy(), 0, 0));
        }

        Copy(ZoneCopy name, ZoneBackup state) {
            this.name = name;
            this.state = state;
        }
    }

    /**
     * Begins without a copy.
     *
     * @param self this life of the node
     * @param log the log; all present copies are of earlier lives
     * @param tables the node's tables
     * @param answers sends answers
     * @param failures notified of failures of the log
     */
    BackupService(NodeRef self, CopyLog log, Tables tables, Answers answers, Failures failures) {
        this.self = self;
        this.log = log;
        this.tables = tables;
        this.answers = answers;
        this.failures = failures;
        earlier.addAll(log.copies());
    }

    // ---- runs ----

    /** Takes a message with runs. The answers leave together; runs behind a wrong head have no answer. */
    void run(int from, MemorySegment memory, long offset, int length) {
        final List<RunAnswer> due = new ArrayList<>();
        final List<RunAnswer> wishes = new ArrayList<>(0);
        final long end = offset + length;
        for (long at = offset; at < end; at += RunMessage.HEAD_BYTES + RunMessage.recordBytes(memory, at)) {
            if (!RunMessage.isIntact(memory, at, end - at)) {
                damaged.increment();                            // the sender is not known; the owner asks again
                break;
            }
            if (!RunMessage.isValid(memory, at, end - at)) {
                malformed.increment();
                break;
            }
            final RunAnswer answer = run(from, memory, at);
            due.add(answer);
            if (answer.kind() == Kind.ACKNOWLEDGED && RunMessage.isSynced(memory, at)) {
                wishes.add(answer);
            }
        }
        if (!due.isEmpty()) {
            answers.send(from, due);
        }
        wishes.forEach(wish -> answerWhenSynced(from, wish));
    }

    private RunAnswer run(int from, MemorySegment memory, long offset) {
        final Run run = RunMessage.run(memory, offset);
        final NodeRef owner = RunMessage.owner(memory, offset, from);
        final Copy copy = RunMessage.backupIncarnation(memory, offset) == self.incarnation() && isPossible(run, owner)
            ? copy(run.zone(), run.copy()) : null;
        if (copy == null) {
            stale.increment();
            return answer(Kind.STALE, run, owner, 0);
        }
        final boolean isIntact = RunMessage.hasIntactRecords(memory, offset);
        final int recordBytes = RunMessage.recordBytes(memory, offset);
        final Kind kind;
        final long last;
        synchronized (copy) {
            kind = copy.isDropped ? Kind.STALE : !isIntact ? Kind.DAMAGED
                : RunMessage.isBegin(memory, offset) ? begin(copy, run)
                : take(copy, run, memory, offset + RunMessage.HEAD_BYTES, recordBytes);
            last = copy.state.last();
        }
        count(kind, RunMessage.HEAD_BYTES + recordBytes);
        return answer(kind, run, owner, last);
    }

    private void count(Kind kind, int length) {
        switch (kind) {
            case ACKNOWLEDGED -> {
                runs.increment();
                bytes.add(length);
            }
            case GAP -> gaps.increment();
            case LATER -> later.increment();
            case STALE -> stale.increment();
            case DAMAGED -> damaged.increment();
        }
    }

    /** Returns false if the newest row shows a different owner, or no backup at this node. */
    private boolean isPossible(Run run, NodeRef owner) {
        final ZoneRow row = tables.zone(run.zone());
        if (row == null || row.epoch() < run.epoch()) {
            return true;
        }
        final Backup mine = row.receiver(self);
        final boolean isChosen = row.owner() == null && row.epoch() == run.epoch();     // the row is not here yet
        return (row.isOwnedBy(owner) || isChosen) && mine != null && mine.copy() == run.copy();
    }

    /** Returns the copy of this life, which begins with the first run; null for an earlier copy. */
    private @Nullable Copy copy(int zone, int number) {
        final ZoneCopy name = new ZoneCopy(zone, number);
        if (earlier.contains(name)) {
            return null;
        }
        final Copy copy = copies.compute(zone, (_, known) -> {
            if (known != null && known.name.copy() >= number) {
                return known;
            }
            if (known != null) {
                earlier.add(known.name);                        // this node was given up as a backup before
            }
            return new Copy(name);
        });
        return copy.name.equals(name) ? copy : null;
    }

    /** Begins the copy of a learner, unless the copy has begun before. */
    private static Kind begin(Copy copy, Run run) {
        if (run.epoch() < copy.state.epoch()) {
            return Kind.STALE;
        }
        if (copy.state.last() == 0) {
            copy.base = run.first();
            copy.state = copy.state.begun(copy.base);
        }
        copy.state = copy.state.fenced(run.epoch());
        return Kind.ACKNOWLEDGED;
    }

    private Kind take(Copy copy, Run run, MemorySegment memory, long offset, long length) {
        final ZoneBackup.Verdict verdict = copy.state.verdict(run);
        if (verdict == ZoneBackup.Verdict.STALE) {
            return Kind.STALE;
        }
        copy.state = copy.state.fenced(run.epoch());
        if (verdict == ZoneBackup.Verdict.TAKE) {
            return append(copy, run, memory, offset, length);
        }
        return verdict == ZoneBackup.Verdict.GAP ? Kind.GAP : Kind.ACKNOWLEDGED;
    }

    private Kind append(Copy copy, Run run, MemorySegment memory, long offset, long length) {
        try {
            if (!log.append(copy.name, memory, offset, length)) {
                return Kind.LATER;
            }
        } catch (IllegalArgumentException e) {
            malformed.increment();
            return Kind.GAP;
        } catch (StoreException e) {
            failed(e);
            return Kind.LATER;
        }
        if (hasFailed) {
            hasFailed = false;
            failures.accepted();
        }
        copy.state = new ZoneBackup(copy.name.copy(), run.epoch(), log.logged(copy.name));
        return Kind.ACKNOWLEDGED;
    }

    private void answerWhenSynced(int from, RunAnswer logged) {
        if (logged.logged() == 0) {
            return;
        }
        try {
            log.whenSynced(new ZoneCopy(logged.zone(), logged.copy()), logged.logged(), failure -> {
                if (failure == null) {
                    answers.send(from, List.of(logged.whenSynced()));
                } else {
                    failed(failure);
                }
            });
        } catch (StoreException e) {
            failed(e);
        }
    }

    private void failed(RuntimeException e) {
        hasFailed = true;
        failures.failed(e);
    }

    private RunAnswer answer(Kind kind, Run run, NodeRef owner, long logged) {
        return new RunAnswer(kind, run.zone(), run.copy(), run.epoch(), self, owner.incarnation(), logged, 0);
    }

    // ---- recoveries ----

    /**
     * Fences the node's copy of a zone: the copy takes no run of an epoch below the row's epoch.
     *
     * @return the last number of the copy, for good below this epoch
     */
    long fence(ZoneRow row, Backup mine) {
        assert row.state().isFenced() : row;
        adopt(row, mine);
        final Copy copy = copy(row.zone(), mine.copy());
        if (copy == null) {
            return 0;                                           // an old row: its report counts for nothing
        }
        synchronized (copy) {
            copy.state = copy.state.fenced(row.epoch());
            return copy.state.last();
        }
    }

    /**
     * Adopts a copy of an earlier life with which a row names this life: from now on the copy counts, and takes runs.
     *
     * @param mine this life with the copy, as a candidate or as the restoring owner
     */
    void adopt(ZoneRow row, Backup mine) {
        final ZoneCopy name = new ZoneCopy(row.zone(), mine.copy());
        final Copy copy = copies.compute(row.zone(), (_, known) -> known != null && !isOlder(known, name, row.epoch())
            ? known : new Copy(name, new ZoneBackup(name.copy(), row.epoch(), log.logged(name))));
        if (copy.name.equals(name)) {
            earlier.remove(name);
        }
    }

    /**
     * Adopts a copy of an earlier life if a row makes this life a backup with the copy, or a learner that catches up
     * from the copy. Of the copies for which a zone waits, the last one to return becomes a backup at once, without a
     * fence.
     */
    void resume(ZoneRow row) {
        final Backup mine = row.receiver(self);
        if (mine != null && row.needsAll(mine) && earlier.contains(new ZoneCopy(row.zone(), mine.copy()))) {
            adopt(row, mine);
        }
    }

    /** Returns whether a newer row names a different copy than the known copy, which then takes no more runs. */
    private boolean isOlder(Copy known, ZoneCopy name, int epoch) {
        synchronized (known) {
            final boolean isOlder = !known.name.equals(name) && known.state.epoch() < epoch;
            if (isOlder) {
                known.isDropped = true;
                earlier.add(known.name);
            }
            return isOlder;
        }
    }

    /**
     * Returns the report about a copy of an earlier life that a row keeps.
     *
     * @throws IllegalStateException if the log is older than the copy
     */
    Command.Returned returned(ZoneRow row, Backup kept) {
        if (!log.hasLived(kept.node().incarnation())) {
            throw new IllegalStateException("the zone waits for the copy of life " + kept.node().incarnation()
                + " of this node, and this folder has not had such a life: the folder is an older copy. Put the newer"
                + " folder back, or give the copy up: ./teff cluster accept-loss " + row.zone());
        }
        final ZoneCopy name = new ZoneCopy(row.zone(), kept.copy());
        final CopyState state = log.isDamaged(name) ? CopyState.DAMAGED
            : kept.node().incarnation() <= log.cutIncarnation() ? CopyState.CUT : CopyState.WHOLE;
        return new Command.Returned(row.zone(), row.epoch(), self, kept.copy(), log.logged(name), state);
    }

    /** Returns the last number of the node's copy of a zone. */
    long last(int zone) {
        final Copy copy = copies.get(zone);
        if (copy == null) {
            return 0;
        }
        synchronized (copy) {
            return copy.state.last();
        }
    }

    /** Returns the node's copy of a zone in this life; null without a copy, or if the copy has no record. */
    @Nullable ZoneCopy name(int zone) {
        final Copy copy = copies.get(zone);
        if (copy == null) {
            return null;
        }
        synchronized (copy) {
            return copy.state.last() == copy.base ? null : copy.name;
        }
    }

    /**
     * Drops the copies of a served zone that the zone's row does not name. The row may be old. So a copy of an earlier
     * life stays while the row names the copy as a backup: a newer row may keep the copy. A copy with runs of a higher
     * epoch stays, because the row of this epoch has not arrived yet. A copy behind a named copy stays, too: the log
     * drops a copy together with all earlier copies of the zone.
     */
    void dropUnneeded(ZoneRow row) {
        final Backup mine = row.receiver(self);
        if (!row.state().isServed() || row.isOwnedBy(self)) {
            return;
        }
        earlier.removeIf(name -> {
            boolean isKnown = name.zone() == row.zone() && name.copy() < row.nextCopy();
            if (isKnown && isUnneeded(row, name.copy())) {
                log.drop(name);
                return true;
            }
            return false;
        });
        final Copy copy = copies.get(row.zone());
        if (copy != null && (mine == null || copy.name.copy() < mine.copy()) && isUnneeded(row, copy.name.copy())) {
            synchronized (copy) {
                if (!copy.isDropped && copy.state.epoch() <= row.epoch()) {
                    copy.isDropped = true;
                    log.drop(copy.name);
                }
            }
        }
    }

    /** Returns whether a row names neither a copy of this node nor an earlier copy. */
    private boolean isUnneeded(ZoneRow row, int copy) {
        return !row.names(self.nid(), copy) && !row.namesBefore(self.nid(), copy);
    }

    // ---- numbers for people ----

    /** Returns the numbers of now. */
    NodeStatus.Logging numbers() {
        return new NodeStatus.Logging((int) copies.values().stream().filter(copy -> !copy.isDropped).count(),
            runs.sum(), bytes.sum(), gaps.sum(), later.sum(), stale.sum(), malformed.sum(), damaged.sum());
    }
}
