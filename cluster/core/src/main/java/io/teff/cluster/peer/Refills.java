package io.teff.cluster.peer;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CopyState;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.ship.Shipper;
import io.teff.cluster.ship.ZoneShipment;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.cluster.zone.ZoneOwner;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import io.teff.engine.zone.Zones;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Gives the zones of an owner new backups in place of lost backups.
 * <pre>
 *  row with too few backups
 *     | AddBackup
 *     v
 *  row with a learner: the owner ships to the learner from now on, and counts its acknowledgements
 *     | records the zone once more (Refill)
 *     v
 *  the learner's disk has everything
 *     | Learned
 *     v
 *  row with a backup more
 * </pre>
 * <b>Level-triggered.</b> Each look compares the rows with the work under way, so a lost command is repaired by the
 * next look. Work begins after a time without a recovery and without a change of the set of peers: first all zones are
 * served again. The time is the time after which a peer asks for zones. A zone that no node can restore now keeps no
 * zone waiting, nor does a long recovery. A few zones are under way at a time, with a single learner each, zones with
 * the fewest backups first. A zone without backups does not wait for that time, because its changes wait.
 *
 * <p><b>Threads.</b> Methods belong to the thread that acts on the tables, unless stated. Recording has a separate
 * thread. This thread rests as long as it works, and keeps to {@link CopyRate}, so recording takes at most half of a
 * processor, unless changes of a zone wait for a backup.
 *
 * <p><b>Nodes that hold up writes.</b> A zone waits for a learner as for a backup. So a node that has held up writes,
 * because its disk is full, becomes no learner for a while. The while doubles each time. Otherwise the node, with the
 * fewest copies, would be chosen again and again, and would hold up all zones in turn.
 */
final class Refills implements AutoCloseable {
    private static final int ZONES_MAX = 4;
    private static final long LOOK_NS = 100_000_000L;
    private static final long PAUSE_NS = 1_000_000L;
    /** A recording may fill this part of the kept bytes at which changes are refused. */
    private static final int KEPT_SHARE = 8;
    /** No work waits for a longer recovery. */
    private static final long RESTLESS_NS_MAX = TimeUnit.SECONDS.toNanos(30);
    private static final long AVOIDED_NS_MIN = TimeUnit.SECONDS.toNanos(2);
    private static final long AVOIDED_NS_MAX = TimeUnit.MINUTES.toNanos(5);
    /** A zone with another backup gets no new one in this time: the ended node may come back with its copy. */
    private static final long RETURN_NS = TimeUnit.SECONDS.toNanos(5);

    private final NodeRef self;
    private final int backups;
    private final long settleNs;
    private final Zones zones;
    private final IntFunction<@Nullable SlotTable> slots;
    private final ShipRing ring;
    private final Shipper shipper;
    private final CellCommands commands;
    private final Clock clock;
    private final NodeLog events;
    private final Map<Integer, Refill> refills = new HashMap<>();
    /** Learners with earlier copies, and the counters up to which they need everything. */
    private final Map<Resumed, Long> resumed = new HashMap<>();
    private final Thread thread;
    /** Nodes that have held up writes; the thread that ships adds entries. */
    private final Map<NodeRef, Avoided> avoided = new ConcurrentHashMap<>();
    private Set<NodeRef> peers = Set.of();
    /** Peers that are being unloaded: their copies need replacement. */
    private Set<NodeRef> unloaded = Set.of();
    /** Since when there has always been a recovery. */
    private long restlessSinceNs;
    private long calmSinceNs;
    private long lookedNs;
    /** Guarded by itself, as the flag. */
    private final Deque<Refill> waiting = new ArrayDeque<>();
    /** Of the thread that records. */
    private final CopyRate rate;
    private volatile boolean isClosed;
    /** Whether changes of a zone wait for a backup. */
    private volatile boolean isUrgent;

    /** How long a node becomes no learner. */
    private record Avoided(long untilNs, long forNs) {}

    /** A learner with an earlier copy of a zone. */
    private record Resumed(int zone, Backup learner) {}

