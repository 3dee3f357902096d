package io.teff.cluster.ship;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.cluster.zone.Run;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.cluster.zone.ZoneOwner;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A zone of an owner on the way to the backups: the runs that a backup may lack, the progress of each backup, and the
 * waiting answers. Thread-safe.
 *
 * <p><b>Which change is acknowledged</b> is decided by {@link ZoneOwner} alone: the last change in the logs of all
 * backups of the newest row, and in the kept copies. Answers wait for counters, which rise with the changes of a zone
 * across all owners.
 *
 * <p><b>Repetition.</b> A backup tells how far its log is. If a backup misses something, has no room now, or makes no
 * progress for half a second, everything behind its log is sent again. A backup ignores known changes. So neither a
 * lost message nor a lost session needs further treatment, and both are noticed.
 *
 * <p><b>Departed copies.</b> If a backup ends, and the row still names its copy, the runs that the copy may lack are
 * retained for some time. So a node that is started again catches up by the changes that it has missed. Before the
 * first of these runs is sent, the last change in the copy is compared with the change of the same counter here: a copy
 * may end with a change that its next owners never had.
 *
 * <p>Time is passed in, and nothing here waits. The lock is held while a run is copied to the send buffer, and never
 * while an answer is given.
 */
public final class ZoneShipment {
    private static final long STALE_PAUSE_NS = 100_000_000L;

    private final NodeRef self;
    private final RunMemory memory;
    private final Function<NodeRef, BackupWindow> windows;
    /** Not of the memory of runs: a zone without changes keeps no memory. */
    private final MemorySegment question = MemorySegment.ofArray(new byte[RunMessage.HEAD_BYTES]);
    private final RunQueue runs = new RunQueue();
    private final AnswerQueue logged = new AnswerQueue();
    private final AnswerQueue synced = new AnswerQueue();
    private List<ShipLane> lanes = new ArrayList<>();
    /** Copies of ended backups, by number of the copy, with the last change known to be in the copy. */
    private final Map<Integer, Long> departed = new HashMap<>();
    /** When the last backup has departed. */
    private long departedNs;
    private ZoneOwner owner;
    private long lastCut;
    private int bytesWanted;
    /** Bytes of the records since the last sent run: the next round may have as many. */
    private long roundBytes;
    private long syncWanted;
    private boolean isEnded;
    /** Of the thread that ships: whether the zone is in its list. */
    boolean isListed;
    private volatile long acknowledged;
    /** Gets each record of the ring, too; null without a reader of the zone. */
    private @Nullable RunTap tap;

    ZoneShipment(NodeRef self, ZoneRow row, long last, RunMemory memory, Function<NodeRef, BackupWindow> windows,
                 long nowNs) {
        this.self = self;
        this.memory = memory;
        this.windows = windows;
        owner = ZoneOwner.begun(self, row, last);
        lastCut = last;
        for (Backup backup : row.receivers()) {
            final ShipLane lane = new ShipLane(backup, windows.apply(backup.node()), 0, false, nowNs);
            lane.isKnown = row.state().isServed();              // a new zone, of which no copy exists
            lanes.add(lane);
        }
        acknowledged = ZoneNumber.counter(owner.answerable());
    }

    /** {@return the state of the protocol} */
    public synchronized ZoneOwner owner() {
        return owner;
    }

    /** {@return the counter of the last change whose answer may leave: all backups have logged it} */
    public long acknowledgedCounter() {
        return acknowledged;
    }

    // ---- changes ----

    /** Adds a record of the ring. */
    synchronized void record(long number, MemorySegment source, long offset, long bytes, long nowNs) {
        if (!isEnded) {
            add(number, source, offset, bytes, nowNs);
            if (tap != null) {
                tap.record(number, source, offset, bytes);
            }
        }
    }

    /**
     * Gives a tap each record from now on, in place of an earlier tap.
     *
     * @param next the tap; null for none
     * @return number of the last record that the tap does not get
     */
    public synchronized long tap(@Nullable RunTap next) {
        if (tap != null) {
            tap.end();
        }
        tap = next;
        if (next != null) {
            next.begin(lastCut);
        }
        return lastCut;
    }

