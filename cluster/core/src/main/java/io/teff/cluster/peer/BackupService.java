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
 * The backups that a peer keeps: takes runs of owners into its log, and fences copies. Thread-safe.
 *
 * <p><b>One life.</b> Only copies that have begun in this life count. What an earlier life has left in the log may lack
 * changes, so it is never added to and never restored, unless a row names this life with it: then the cell has found
 * that it has every acknowledged change. It stays until the zone is served and its row does not keep it.
 *
 * <p><b>Epochs.</b> {@link ZoneBackup} decides about a run. Before that, a run is refused if the newest row shows that
 * its sender is no longer the owner, or this node no longer a backup; that only makes refusals earlier.
 *
 * <p><b>Damage.</b> A message whose checksums are wrong is counted and not used. If its head is right, the owner is
 * asked to send the run again, otherwise it does so by itself when it misses the acknowledgement.
 *
 * <p><b>Acknowledgements.</b> A run is acknowledged after the log has it, cumulatively, and never before. The lock of a
 * copy is held while its run is appended, so a copy that was fenced has its last number for good.
 */
final class BackupService {
    private final NodeRef self;
    private final CopyLog log;
    private final Tables tables;
    private final Answers answers;
    private final Failures failures;
    /** Whether the log has failed to take something, and has taken nothing since. */
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
         * @param answers at least one, not changed later
         */
        void send(int nid, List<RunAnswer> answers);
    }

    /** Notified of what the log refuses. Must not wait. */
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
        /** Number of the last change that a learner does not need; 0 for a copy from the begin. */
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
     * @param log the log; what it has now is of earlier lives
     * @param tables the node's tables
     * @param answers sends answers
     * @param failures notified of what the log refuses
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

    /** Takes a message with runs. The answers leave together; what is behind a run with a wrong head has none. */
    void run(int from, MemorySegment memory, long offset, int length) {
        final List<RunAnswer> due = new ArrayList<>();
        final List<RunAnswer> wishes = new ArrayList<>(0);
        final long end = offset + length;
        for (long at = offset; at < end; at += RunMessage.HEAD_BYTES + RunMessage.recordBytes(memory, at)) {
            if (!RunMessage.isIntact(memory, at, end - at)) {
                damaged.increment();                            // whom to answer is not known; the owner asks again
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

    /** Returns whether the newest row does not show that the sender is deposed, or this node is no backup. */
    private boolean isPossible(Run run, NodeRef owner) {
        final ZoneRow row = tables.zone(run.zone());
        if (row == null || row.epoch() < run.epoch()) {
            return true;
        }
        final Backup mine = row.receiver(self);
        final boolean isChosen = row.owner() == null && row.epoch() == run.epoch();     // a row that is not here yet
        return (row.isOwnedBy(owner) || isChosen) && mine != null && mine.copy() == run.copy();
    }

    /** Returns the copy of this life, which begins with its first run; null if it is an earlier one. */
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

    /** Begins a copy as a learner's, unless it has begun. */
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
     * Fences the node's copy of a zone: it takes no run of an epoch below that of the row.
     *
     * @return the last number that it has, and never has more below this epoch
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
     * Makes the copy with which a row names this life the one of the zone, if it is that of an earlier life: from now
     * on it counts, and takes runs.
     *
     * @param mine this life with the copy, as a candidate or as the owner that restores
     */
    void adopt(ZoneRow row, Backup mine) {
        final ZoneCopy name = new ZoneCopy(row.zone(), mine.copy());
        final Copy copy = copies.compute(row.zone(), (_, known) -> known != null && !isOlder(known, name, row.epoch())
            ? known : new Copy(name, new ZoneBackup(name.copy(), row.epoch(), log.logged(name))));
        if (copy.name.equals(name)) {
            earlier.remove(name);
        }
    }

    /** Returns whether a known copy is another one than that of a newer row; then it takes nothing any more. */
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

    /** Returns what the log has of a copy of an earlier life that a row keeps. */
    Command.Returned returned(ZoneRow row, Backup kept) {
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

    /** Returns the node's copy of a zone in this life; null if there is none, or it has no record. */
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
     * Drops what the log has of a zone that is served without it, and whose row does not name it. The row may be an old
     * one. So a copy of an earlier life stays while the row names it as that of a backup: a newer row may keep it. A
     * copy that has runs of a higher epoch stays: the row that asks for it has not arrived yet. One behind a copy that
     * the row names stays, too: the log drops a copy with all earlier ones of its zone.
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

    /** Returns whether a row names neither a copy of this node nor an earlier one, with which it would be dropped. */
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