    /**
     * Begins without work.
     *
     * @param self this life of the node
     * @param config the peer's configuration
     * @param zones the zones in memory
     * @param slots the slots of a zone in memory, or null
     * @param ring takes the records
     * @param shipper ships the records
     * @param commands sends commands
     */
    Refills(NodeRef self, PeerConfig config, Zones zones, IntFunction<@Nullable SlotTable> slots, ShipRing ring,
            Shipper shipper, CellCommands commands) {
        this.self = self;
        this.zones = zones;
        this.slots = slots;
        this.ring = ring;
        this.shipper = shipper;
        this.commands = commands;
        backups = config.backups();
        settleNs = config.settleNs();
        clock = config.platform().clock();
        events = config.log();
        rate = new CopyRate(config.copyRate(), clock.nowNs());
        calmSinceNs = clock.nowNs();
        restlessSinceNs = calmSinceNs;
        lookedNs = calmSinceNs;
        thread = config.platform().threads().create("teff-refill-" + self.nid(), this::run);
    }

    void start() {
        thread.start();
    }

    // ---- looking at the tables ----

    /** Acts on the rows, a few times a second. */
    void look(Tables tables, IntPredicate isServed, long nowNs) {
        if (nowNs - lookedNs < LOOK_NS) {
            return;
        }
        lookedNs = nowNs;
        boolean isRestored = true;
        final List<ZoneRow> own = new ArrayList<>();
        for (ZoneRow row : tables.zones()) {
            isRestored &= row.state() != ZoneState.FENCING && row.state() != ZoneState.RESTORING
                || row.obstacle() != null;
            if (row.isOwnedBy(self) && row.state().isServed() && isServed.test(row.zone())) {
                own.add(row);
            }
        }
        restlessSinceNs = isRestored ? nowNs : restlessSinceNs;
        final boolean isWaitedFor = !isRestored && nowNs - restlessSinceNs < RESTLESS_NS_MAX;
        calmSinceNs = hasNewPeers(tables) || isWaitedFor ? nowNs : calmSinceNs;
        own.forEach(this::goOn);
        forget(own);
        own.forEach(row -> resume(row, tables, nowNs));
        isUrgent = own.stream().anyMatch(ZoneRow::awaitsBackup);
        addBackups(own, nowNs - calmSinceNs >= settleNs, nowNs);
    }

    /** Notes that a node has held up writes. Thread-safe. */
    void avoid(NodeRef node) {
        final long nowNs = clock.nowNs();
        avoided.compute(node, (_, known) -> {
            final long forNs = known == null ? AVOIDED_NS_MIN : nowNs - known.untilNs() < 0 ? known.forNs()
                : Math.min(2 * known.forNs(), AVOIDED_NS_MAX);
            return new Avoided(nowNs + forNs, forNs);
        });
    }

    private List<NodeRef> avoided(long nowNs) {
        avoided.keySet().retainAll(peers);
        return avoided.entrySet().stream().filter(entry -> nowNs - entry.getValue().untilNs() < 0)
            .map(Map.Entry::getKey).sorted().toList();
    }

    private boolean hasNewPeers(Tables tables) {
        final Set<NodeRef> now = new TreeSet<>();
        unloaded = new HashSet<>();
        for (NodeRow row : tables.nodes()) {
            if (row.isUnloaded()) {
                unloaded.add(row.reference());
            }
            if (row.isAlive() && row.roles().takesBackups() && row.nid() != self.nid()) {
                now.add(row.reference());
            }
        }
        final boolean isNew = !now.equals(peers);
        peers = now;
        return isNew;
    }

    /** Asks for backups of all zones, or only of the zones whose changes wait for a backup. */
    private void addBackups(List<ZoneRow> own, boolean isCalm, long nowNs) {
        final List<NodeRef> without = avoided(nowNs);
        long underWay = own.stream().filter(row -> !row.learners().isEmpty()).count();
        own.sort(Comparator.comparingInt(row -> row.backups().size()));
        for (ZoneRow row : own) {
            giveUpSurplus(row);
            if ((isCalm || row.awaitsBackup()) && underWay < ZONES_MAX && row.learners().isEmpty()
                && count(row) < backups
                && !row.isNearItsEnd() && !mayReturn(row, nowNs)
                && peers.stream().anyMatch(peer -> !row.hasBackup(peer) && !without.contains(peer))) {
                commands.send(new Command.AddBackup(row.zone(), row.epoch(), without));
                underWay++;
            }
        }
    }