    /**
     * Takes a tap away, unless another tap has taken its place.
     *
     * @param ended the tap
     */
    public synchronized void untap(RunTap ended) {
        ended.end();
        tap = tap == ended ? null : tap;
    }

    private void add(long number, MemorySegment source, long offset, long bytes, long nowNs) {
        ShippedRun run = runs.last();
        if (run == null || !run.takes(number, bytes)) {
            // a zone with much to ship gets longer runs, a zone with little wastes no memory
            if (run == null || run.isSent) {
                bytesWanted = (int) Math.min(Math.max(bytes * 2, RunMessage.HEAD_BYTES + roundBytes),
                    RunMemory.RUN_BYTES);
                roundBytes = 0;
            } else {
                bytesWanted = (int) Math.min(4 * run.memory.byteSize(), RunMemory.RUN_BYTES);
            }
            run = new ShippedRun(memory.take(bytes, bytesWanted), number, nowNs);
            runs.add(run);
        }
        run.add(number, source, offset, bytes);
        roundBytes += bytes;
        lastCut = number;
    }

    /**
     * Adds a run from the own log, for other backups; for an owner that restores, before its first change.
     *
     * @param source has the run
     * @param offset its first byte
     * @param bytes its length
     * @param first number of its first record
     * @param last number of its last record
     * @param nowNs the time
     */
    public synchronized void addTail(MemorySegment source, long offset, long bytes, long first, long last,
                                     long nowNs) {
        final ShippedRun run = new ShippedRun(memory.take(bytes, 0), first, nowNs);
        ShipLayout.copy(source, offset, run.memory, run.bytes, bytes);
        run.bytes += (int) bytes;
        run.last = last;
        runs.add(run);
    }

    /**
     * Removes what {@link #addTail} has added: it is not complete.
     *
     * @param nowNs the time
     */
    public synchronized void dropTail(long nowNs) {
        lanes.forEach(lane -> lane.rewind(nowNs));
        departed.clear();
        runs.release(Long.MAX_VALUE, memory);
    }

    // ---- shipping ----

    /** Sends what can be sent now. Returns whether something is left for lack of room. */
    boolean ship(Outlet outlet, long nowNs) {
        final List<Consumer<Verdict>> due = new ArrayList<>();
        boolean isLeft = false;
        synchronized (this) {
            if (isEnded) {
                return false;
            }
            if (lastCut != owner.committed()) {
                owner = owner.committed(lastCut);
                advance(due);                                   // without backups, this is the acknowledgement
            }
            for (ShipLane lane : lanes) {
                isLeft |= ship(lane, outlet, nowNs);
            }
        }
        due.forEach(then -> then.accept(Verdict.SERVED));
        return isLeft;
    }

    private boolean ship(ShipLane lane, Outlet outlet, long nowNs) {
        if (nowNs - lane.pausedUntilNs < 0) {
            return true;
        }
        if (!lane.isKnown && !lane.isAsked) {
            lane.isAsked = ask(lane, outlet, false);
            lane.progressNs = nowNs;
            return !lane.isAsked;
        }
        final long end = ZoneNumber.counter(lastCut);
        while (lane.isKnown && lane.next <= end) {
            final ShippedRun run = runs.at(lane.next);
            if (run == null) {
                lane.isBroken |= lane.isResumed;
                return false;                                   // the tail of the own log is added first
            }
            if (!lane.window.isOpen() || !send(lane, run, outlet)) {
                return true;
            }
            lane.sent(run, ZoneNumber.counter(run.last), nowNs);
        }
        if (lane.isKnown && syncWanted > lane.syncAsked && lane.next > syncWanted) {
            final boolean isSent = ask(lane, outlet, true);
            lane.syncAsked = isSent ? end : lane.syncAsked;
            lane.progressNs = isSent ? nowNs : lane.progressNs;
            return !isSent;
        }
        return false;
    }

