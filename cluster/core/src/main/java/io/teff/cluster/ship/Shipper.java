package io.teff.cluster.ship;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.engine.os.Threads;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes changes out of the ring, and ships these changes to the backups of the zones. Thread-safe.
 *
 * <p><b>Duty.</b> One thread at a time drains and sends: usually a thread after a change of its own, which saves the
 * wake-up of another thread. A thread that finds the duty taken leaves a mark; the holder looks for marks after giving
 * up the duty, and after two rounds leaves the rest to the shipper's own thread. So no change stays behind, and no
 * operation ships for long. The runs of all zones that a round sends to a backup leave together: see {@link Outlet}.
 *
 * <p><b>Congestion.</b> Runs without an acknowledgement are kept outside of the ring. If these runs exceed their limit,
 * the ring refuses changes until three quarters of the limit are left.
 *
 * <p>Marks and the duty are volatile. Each side writes its own variable before reading the variable of the other side.
 */
public final class Shipper implements AutoCloseable {
    /** A backup that lacks a change for this time holds up writes. */
    static final long HELD_UP_NS = TimeUnit.SECONDS.toNanos(2);
    /**
     * The same for the only backup of a restored zone: without this backup the zone will be served without any backup.
     */
    static final long LAST_HELD_UP_NS = TimeUnit.SECONDS.toNanos(10);

    /** Runs for copies of ended backups take this part of the limit at most, in addition. */
    private static final int RETAINED_SHARE = 4;

    private static final int ZONES = 1 << Short.SIZE;
    private static final int ROUNDS = 2;
    private static final long DRAIN_BYTES = 1 << 20;
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long STALLED_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final NodeRef self;
    private final ShipRing ring;
    private final Outlet outlet;
    private final Listener listener;
    private final Clock clock;
    private final long keptBytesMax;
    private final RunMemory memory = new RunMemory();
    private final Map<NodeRef, BackupWindow> windows = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable ZoneShipment> zones = new AtomicReferenceArray<>(ZONES);
    private final Map<Integer, ZoneShipment> all = new ConcurrentHashMap<>();
    /** Zones with something to send, named by threads without the duty. */
    private final Queue<ZoneShipment> named = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean duty = new AtomicBoolean();
    private final Thread thread;
    private volatile boolean isWanted;
    private volatile boolean isAsleep;
    private volatile boolean isClosed;

    // ---- of the thread with the duty ----
    private final List<ZoneShipment> listed = new ArrayList<>();
    private final ShipRing.Sink sink = this::record;
    private long roundNs;
    private long tickedNs;
    private long stalledAt;
    private long stalledSinceNs;
    private boolean isStalled;
    private final LongAdder stalls = new LongAdder();
    private final LongAdder drainedBytes = new LongAdder();
    private volatile boolean hasListed;
    /** Memory of runs that only copies of ended backups lack. */
    private volatile long retainedBytes;

    /** Notified by a thread that ships or waits for an answer. Must not wait. */
    public interface Listener {
        /**
         * A backup has lacked changes of a zone for too long, and should be replaced. Repeated meanwhile.
         *
         * @param row the zone's row
         * @param backup node that lacks changes
         */
        void holdsUp(ZoneRow row, NodeRef backup);

        /**
         * Answers wait until a zone does without the copies of ended backups. Repeated meanwhile.
         *
         * @param row the zone's row
         */
        default void waitsForKept(ZoneRow row) {}

        /**
         * A thread has claimed a record and not ended it for long; changes of all zones wait behind it.
         *
         * @param ns for how long
         */
        void stalled(long ns);
    }

    /**
     * Makes a shipper.
     *
     * @param self this life of the node
     * @param ring where the changes come from
     * @param outlet sends runs
     * @param listener is notified
     * @param platform clock and threads
     * @param keptBytesMax limit of the bytes of runs without an acknowledgement; then no further change begins
     */
    public Shipper(NodeRef self, ShipRing ring, Outlet outlet, Listener listener, Platform platform,
                   long keptBytesMax) {
        this.self = self;
        this.ring = ring;
        this.outlet = outlet;
        this.listener = listener;
        this.keptBytesMax = keptBytesMax;
        clock = platform.clock();
        roundNs = clock.nowNs();
        tickedNs = roundNs;
        thread = platform.threads().create("teff-shipper-" + self.nid(), this::run);
    }

    /** Starts the shipper's own thread. Without this thread, changes leave only when {@link #kick} is called. */
    public void start() {
        thread.start();
    }

    // ---- zones ----

