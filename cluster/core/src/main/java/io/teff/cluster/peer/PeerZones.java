package io.teff.cluster.peer;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.Hindrance;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.ship.Shipper;
import io.teff.cluster.ship.ZoneShipment;
import io.teff.cluster.slot.SlotLog;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import io.teff.engine.zone.Zones;
import io.teff.recovery.backup.ZoneCopy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Acts on the tables: does what the rows that name this node ask for. Thread-safe.
 *
 * <p><b>Level-triggered.</b> A row says what is to be done until the cell has noted that it was done. So each cycle
 * looks at the rows that have changed, and at those of which something is left; now and then at all of them. A lost
 * command or an error is repaired by the next cycle.
 *
 * <p><b>What is served.</b> A zone is served from the moment in which the row shows this node as owner in a served
 * state and the zone is in memory, until the row shows another one. The lease is a matter of the node, not of the zone.
 * A new zone is empty, because only its owner changes it, and this life was its owner from the begin: every other way
 * to a served state leads through RESTORING.
 */
final class PeerZones implements AutoCloseable {
    private static final long BUSY_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long ALL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long HELD_UP_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int TIMES_MAX = 1_024;
    /** A peer claims no zone unless it has memory for so many of full size. */
    private static final int ZONES_OF_ROOM = 2;

    private final NodeRef self;
    private final Tables tables;
    private final Zones zones;
    private final Shipper shipper;
    private final BackupService backups;
    private final CopyLog log;
    private final CellCommands commands;
    private final Restores pool;
    private final ZoneDemand demand;
    private final ZoneClaims claims;
    private final Refills refills;
    private final SlotLog slotLog;
    private final NodeLog events;
    private final Runnable refresh;
    private final long zoneBytesMax;
    private final Clock clock;
    private final AtomicReferenceArray<@Nullable ChunkStore> served =
        new AtomicReferenceArray<>(ZoneRow.ZONE_MAX + 1);
    /** Of each zone that is served; set before and cleared after it. */
    private final AtomicReferenceArray<@Nullable SlotTable> slots = new AtomicReferenceArray<>(ZoneRow.ZONE_MAX + 1);
    private final Queue<ZoneRow> changed = new ConcurrentLinkedQueue<>();
    private final Queue<ZonesReply> replies = new ConcurrentLinkedQueue<>();
    private final BooleanSupplier holdsLease;
    private final LongSupplier freeBytes;
    private final Thread thread;
    private volatile List<String> problems = List.of();
    private volatile boolean isWanted;
    private volatile boolean isClosed;

    // ---- of the thread that acts ----
    private final Map<Integer, ZoneRow> unfinished = new HashMap<>();
    private final Map<Integer, ZoneRecovery> recoveries = new HashMap<>();
    private final Map<Integer, HandingOver> handingOver = new HashMap<>();
    private final Map<Integer, Long> heldUp = new HashMap<>();
    private final Map<Integer, String> faults = new HashMap<>();
    /** Sentences about the zones of this node that have few epochs left. */
    private List<String> nearTheirEnd = List.of();
    private long lookedNs;
    /** Guarded by itself. */
    private final Deque<RecoveryTimes> times = new ArrayDeque<>();

    private record ZonesReply(Command.NewZones to, CommandReply reply) {}

    /**
     * A zone that is served no more, so that its heir can own it; what is needed if it is served again.
     *
     * @param epoch the last epoch in which it was not served any more
     */
    private record HandingOver(ChunkStore view, SlotTable slots, int epoch) {}

    /** The parts of a peer that this one works with. */
    record Parts(NodeRef self, Tables tables, Zones zones, Shipper shipper, BackupService backups, CopyLog log,
                 CellCommands commands, Restores pool, ZoneDemand demand, ZoneClaims claims, Refills refills,
                 SlotLog slotLog, NodeLog events, Runnable refresh, BooleanSupplier holdsLease,
                 LongSupplier freeBytes) {}

    PeerZones(Parts parts, long zoneBytesMax, Clock clock) {
        self = parts.self();
        tables = parts.tables();
        zones = parts.zones();
        shipper = parts.shipper();
        backups = parts.backups();
        log = parts.log();
        commands = parts.commands();
        pool = parts.pool();
        demand = parts.demand();
        claims = parts.claims();
        refills = parts.refills();
        slotLog = parts.slotLog();
        events = parts.events();
        refresh = parts.refresh();
        holdsLease = parts.holdsLease();
        freeBytes = parts.freeBytes();
        this.zoneBytesMax = zoneBytesMax;
        this.clock = clock;
        lookedNs = clock.nowNs() - ALL_NS;
        thread = Threads.SYSTEM.create("teff-zones-" + self.nid(), this::run);
    }