    private boolean send(ShipLane lane, ShippedRun run, Outlet outlet) {
        final boolean isSynced = syncWanted > lane.syncAsked;
        final Backup to = lane.backup;
        RunMessage.write(run.memory, 0, new Run(owner.row().zone(), to.copy(), owner.row().epoch(), run.first,
            run.count()), self.incarnation(), to.node().incarnation(), isSynced, run.bytes - RunMessage.HEAD_BYTES,
            run.sum());
        if (!outlet.offer(to.node(), run.memory, run.bytes)) {
            return false;
        }
        run.isSent = true;
        lane.syncAsked = isSynced ? ZoneNumber.counter(run.last) : lane.syncAsked;
        return true;
    }

    /** Asks where a backup stands. */
    private boolean ask(ShipLane lane, Outlet outlet, boolean isSynced) {
        final Backup to = lane.backup;
        if (!lane.isKnown && lane.base != 0) {
            RunMessage.writeBegin(question, 0, new Run(owner.row().zone(), to.copy(), owner.row().epoch(), lane.base,
                0), self.incarnation(), to.node().incarnation());
            return outlet.offer(to.node(), question, RunMessage.HEAD_BYTES);
        }
        RunMessage.write(question, 0, new Run(owner.row().zone(), to.copy(), owner.row().epoch(), owner.next(), 0),
            self.incarnation(), to.node().incarnation(), isSynced, 0, 0);
        return outlet.offer(to.node(), question, RunMessage.HEAD_BYTES);
    }

    // ---- answers of backups ----

    /** Takes an answer. Returns whether there is more to send now. */
    boolean answered(RunAnswer answer, long nowNs) {
        final List<Consumer<Verdict>> due = new ArrayList<>();
        final boolean hasMore;
        synchronized (this) {
            final ShipLane lane = lane(answer.backup(), answer.copy());
            if (isEnded || lane == null || answer.owner() != self.incarnation()) {
                return false;
            }
            if (answer.kind() == RunAnswer.Kind.STALE) {        // one of the two has not seen the newest row yet
                lane.rewind(nowNs);
                lane.pausedUntilNs = nowNs + STALE_PAUSE_NS;
                return false;
            }
            acknowledge(lane, answer, nowNs);
            advance(due);
            hasMore = lane.next <= ZoneNumber.counter(lastCut);
        }
        due.forEach(then -> then.accept(Verdict.SERVED));
        return hasMore;
    }

    private @Nullable ShipLane lane(NodeRef node, int copy) {
        for (ShipLane lane : lanes) {
            if (lane.backup.node().equals(node) && lane.backup.copy() == copy) {
                return lane;
            }
        }
        return null;
    }

    private void acknowledge(ShipLane lane, RunAnswer answer, long nowNs) {
        final long counter = ZoneNumber.counter(answer.logged());
        if (counter > lane.acknowledged) {
            lane.arrived(runs.bytes(lane.acknowledged, Math.min(counter, lane.next - 1)));
            lane.acknowledged = counter;
            lane.progressNs = nowNs;
            lane.pauseNs = 0;
        }
        if (ZoneNumber.counter(answer.synced()) > lane.synced) {
            lane.synced = ZoneNumber.counter(answer.synced());
            lane.progressNs = nowNs;
        }
        lane.next = Math.max(lane.next, lane.acknowledged + 1);
        if (lane.isResumed && !lane.isKnown && !continues(lane.backup.copy(), answer.logged())) {
            lane.isBroken = true;
            departed.remove(lane.backup.copy());
        }
        lane.isKnown = true;
        if (answer.kind() != RunAnswer.Kind.ACKNOWLEDGED) {
            lane.rewind(nowNs);
            lane.pausedUntilNs = answer.kind() == RunAnswer.Kind.GAP ? nowNs : nowNs + lane.nextPauseNs();
        }
        owner = owner.acknowledged(answer.backup(), answer.copy(), answer.logged(), answer.synced());
    }

    /** Returns whether the changes here continue a departed copy with this last change. */
    private boolean continues(int copy, long last) {
        final Long known = departed.get(copy);
        if (known == null || Long.compareUnsigned(last, known) < 0) {
            return false;
        }
        final ShippedRun run = runs.at(ZoneNumber.counter(last));
        return last == known || run != null && ZoneNumber.epoch(run.first) == ZoneNumber.epoch(last)
            && ZoneNumber.counter(last) <= ZoneNumber.counter(run.last);
    }