    /**
     * Begins to ship a zone that the node owns.
     *
     * @param row its row: served if the zone is new, else of a zone that is being restored
     * @param last number of the last change in the node's copy, or 0
     * @return the zone's shipment
     */
    public ZoneShipment open(ZoneRow row, long last) {
        ring.open(row.zone(), row.epoch(), last);
        final ZoneShipment shipment = new ZoneShipment(self, row, last, memory,
            node -> windows.computeIfAbsent(node, _ -> new BackupWindow()), clock.nowNs());
        zones.set(row.zone(), shipment);
        all.put(row.zone(), shipment);
        wake(shipment);
        return shipment;
    }

    /**
     * {@return the shipment of a zone, or null if the node does not own it}
     *
     * @param zone 0 to 65,535
     */
    public @Nullable ZoneShipment zone(int zone) {
        return zones.get(zone);
    }

    /**
     * Calls back when a change has reached a level, and ships the change.
     *
     * @param shipment its zone
     * @param counter counter of the change
     * @param level BACKED or BACKED_SYNCED
     * @param then called once, with DEPOSED if the change never reaches the level here
     */
    public void await(ZoneShipment shipment, long counter, WriteLevel level, Consumer<Verdict> then) {
        shipment.await(counter, level, then);
        askToDoWithout(shipment);
        if (level == WriteLevel.BACKED_SYNCED) {
            named.add(shipment);                                // a backup may have everything but on its device
        }
        ship();
    }

    private void askToDoWithout(ZoneShipment shipment) {
        if (shipment.waitsForKept()) {
            listener.waitsForKept(shipment.owner().row());
        }
    }

    /**
     * Ships the changes of the calling thread, unless another thread has taken these changes out of the ring: then the
     * other thread ships these changes, too. Does not wait.
     */
    public void ship() {
        if (ring.hasMore() || !named.isEmpty()) {
            kick();
        }
    }

    /**
     * Takes a newer row of a zone over.
     *
     * @param row newest row of the zone
     * @return false if the node does not own the zone, or no longer
     */
    public boolean configured(ZoneRow row) {
        final ZoneShipment shipment = zones.get(row.zone());
        if (shipment == null) {
            return false;
        }
        ring.raise(row.zone(), row.epoch());
        final boolean isOwner = shipment.configured(row, clock.nowNs());
        wake(shipment);
        return isOwner;
    }

    /**
     * Returns whether all receivers of a zone have logged every change whose number was taken.
     *
     * @param zone number of the zone
     * @return false also if the node does not own the zone
     */
    public boolean isAcknowledged(int zone) {
        final ZoneShipment shipment = zones.get(zone);
        return shipment != null
            && ZoneNumber.counter(shipment.owner().acknowledged()) >= ZoneNumber.counter(ring.now(zone));
    }

    /**
     * Ends the shipment of a zone: answers that wait must not leave.
     *
     * @param zone number of the zone
     */
    public void end(int zone) {
        final ZoneShipment shipment = zones.getAndSet(zone, null);
        if (shipment != null) {
            all.remove(zone);
            shipment.end();
        }
    }

    // ---- the duty ----

    /** Does a round, by this thread or another one: ships what is in the ring, looks at the time. Does not wait. */
    public void kick() {
        isWanted = true;
        for (int round = 0; round < ROUNDS && isWanted && duty.compareAndSet(false, true); round++) {
            try {
                round();
            } finally {
                duty.set(false);
            }
        }
        if (isWanted) {
            unpark();
        }
    }

    /**
     * Has a zone shipped.
     *
     * @param shipment the zone
     */
    private void wake(ZoneShipment shipment) {
        named.add(shipment);
        isWanted = true;
        unpark();
    }