    /** Returns the number of backups, without backups at peers that are being unloaded. */
    private int count(ZoneRow row) {
        return (int) row.backups().stream().filter(backup -> !unloaded.contains(backup.node())).count();
    }

    /** Gives up a backup at a peer that is being unloaded, if the zone has enough backups without it. */
    private void giveUpSurplus(ZoneRow row) {
        if (row.backups().size() > backups && count(row) >= backups && row.heir() == null) {
            row.backups().stream().map(Backup::node).filter(unloaded::contains).findFirst().ifPresent(node ->
                commands.send(new Command.BackupFailed(row.zone(), row.epoch(), node)));
        }
    }

    private boolean mayReturn(ZoneRow row, long nowNs) {
        final ZoneShipment shipment = shipper.zone(row.zone());
        return shipment != null && !row.backups().isEmpty() && shipment.mayReturn(RETURN_NS, nowNs);
    }

    /** Makes nodes learners that have come back with a copy, if the changes that the copy lacks are retained. */
    private void resume(ZoneRow row, Tables tables, long nowNs) {
        final ZoneShipment shipment = shipper.zone(row.zone());
        if (shipment == null || row.backups().size() >= backups || row.isNearItsEnd()
            || row.kept().isEmpty() && row.outdated().isEmpty()) {
            return;
        }
        final List<NodeRef> without = avoided(nowNs);
        for (NodeRow node : tables.nodes()) {
            final NodeRef life = node.reference();
            final Backup copy = node.isAlive() && !node.isUnloaded() && !life.equals(self) ? row.resumable(life) : null;
            if (copy != null && copy.node().incarnation() <= life.incarnation() && row.receiver(life) == null
                && !without.contains(life) && shipment.retains(copy.copy())) {
                commands.send(new Command.Returned(row.zone(), row.epoch(), life, copy.copy(), 0, CopyState.WHOLE));
                return;                                         // the next row may have another one
            }
        }
    }

    /** Goes on with the learners of a zone. */
    private void goOn(ZoneRow row) {
        for (Backup learner : row.learners()) {
            final ZoneOwner.Progress progress = progress(row.zone(), learner);
            if (progress == null) {
                continue;                                       // the owner does not ship to the learner yet
            }
            if (row.isResumed(learner)) {
                catchUp(row, learner, progress);
            } else {
                record(row, learner, progress);
            }
        }
    }

    /** Reports that a learner with an earlier copy has everything that it lacked. */
    private void catchUp(ZoneRow row, Backup learner, ZoneOwner.Progress progress) {
        final Resumed key = new Resumed(row.zone(), learner);
        final long end = resumed.computeIfAbsent(key, _ -> ZoneNumber.counter(ring.now(row.zone())));
        if (ZoneNumber.counter(progress.synced()) >= end) {
            commands.send(new Command.Learned(row.zone(), row.epoch(), learner.node()));
        } else if (ZoneNumber.counter(progress.logged()) >= end) {
            sync(row.zone(), end);
        }
    }

    /** Begins to record a zone that has a learner, or reports that the learner has everything. */
    private void record(ZoneRow row, Backup learner, ZoneOwner.Progress progress) {
        final Refill known = refills.get(row.zone());
        if (known == null || !known.learner().equals(learner) || known.isGivenUp()) {
            final Refill next = new Refill(row.zone(), learner);
            refills.put(row.zone(), next);
            if (known != null) {
                known.giveUp();
            }
            synchronized (waiting) {
                waiting.addLast(next);
                waiting.notifyAll();
            }
        } else if (!known.isRecordedUpTo(ZoneNumber.counter(progress.synced()))) {
            if (known.isRecordedUpTo(ZoneNumber.counter(progress.logged()))) {
                sync(row.zone(), known.end());
            }
        } else {
            commands.send(new Command.Learned(row.zone(), row.epoch(), learner.node()));
            avoided.remove(learner.node());
        }
    }

    /** Asks the disks to sync: after a power cut the copy must be the whole zone, too. */
    private void sync(int zone, long counter) {
        final ZoneShipment shipment = shipper.zone(zone);
        if (shipment != null) {
            shipment.wantSync(counter);
            shipper.kick();
        }
    }