    /** Collects the answers that may leave now, and gives back the memory of runs in all logs. */
    private void advance(List<Consumer<Verdict>> due) {
        acknowledged = ZoneNumber.counter(owner.answerable());
        logged.reached(acknowledged, due);
        synced.reached(ZoneNumber.counter(owner.synced()), due);
        release();
    }

    private void release() {
        long counter = ZoneNumber.counter(owner.acknowledged());
        for (long known : departed.values()) {
            counter = Math.min(counter, ZoneNumber.counter(known));
        }
        runs.release(counter, memory);
    }

    // ---- departed copies ----

    /** {@return whether the changes that a copy lacks are retained, so that a node can catch up from the copy} */
    public synchronized boolean retains(int copy) {
        return departed.containsKey(copy);
    }

    /**
     * Returns whether a backup has departed a short time ago, and its changes are retained: the node may come back.
     *
     * @param withinNs the short time
     * @param nowNs the time
     * @return whether it is worth waiting for the node
     */
    public synchronized boolean mayReturn(long withinNs, long nowNs) {
        return !departed.isEmpty() && nowNs - departedNs < withinNs;
    }

    /** Returns the memory of runs that only departed copies lack, in bytes. */
    synchronized long retainedBytes() {
        return departed.isEmpty() ? 0 : runs.memoryUpTo(ZoneNumber.counter(owner.acknowledged()));
    }

    /** Retains nothing for departed copies any more. */
    synchronized void retainNothing() {
        departed.clear();
        release();
    }

    /** Notes the copies of receivers that have left the row, and forgets the copies that the row does not name. */
    private void depart(ZoneOwner before, ZoneRow row, long nowNs) {
        for (ZoneOwner.Progress progress : before.backups()) {
            final Backup backup = progress.backup();
            final ShipLane lane = lane(backup.node(), backup.copy());
            final boolean isContinued = lane != null && lane.isKnown && !lane.isBroken
                && before.row().needsAll(backup);
            if (isContinued && row.receiver(backup.node()) == null) {
                departed.put(backup.copy(), progress.logged());
                departedNs = nowNs;
            }
        }
        departed.keySet().removeIf(copy -> row.kept().stream().noneMatch(kept -> kept.copy() == copy)
            && row.outdated().stream().noneMatch(outdated -> outdated.copy() == copy));
    }

    // ---- waiting answers ----

    /**
     * Asks the backups and learners to answer when their disks have a change, although no answer waits.
     *
     * @param counter counter of the change
     */
    public synchronized void wantSync(long counter) {
        syncWanted = Math.max(syncWanted, counter);
    }

    /**
     * Calls back when a counter is acknowledged.
     *
     * @param counter counter of the change
     * @param level BACKED or BACKED_SYNCED
     * @param then called once, with DEPOSED if the change never reaches the level here
     */
    public void await(long counter, WriteLevel level, Consumer<Verdict> then) {
        final boolean isEnd;
        synchronized (this) {
            final boolean isSynced = level == WriteLevel.BACKED_SYNCED;
            final long reached = isSynced ? owner.synced() : owner.answerable();
            isEnd = isEnded;
            if (!isEnded && ZoneNumber.counter(reached) < counter) {
                (isSynced ? synced : logged).add(counter, then);
                syncWanted = isSynced ? Math.max(syncWanted, counter) : syncWanted;
                return;
            }
        }
        then.accept(isEnd ? Verdict.DEPOSED : Verdict.SERVED);
    }

    // ---- configurations and time ----

    /**
     * Takes a newer row over. Returns false if the zone has another owner. A new learner gets the rest of the records.
     */
    boolean configured(ZoneRow row, long nowNs) {
        final List<Consumer<Verdict>> due = new ArrayList<>();
        synchronized (this) {
            final ZoneOwner next = owner.committed(lastCut).configured(row);
            if (next == null || isEnded) {
                return false;
            }
            if (row.version() > owner.row().version()) {
                depart(owner, row, nowNs);
                owner = next;
                final List<ShipLane> kept = new ArrayList<>();
                for (Backup backup : row.receivers()) {
                    final ShipLane known = lane(backup.node(), backup.copy());
                    kept.add(known != null ? known : new ShipLane(backup, windows.apply(backup.node()),
                        row.needsAll(backup) ? 0 : lastCut, row.isResumed(backup), nowNs));
                }
                lanes.stream().filter(lane -> !kept.contains(lane)).forEach(lane -> lane.arrived(lane.onTheWay));
                lanes = kept;
                lanes.forEach(lane -> lane.rewind(nowNs));      // a backup may have refused the old epoch
                advance(due);
            }
        }
        due.forEach(then -> then.accept(Verdict.SERVED));
        return true;
    }