    private void unpark() {
        if (isAsleep) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!isClosed) {
            if (duty.compareAndSet(false, true)) {
                try {
                    round();
                } finally {
                    duty.set(false);
                }
            }
            isAsleep = true;
            if (!isWanted && !isClosed) {
                Threads.rest(this, hasListed ? TICK_NS : IDLE_NS);
            }
            isAsleep = false;
        }
    }

    /** One round: drains, sends, looks at the time. */
    private void round() {
        isWanted = false;
        roundNs = clock.nowNs();
        for (ZoneShipment next = named.poll(); next != null; next = named.poll()) {
            list(next);
        }
        long drained;
        do {
            drained = ring.drain(sink, DRAIN_BYTES);
            drainedBytes.add(drained);
            shipListed();
        } while (drained >= DRAIN_BYTES);
        final long kept = keptBytes();
        ring.congested(kept >= keptBytesMax || kept > keptBytesMax / 4 * 3 && ring.isCongested());
        if (roundNs - tickedNs >= TICK_NS) {
            tick();
        }
    }

    private void record(int zone, long number, MemorySegment source, long offset, long bytes) {
        final ZoneShipment shipment = zones.get(zone);
        if (shipment != null) {                                 // else the zone was dropped, or is the store's own
            shipment.record(number, source, offset, bytes, roundNs);
            list(shipment);
        }
    }

    private void list(ZoneShipment shipment) {
        if (!shipment.isListed) {
            shipment.isListed = true;
            listed.add(shipment);
        }
    }

    /** Ships the listed zones; zones with a rest stay in the list. */
    private void shipListed() {
        int left = 0;
        for (int i = 0; i < listed.size(); i++) {
            final ZoneShipment shipment = listed.get(i);
            shipment.isListed = shipment.ship(outlet, roundNs);
            if (shipment.isListed) {
                listed.set(left++, shipment);
            }
        }
        listed.subList(left, listed.size()).clear();
        hasListed = !outlet.flush(roundNs) || left > 0;
    }

    private void tick() {
        tickedNs = roundNs;
        for (ZoneShipment shipment : all.values()) {
            shipment.tick(roundNs);
            list(shipment);
            final ZoneRow row = shipment.owner().row();
            final boolean isLast = !row.state().isServed() && row.backups().size() == 1;
            shipment.holdingUp(isLast ? LAST_HELD_UP_NS : HELD_UP_NS, roundNs)
                .forEach(backup -> listener.holdsUp(row, backup));
            askToDoWithout(shipment);
        }
        shipListed();
        limitRetained();
        watchStalls();
    }

    /** Retains changes for copies of ended backups within a limit. The zones above the limit retain nothing. */
    private void limitRetained() {
        long sum = 0;
        for (ZoneShipment shipment : all.values()) {
            final long bytes = shipment.retainedBytes();
            if (sum + bytes > keptBytesMax / RETAINED_SHARE) {
                shipment.retainNothing();
            } else {
                sum += bytes;
            }
        }
        retainedBytes = sum;
    }

    private void watchStalls() {
        final long position = ring.drained();
        if (!ring.hasMore() || position != stalledAt) {
            stalledAt = position;
            stalledSinceNs = roundNs;
            isStalled = false;
        } else if (!isStalled && roundNs - stalledSinceNs >= STALLED_NS) {
            isStalled = true;
            stalls.increment();
            listener.stalled(roundNs - stalledSinceNs);
        }
    }

    // ---- answers ----

    /**
     * Takes the answer of a backup. Does not wait.
     *
     * @param answer as a backup has sent it
     */
    public void answered(RunAnswer answer) {
        final ZoneShipment shipment = zones.get(answer.zone());
        if (shipment != null && (shipment.answered(answer, clock.nowNs()) || hasListed)) {
            wake(shipment);
        }
    }

    /**
     * Sends all runs without an acknowledgement to a node again: messages to the node may have been lost.
     *
     * @param nid the node
     */
    public void lost(int nid) {
        for (ZoneShipment shipment : all.values()) {
            if (shipment.lost(nid, clock.nowNs())) {
                wake(shipment);
            }
        }
    }

    // ---- numbers for people ----

    /** {@return bytes of runs that not all backups have acknowledged} */
    public long keptBytes() {
        return Math.max(0, memory.usedBytes() - retainedBytes);
    }

    /** {@return bytes that were taken out of the ring} */
    public long drainedBytes() {
        return drainedBytes.sum();
    }

    /** {@return how often changes have waited for a thread that had claimed a record and did not end it} */
    public long stalls() {
        return stalls.sum();
    }

    /** {@return number of answers that wait for acknowledgements} */
    public long waiting() {
        return all.values().stream().mapToLong(ZoneShipment::waiting).sum();
    }

    /** {@return number of changes that not all backups have acknowledged} */
    public long lag() {
        return all.values().stream().map(ZoneShipment::owner).mapToLong(owner ->
            ZoneNumber.counter(owner.committed()) - ZoneNumber.counter(owner.acknowledged())).sum();
    }

    /** Throws {@link IllegalStateException} if an invariant is broken. */
    public void audit() {
        all.values().forEach(ZoneShipment::audit);
    }

    /** Ends all shipments: answers that wait must not leave, and the ring refuses changes. Idempotent. */
    @Override
    public void close() {
        isClosed = true;
        ring.close();
        LockSupport.unpark(thread);
        Threads.join(thread);
        List.copyOf(all.keySet()).forEach(this::end);
    }
}
