package io.teff.cluster.peer;

import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.meta.Hindrance;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.ship.ZoneShipment;
import io.teff.cluster.slot.SlotRestore;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.zone.ZoneOwner;
import io.teff.engine.ChunkStore;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Units;
import io.teff.engine.zone.ZoneFill;
import io.teff.engine.zone.Zones;
import io.teff.recovery.backup.RunReader;
import io.teff.recovery.backup.ZoneCopy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The recovery of one zone at a candidate, and at the new owner.
 * <pre>
 *  row FENCING                 row RESTORING                                            row OPEN
 *     | fence, report             | ask others where they stand      all have all         |
 *     v                           v                                       |               v
 *  FENCED -----> CHOSEN --------> READING (threads of the pool) ------> READ --> Owned --> served
 *                                 | a backup stands further behind
 *                                 +--> ships the tail of the own log
 * </pre>
 * Reading and shipping go on side by side: neither needs the other. All methods but {@link #read} belong to the thread
 * that acts on the tables.
 *
 * <p><b>Failures.</b> Reading that fails is tried again in growing intervals, or another candidate is to do it: see
 * {@link #hindrance}. If the memory is too small, the zone is measured, and read again only when there is as much.
 */
final class ZoneRecovery {
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long RETRY_NS_MAX = TimeUnit.SECONDS.toNanos(10);
    /** A disk that fails once may be one that is busy. */
    private static final int FAILURES_MIN = 2;

    private final int zone;
    private final long beganNs;
    private final long beganMs;
    private int epoch;
    private long fencedNs;
    private long chosenNs;
    private volatile long restoredNs;
    private long shippedNs;
    private @Nullable ZoneShipment shipment;
    private boolean isTailAdded;
    private long readAgainNs;
    private long retryNs = RETRY_NS;
    private volatile long neededBytes;
    private volatile @Nullable Hindrance hindrance;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean isReading;
    private volatile @Nullable SlotTable slots;
    private volatile @Nullable ChunkStore view;
    private volatile @Nullable RuntimeException problem;
    /** Guarded by this. */
    private boolean isAbandoned;

    ZoneRecovery(int zone, long nowNs, long nowMs) {
        this.zone = zone;
        beganNs = nowNs;
        readAgainNs = nowNs;
        beganMs = nowMs;
    }

    /** Notes that this node's copy is fenced. Returns whether that is new. */
    boolean fenced(long nowNs) {
        final boolean isNew = fencedNs == 0;
        fencedNs = isNew ? nowNs : fencedNs;
        return isNew;
    }

    // ---- the new owner ----

    @Nullable ZoneShipment shipment() {
        return shipment;
    }

    /** Begins at the chosen owner. */
    void chosen(ZoneShipment opened, long nowNs) {
        shipment = opened;
        chosenNs = nowNs;
    }

    /** Returns whether the zone is not in memory and not being read, and the next attempt is due. */
    boolean isDue(long nowNs) {
        return !isReading && view == null && nowNs - readAgainNs >= 0;
    }

    /** Notes that a thread of the pool begins to read. */
    void beginReading(long nowNs) {
        postpone(nowNs);
        isReading = true;
    }

    /** Sets when the next attempt is due if this one fails. */
    void postpone(long nowNs) {
        readAgainNs = nowNs + retryNs;
        retryNs = Math.min(2 * retryNs, RETRY_NS_MAX);
    }

    /** Returns whether a thread of the pool reads. */
    boolean isReading() {
        return isReading;
    }

    /** Returns the memory that the zone needs, about, if there was not as much; else 0. */
    long neededBytes() {
        return neededBytes;
    }

    /** Returns why reading has failed last, or null if it has not, or not often enough to say. */
    @Nullable Hindrance hindrance() {
        return hindrance == Hindrance.DISK && failures.get() < FAILURES_MIN ? null : hindrance;
    }

    /** Returns whether all backups have everything. */
    boolean isShipped() {
        final ZoneShipment of = shipment;
        return of != null && of.owner().isRestored();
    }

    /** Restores the zone from the node's copy, and publishes it; for a thread of the pool. */
    void read(Zones zones, CopyLog log, @Nullable ZoneCopy copy, long last, int threads,
              IntPredicate hasEnded, Clock clock) {
        ZoneFill fill = null;
        RoomSensor sensor = null;
        try {
            fill = zones.fill(zone);
            sensor = new RoomSensor(fill);
            final SlotTable restored = new SlotTable(zone, hasEnded);
            if (copy != null && last != 0) {
                log.read(copy, threads, new SlotRestore(sensor, restored));
            }
            slots = restored;
            publish(fill, restored);
            restoredNs = clock.nowNs();
            problem = null;
        } catch (RuntimeException e) {                          // this thread goes on with other zones
            problem = e;
            if (fill != null) {
                fill.discard();
            }
            if (sensor != null && copy != null) {
                failed(e, sensor, log, copy, threads);
            }
        } finally {
            isReading = false;
        }
    }

    private synchronized void publish(ZoneFill fill, SlotTable restored) {
        if (isAbandoned) {
            fill.discard();                                     // another node restores the zone by now
        } else {
            final ChunkStore published = fill.publish();
            restored.locks().install(published);
            view = published;
        }
    }

    /** Ends this recovery: a zone that is still being read will not be published. One that was published stays. */
    synchronized void abandon() {
        isAbandoned = true;
        final SlotTable of = slots;
        if (of != null) {
            of.locks().close();
        }
    }

    /** Finds out what is in the way, for {@link PeerZones} to act on. */
    private void failed(RuntimeException e, RoomSensor sensor, CopyLog log, ZoneCopy copy, int threads) {
        failures.incrementAndGet();
        if (sensor.isFull()) {
            final ZoneSize size = new ZoneSize();
            try {
                log.read(copy, threads, size);
                neededBytes = size.bytes();
                hindrance = Hindrance.MEMORY;
            } catch (StoreException again) {
                problem = again;
            }
        } else if (e instanceof StoreException it && log.failure() == null) {
            hindrance = it.category() == StoreException.Category.FATAL ? Hindrance.DAMAGE : Hindrance.DISK;
        }
    }

    /**
     * Adds the changes that other backups miss, once all of them have said where they stand. Returns the backups that
     * miss changes which the log does not have one by one any more.
     */
    List<NodeRef> addTail(CopyLog log, @Nullable ZoneCopy copy, long nowNs) {
        final ZoneShipment to = shipment;
        if (isTailAdded || to == null || to.leastKnown() < 0) {
            return List.of();
        }
        final ZoneOwner owner = to.owner();
        long least = owner.committed();
        for (ZoneOwner.Progress progress : owner.backups()) {
            least = Long.compareUnsigned(progress.logged(), least) < 0 ? progress.logged() : least;
        }
        if (least == owner.committed() || copy != null && tail(to, log, copy, least, nowNs)) {
            isTailAdded = true;
            return List.of();
        }
        to.dropTail(nowNs);
        final long behind = least;
        return owner.backups().stream().filter(progress -> progress.logged() == behind)
            .map(progress -> progress.backup().node()).toList();
    }

    private boolean tail(ZoneShipment to, CopyLog log, ZoneCopy copy, long after, long nowNs) {
        final RunReader reader = new RunReader();
        return log.tail(copy, after, (bytes, offset, length) -> {
            final String fault = reader.check(bytes, offset, length, zone);
            if (fault != null) {
                throw new IllegalStateException("zone " + zone + ": the own log has a malformed run: " + fault);
            }
            to.addTail(bytes, offset, length, reader.first(), reader.last(), nowNs);
        });
    }

    /** Returns whether the zone can be served: it is in memory, and all backups have everything. */
    boolean isRestored(long nowNs) {
        if (!isShipped()) {
            return false;
        }
        shippedNs = shippedNs == 0 ? nowNs : shippedNs;
        return view != null;
    }

    @Nullable ChunkStore view() {
        return view;
    }

    /** Returns the slots of the zone that is in memory. */
    @Nullable SlotTable slots() {
        return slots;
    }

    /** Returns why reading has failed last, for people; null if it has not. */
    @Nullable String problem() {
        final RuntimeException why = problem;
        return why == null ? null : "zone " + zone + " cannot be restored: " + FailureText.of(why)
            + (neededBytes == 0 ? "" : "; it needs " + Units.bytes(neededBytes));
    }

    /** Returns the timeline of a zone that is served now. */
    RecoveryTimes served(ZoneRow row, long nowNs, long chunks) {
        epoch = row.epoch();
        return new RecoveryTimes(new NodeStatus.Recovery(zone, epoch, beganMs, since(fencedNs), since(chosenNs),
            since(restoredNs), since(shippedNs), since(nowNs), chunks));
    }

    private long since(long atNs) {
        return atNs == 0 ? 0 : atNs - beganNs;
    }
}