    /** Sends runs again after a long time without progress. Returns whether there is something to send. */
    synchronized boolean tick(long nowNs) {
        boolean hasMore = false;
        for (ShipLane lane : lanes) {
            final boolean isAwaited = !lane.isKnown || lane.acknowledged < ZoneNumber.counter(lastCut)
                || lane.synced < syncWanted;
            if (isAwaited && nowNs - lane.progressNs >= ShipLane.RESEND_NS) {
                lane.rewind(nowNs);
                hasMore = true;
            }
        }
        return hasMore && !isEnded;
    }

    /** Sends everything to a node again: its session was lost. */
    synchronized boolean lost(int nid, long nowNs) {
        boolean hasMore = false;
        for (ShipLane lane : lanes) {
            if (lane.backup.node().nid() == nid) {
                lane.rewind(nowNs);
                hasMore = true;
            }
        }
        return hasMore && !isEnded;
    }

    /**
     * Returns the backups that lack a cut change for too long, or have not told their position for too long, and
     * learners with a copy that cannot be continued.
     */
    synchronized List<NodeRef> holdingUp(long longestNs, long nowNs) {
        final List<NodeRef> found = new ArrayList<>();
        for (ShipLane lane : lanes) {
            final ShippedRun run = runs.at(lane.acknowledged + 1);
            if (lane.isBroken || run != null && nowNs - Math.max(run.cutNs, lane.mayLackUntilNs()) >= longestNs
                || !lane.isKnown && nowNs - lane.beganNs >= longestNs) {
                found.add(lane.backup.node());
            }
        }
        return found;
    }

    /**
     * Returns whether answers wait for kept copies, which get no changes any more, and a backup has every change. The
     * answers of a zone without backups wait for a new backup.
     */
    synchronized boolean waitsForKept() {
        return !isEnded && !owner.kept().isEmpty() && !owner.row().backups().isEmpty()
            && logged.size() + synced.size() > 0;
    }

    /** {@return the counter that every backup of the row has; -1 if one has not said where it stands} */
    public synchronized long leastKnown() {
        long least = ZoneNumber.counter(owner.committed());
        for (ShipLane lane : lanes) {
            if (!lane.isKnown) {
                return -1;
            }
            least = Math.min(least, lane.acknowledged);
        }
        return least;
    }

    /** {@return number of answers that wait} */
    public synchronized int waiting() {
        return logged.size() + synced.size();
    }

    /** Ends the shipment: the node no longer owns the zone. All answers that wait must not leave. */
    void end() {
        final List<Consumer<Verdict>> due = new ArrayList<>();
        synchronized (this) {
            if (isEnded) {
                return;
            }
            isEnded = true;
            if (tap != null) {
                tap.end();
                tap = null;
            }
            logged.reached(Long.MAX_VALUE, due);
            synced.reached(Long.MAX_VALUE, due);
            lanes.forEach(lane -> lane.arrived(lane.onTheWay));
            lanes = List.of();
            runs.release(Long.MAX_VALUE, memory);
        }
        due.forEach(then -> then.accept(Verdict.DEPOSED));
    }

    /** Throws {@link IllegalStateException} if an invariant is broken. */
    synchronized void audit() {
        runs.audit(ZoneNumber.counter(lastCut));
        for (ShipLane lane : lanes) {
            final long expected = runs.bytes(lane.acknowledged, lane.next - 1);
            if (lane.next <= lane.acknowledged || lane.onTheWay != expected) {
                throw new IllegalStateException("zone " + owner.row().zone() + ": lane to " + lane.backup + " has "
                    + lane.onTheWay + " bytes on the way, not " + expected);
            }
        }
    }
}