    void start() {
        refills.start();
        thread.start();
    }

    /** Notes changed rows; on a thread that must not wait. */
    void changed(List<ZoneRow> rows) {
        changed.addAll(rows);
        wake();
    }

    void wake() {
        isWanted = true;
        LockSupport.unpark(thread);
    }

    /** Returns the chunks of a zone that this node owns, or null. Whether it holds its lease is not asked. */
    @Nullable ChunkStore served(int zone) {
        return zone < 0 || zone > ZoneRow.ZONE_MAX ? null : served.get(zone);
    }

    /** Returns the slots of a zone that this node owns, or null. */
    @Nullable SlotTable slots(int zone) {
        return zone < 0 || zone > ZoneRow.ZONE_MAX ? null : slots.get(zone);
    }

    // ---- the cycle ----

    private void run() {
        while (!isClosed) {
            final long restNs = cycle();
            if (!isWanted && !isClosed) {
                Threads.rest(this, restNs);
            }
        }
    }

    /** Returns whether there is work that the next cycle should not wait for. */
    boolean isWanted() {
        return isWanted;
    }

    /** Does what is to be done now, and returns how long to rest unless woken; for one thread at a time. */
    long cycle() {
        isWanted = false;
        final long nowNs = clock.nowNs();
        if (nowNs - lookedNs >= ALL_NS) {
            lookedNs = nowNs;
            tables.zones().forEach(this::act);
            fillUp();
            removeSlots();
            nearTheirEnd = tables.zones().stream().filter(row -> row.isOwnedBy(self) && row.isNearItsEnd())
                .map(row -> "zone " + row.zone() + " has had configuration " + row.epoch() + " of "
                    + ZoneRow.EPOCH_LAST + ", so it gets no new backups: copy its chunks to other zones in time")
                .toList();
        }
        for (ZoneRow row = changed.poll(); row != null; row = changed.poll()) {
            final ZoneRow newest = tables.zone(row.zone());
            act(newest == null ? row : newest);
        }
        for (ZoneRow row : List.copyOf(unfinished.values())) {
            final ZoneRow newest = tables.zone(row.zone());
            act(newest == null ? row : newest);
        }
        for (ZonesReply reply = replies.poll(); reply != null; reply = replies.poll()) {
            demand.replied(reply.to(), reply.reply(), nowNs);
        }
        final Command.NewZones request = holdsLease.getAsBoolean() ? demand.due(tables, tables.zones(), nowNs) : null;
        if (request != null) {
            commands.send(request, reply -> replies.add(new ZonesReply(request, reply)));
        }
        if (holdsLease.getAsBoolean()) {
            claim(nowNs);
            refills.look(tables, zone -> served.get(zone) != null, nowNs);
        }
        problems = newProblems();
        if (unfinished.isEmpty()) {
            return IDLE_NS;
        }
        refresh.run();
        return BUSY_NS;
    }

    private void claim(long nowNs) {
        final Command claim = claims.due(tables,
            () -> freeBytes.getAsLong() >= ZONES_OF_ROOM * zoneBytesMax, nowNs);
        if (claim != null) {
            commands.send(claim);
        }
    }

    /** Returns why recoveries and rows are not done, and new zones are not given. */
    private List<String> newProblems() {
        final List<String> all = new ArrayList<>(faults.values());
        final String refusal = demand.problem();
        if (refusal != null) {
            all.add(refusal);
        }
        addHeldUp(all);
        all.addAll(nearTheirEnd);
        for (ZoneRecovery recovery : recoveries.values()) {
            final String problem = recovery.problem();
            if (problem != null) {
                all.add(problem);
            }
        }
        return all;
    }

    /** Adds the zones whose changes wait for a backup that takes nothing, and is not given up as it is the only one. */
    private void addHeldUp(List<String> all) {
        final long nowNs = clock.nowNs();
        synchronized (heldUp) {
            heldUp.values().removeIf(lastNs -> nowNs - lastNs > 4 * HELD_UP_PAUSE_NS);
            for (int zone : heldUp.keySet()) {
                final ZoneRow row = tables.zone(zone);
                if (row != null && row.isOwnedBy(self) && row.backups().size() == 1) {
                    all.add("changes of zone " + zone + " wait for its only backup, node "
                        + row.backups().getFirst().node() + ": it takes nothing, as its disk is full, or it is not"
                        + " reached");
                }
            }
        }
    }