    private ZoneOwner.@Nullable Progress progress(int zone, Backup learner) {
        final ZoneShipment shipment = shipper.zone(zone);
        if (shipment != null) {
            for (ZoneOwner.Progress progress : shipment.owner().backups()) {
                if (progress.backup().equals(learner)) {
                    return progress;
                }
            }
        }
        return null;
    }

    /** Ends the work without a row. */
    private void forget(List<ZoneRow> own) {
        final Set<Integer> wanted = new HashSet<>();
        for (ZoneRow row : own) {
            final Refill known = refills.get(row.zone());
            if (known != null && row.learners().contains(known.learner())) {
                wanted.add(row.zone());
            }
        }
        refills.forEach((zone, refill) -> {
            if (!wanted.contains(zone)) {
                refill.giveUp();
            }
        });
        refills.keySet().retainAll(wanted);
        final Set<Resumed> learning = new HashSet<>();
        own.forEach(row -> row.learners().forEach(learner -> learning.add(new Resumed(row.zone(), learner))));
        resumed.keySet().retainAll(learning);
    }

    // ---- the thread that records ----

    private void run() {
        while (await()) {
            final long begunNs = clock.nowNs();
            try {
                work();
            } catch (RuntimeException e) {                      // the zone begins anew; other zones go on
                events.fault("a zone's chunks were copied to a new backup", e);
            }
            final long nowNs = clock.nowNs();
            clock.pause(this, isUrgent ? PAUSE_NS : Math.max(rate.waitNs(nowNs), Math.max(PAUSE_NS, nowNs - begunNs)));
        }
    }

    /** Records a part of a zone with a learner, unless many earlier records are not acknowledged. */
    void work() {
        final Refill next = shipper.keptBytes() <= ring.capacity() / KEPT_SHARE ? first() : null;
        if (next != null) {
            rate.took(next.step(zones, slots, ring), clock.nowNs());
            shipper.kick();
        }
    }

    /** Returns the first recording under way that can go on, or null. */
    private @Nullable Refill first() {
        final List<Refill> all;
        synchronized (waiting) {
            waiting.removeIf(Refill::isOver);
            all = List.copyOf(waiting);
        }
        for (Refill refill : all) {
            if (canGoOn(refill)) {
                return refill;
            }
        }
        return null;
    }

    /**
     * Returns whether recording a zone has a use. A recorded chunk keeps reads waiting until all receivers have the
     * chunk. So the learner must have taken the mark. A backup that takes nothing is given up if there is a second
     * backup: recording does not wait for the backup if the whole zone can be recorded meanwhile.
     */
    private boolean canGoOn(Refill refill) {
        final ZoneShipment shipment = shipper.zone(refill.zone());
        boolean areAllMarked = true;
        boolean isLearnerMarked = shipment == null;             // a step finds that the zone is gone
        if (shipment != null) {
            for (ZoneOwner.Progress progress : shipment.owner().backups()) {
                final boolean isMarked = refill.isMarkedAt(ZoneNumber.counter(progress.logged()));
                areAllMarked &= isMarked;
                isLearnerMarked |= isMarked && progress.backup().equals(refill.learner());
            }
        }
        return isLearnerMarked && (areAllMarked || isSmall(refill.zone()));
    }

    /** Returns whether a zone can be recorded as a whole while nothing is acknowledged. */
    private boolean isSmall(int zone) {
        try {
            return zones.stats(zone).takenBytes() <= ring.capacity() / KEPT_SHARE;
        } catch (NoSuchElementException | IllegalStateException _) {
            return true;                                        // a step finds that the zone, or the store, is gone
        }
    }

    /** Waits for a zone to record; returns false at the end. */
    private boolean await() {
        synchronized (waiting) {
            while (waiting.isEmpty() && !isClosed) {
                try {
                    waiting.wait();
                } catch (InterruptedException e) {
                    Threads.dropInterrupt();                    // means nothing to this thread
                }
            }
            return !isClosed;
        }
    }

    /** Ends the thread. Idempotent. */
    @Override
    public void close() {
        synchronized (waiting) {
            isClosed = true;
            waiting.notifyAll();
        }
        Threads.join(thread);
    }
}