    /** Acts on a row. A failure of one zone does not stop the others; the next cycle tries that zone again. */
    private void act(ZoneRow row) {
        try {
            actNow(row);
            faults.remove(row.zone());
        } catch (RuntimeException e) {
            unfinished.put(row.zone(), row);
            final String text = "zone " + row.zone() + ": " + FailureText.of(e);
            if (!text.equals(faults.put(row.zone(), text))) {   // once, not in each cycle
                events.log(NodeEvent.ZONE_FAILED, text);
            }
        }
    }

    private void actNow(ZoneRow row) {
        unfinished.remove(row.zone());
        if (row.isOwnedBy(self)) {
            if (row.state() == ZoneState.RESTORING) {
                restore(row);
            } else {
                serve(row);
            }
            return;
        }
        final ZoneShipment known = shipper.zone(row.zone());
        if (known != null && row.version() > known.owner().row().version()) {
            depose(row.zone());
        }
        final Backup mine = row.backup(self);
        if (mine != null && row.state().isFenced()) {
            fence(row, mine);
        } else {
            if (mine == null || row.state().isServed()) {
                recoveries.remove(row.zone());
            }
            comeBack(row);
            backups.dropUnneeded(row);
        }
    }

    /** Offers the copy of an earlier life to a zone that waits for it. */
    private void comeBack(ZoneRow row) {
        final Backup kept = row.state() == ZoneState.WAITING && !row.isUsedUp() ? row.keptBefore(self) : null;
        if (kept != null) {
            unfinished.put(row.zone(), row);
            commands.send(backups.returned(row, kept));
        }
    }

    // ---- candidates ----

    private void fence(ZoneRow row, Backup mine) {
        final ZoneRecovery recovery = recovery(row.zone());
        final long last = backups.fence(row, mine);
        final boolean isReported = row.reports().stream().anyMatch(report -> report.node().equals(self));
        if (row.state() == ZoneState.FENCING || !isReported) {  // a zone that waits for others may wait for long
            unfinished.put(row.zone(), row);
        }
        if (!isReported) {
            commands.send(new Command.Fenced(row.zone(), row.epoch(), self, last), _ -> { });
        }
        if (recovery.fenced(clock.nowNs())) {
            events.log(NodeEvent.ZONE_FENCED, "zone " + row.zone() + " is fenced in epoch " + row.epoch()
                + ": its backup here takes no changes of an earlier owner");
        }
    }

    private ZoneRecovery recovery(int zone) {
        return recoveries.computeIfAbsent(zone, _ -> new ZoneRecovery(zone, clock.nowNs(), clock.epochMs()));
    }

    // ---- owners ----

    private void restore(ZoneRow row) {
        unfinished.put(row.zone(), row);
        final ZoneRecovery recovery = recovery(row.zone());
        final Backup own = row.keptOf(self);
        if (own != null) {
            backups.adopt(row, own);
        }
        final long last = backups.last(row.zone());
        if (recovery.shipment() == null) {
            recovery.chosen(shipper.open(row, last), clock.nowNs());
        }
        shipper.configured(row);
        if (recovery.isDue(clock.nowNs())) {
            read(row, recovery, last);
        }
        for (NodeRef behind : recovery.addTail(log, backups.name(row.zone()), clock.nowNs())) {
            events.log(NodeEvent.BACKUP_GIVEN_UP, "zone " + row.zone() + " goes on without its backup at node "
                + behind.nid() + ": this node cannot send the changes that the backup lacks");
            commands.send(new Command.BackupFailed(row.zone(), row.epoch(), behind));
        }
        if (recovery.isRestored(clock.nowNs())) {
            commands.send(new Command.Owned(row.zone(), row.epoch(), self));
        }
    }

    /** Has the zone read into memory, or asks for another owner if this node cannot do that. */
    private void read(ZoneRow row, ZoneRecovery recovery, long last) {
        final ZoneCopy own = backups.name(row.zone());
        final Hindrance hindrance = recovery.hindrance();
        final ZoneRow.Obstacle known = row.obstacleOf(self);
        final boolean isKnown = known != null && known.hindrance() == hindrance;    // there is no other candidate
        final ZoneCopy kept = recovery.isShipped() ? own : null;    // after that this node's copy stays a backup
        final long neededBytes = recovery.neededBytes();
        final long free = neededBytes == 0 ? 0 : freeBytes.getAsLong();
        final boolean isShort = hindrance == Hindrance.MEMORY && neededBytes > free;
        if (hindrance == Hindrance.DAMAGE && !isKnown) {
            commands.send(new Command.CannotRestore(row.zone(), row.epoch(), self, 0, hindrance, 0, 0));
        } else if (isShort && kept != null) {
            commands.send(new Command.CannotRestore(row.zone(), row.epoch(), self, kept.copy(), Hindrance.MEMORY,
                neededBytes, free));
        } else if (hindrance == Hindrance.DISK && !isKnown && kept != null) {
            commands.send(new Command.CannotRestore(row.zone(), row.epoch(), self, kept.copy(), hindrance, 0, 0));
        } else if (!isShort) {
            if (neededBytes == 0 || recoveries.values().stream().noneMatch(ZoneRecovery::isReading)) {
                recovery.beginReading(clock.nowNs());
                pool.run(threads -> {
                    recovery.read(zones, log, own, last, threads, tables::hasEnded, clock);
                    wake();
                });
            }
            return;                                             // or its turn comes when another zone has been read
        }
        recovery.postpone(clock.nowNs());
    }

    private void serve(ZoneRow row) {
        final HandingOver handing = handingOver.get(row.zone());
        if (row.isHandedOver() && (handing != null || served.get(row.zone()) != null)) {
            handOver(row);
            return;
        }
        if (handing != null) {
            serveAgain(row, handing);
            return;
        }
        if (served.get(row.zone()) != null) {
            shipper.configured(row);
            return;
        }
        final ZoneRecovery recovery = recoveries.remove(row.zone());
        if (recovery == null) {
            shipper.open(row, 0);
            slots.set(row.zone(), new SlotTable(row.zone(), tables::hasEnded));
            served.set(row.zone(), zones.add(row.zone()));
            events.log(NodeEvent.ZONE_SERVED, "zone " + row.zone() + " is new and served in epoch " + row.epoch());
            return;
        }
        shipper.configured(row);
        final SlotTable restored = recovery.slots();
        if (restored != null) {
            restored.locks().begin(clock.nowNs());
        }
        slots.set(row.zone(), restored);
        served.set(row.zone(), recovery.view());
        final RecoveryTimes done = recovery.served(row, clock.nowNs(), zones.stats(row.zone()).chunks());
        synchronized (times) {
            times.addLast(done);
            if (times.size() > TIMES_MAX) {
                times.removeFirst();
            }
        }
        done.emit(self.nid());
        done.log(events);
    }

    /**
     * Ends serving the zone, and says so when all backups have everything: then its heir may own it. Operations that
     * have begun before find that it is not served when they are done, and a change that the heir lacks then is never
     * acknowledged.
     */
    private void handOver(ZoneRow row) {
        unfinished.put(row.zone(), row);
        shipper.configured(row);
        final HandingOver known = handingOver.get(row.zone());
        final ChunkStore view = known != null ? known.view() : served.get(row.zone());
        final SlotTable table = known != null ? known.slots() : slots.get(row.zone());
        if (view == null || table == null) {
            return;
        }
        served.set(row.zone(), null);
        slots.set(row.zone(), null);
        if (handingOver.put(row.zone(), new HandingOver(view, table, row.epoch())) == null) {
            events.log(NodeEvent.ZONE_HANDED_OVER, "zone " + row.zone() + " is not served any more: it moves to another"
                + " node in epoch " + row.epoch());
        }
        shipper.kick();
        if (shipper.isAcknowledged(row.zone())) {
            commands.send(new Command.HandOver(row.zone(), row.epoch(), self));
        }
    }

    /**
     * Serves a zone again whose heir has failed. A command that hands it over may still be on its way; it names an
     * epoch that is over, because a row loses its heir only with its epoch.
     */
    private void serveAgain(ZoneRow row, HandingOver handing) {
        shipper.configured(row);
        if (row.epoch() <= handing.epoch()) {
            throw new IllegalStateException("zone " + row.zone() + " has lost its heir in epoch " + row.epoch());
        }
        handing.slots().locks().begin(clock.nowNs());           // none could be renewed meanwhile
        slots.set(row.zone(), handing.slots());
        served.set(row.zone(), handing.view());
        handingOver.remove(row.zone());
        events.log(NodeEvent.ZONE_SERVED, "zone " + row.zone() + " is served again in epoch " + row.epoch()
            + ": the node that it was to move to has failed");
    }

    /** The zone has another owner, or none: what this node has of it in memory is worthless. */
    private void depose(int zone) {
        served.set(zone, null);
        final SlotTable table = slots.getAndSet(zone, null);
        final HandingOver handing = handingOver.remove(zone);
        final SlotTable last = handing == null ? table : handing.slots();
        if (last != null) {
            last.locks().close();
        }
        final ZoneRecovery recovery = recoveries.remove(zone);
        if (recovery != null) {
            recovery.abandon();                                 // a thread may be reading
        }
        shipper.end(zone);
        zones.drop(zone);
    }

    /** Reports the open zones that have reached their size. */
    private void fillUp() {
        for (ZoneRow row : tables.zones()) {
            if (row.isOwnedBy(self) && row.state() == ZoneState.OPEN && served.get(row.zone()) != null
                && zones.stats(row.zone()).takenBytes() >= zoneBytesMax) {
                commands.send(new Command.ZoneFull(row.zone(), row.epoch()));
            }
        }
    }

    /** Removes the slots of sessions that have ended, and ends the locks of these sessions, and those not renewed. */
    private void removeSlots() {
        for (ZoneRow row : tables.zones()) {
            final SlotTable of = slots.get(row.zone());
            if (of != null && holdsLease.getAsBoolean()) {
                endLocks(of);
                removeSlots(of, of.ended());
            }
        }
    }

    private void endLocks(SlotTable of) {
        final ZoneRow row = tables.zone(of.zone());
        final ChunkStore store = served.get(of.zone());
        if (of.locks().size() > 0 && store != null && row != null && row.isOwnedBy(self) && row.state().isServed()) {
            of.locks().sweep(store, slotLog, clock.nowNs());
            shipper.kick();
        }
    }

    /**
     * Removes the slots of sessions. The tables that say that a session has ended have the zone's row of that moment,
     * too. If it still names this node, every later owner learns of the end of the session before it owns the zone, so
     * that none executes a late request whose slot is gone.
     */
    private void removeSlots(SlotTable of, List<Integer> ended) {
        final ZoneRow row = tables.zone(of.zone());
        if (ended.isEmpty() || row == null || !row.isOwnedBy(self) || !row.state().isServed()) {
            return;
        }
        try {
            of.remove(ended, slotLog);
            shipper.kick();
        } catch (StoreException e) {
            if (e.category() == StoreException.Category.FATAL) {
                throw e;
            }                                                   // else the next look goes on
        }
    }

    /** Asks for a configuration without a backup that holds up writes; on the thread that ships. */
    void holdsUp(ZoneRow row, NodeRef backup) {
        final long nowNs = clock.nowNs();
        synchronized (heldUp) {
            final Long last = heldUp.get(row.zone());
            if (last != null && nowNs - last < HELD_UP_PAUSE_NS) {
                return;
            }
            heldUp.put(row.zone(), nowNs);
        }
        refills.avoid(backup);
        events.log(NodeEvent.BACKUP_GIVEN_UP, "zone " + row.zone() + " asks for another backup than node "
            + backup.nid() + ", which has not acknowledged changes for too long");
        commands.send(new Command.BackupFailed(row.zone(), row.epoch(), backup));
    }

    /** Asks for a row without the kept copies, which lack what answers wait for; on any thread. */
    void doWithout(ZoneRow row) {
        if (row.state().isServed()) {
            commands.send(new Command.DoWithout(row.zone(), row.epoch()));
        }
    }

    // ---- numbers for people ----

    /** Returns why zones that this node is to restore are not in its memory, or it gets no new ones, in sentences. */
    List<String> problems() {
        return problems;
    }

    /** Returns the timelines of the last recoveries, oldest first. */
    List<RecoveryTimes> times() {
        synchronized (times) {
            return new ArrayList<>(times);
        }
    }

    /** Returns the number of zones that are served. */
    int servedCount() {
        int count = 0;
        for (int zone = 0; zone <= ZoneRow.ZONE_MAX; zone++) {
            count += served.get(zone) == null ? 0 : 1;
        }
        return count;
    }

    /** Ends acting; what is served remains as it is. Idempotent. */
    @Override
    public void close() {
        isClosed = true;
        wake();
        Threads.join(thread);
        refills.close();
    }
}
