package io.teff.cluster.peer;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.ship.ZoneShipment;
import io.teff.cluster.zone.ZoneOwner;
import io.teff.engine.ChunkStore;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Clock;
import io.teff.engine.zone.ZoneFill;
import io.teff.engine.zone.Zones;
import io.teff.recovery.backup.RunReader;
import io.teff.recovery.backup.ZoneCopy;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
 */
final class ZoneRecovery {
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

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
    private volatile boolean isReading;
    private volatile @Nullable ChunkStore view;
    private volatile @Nullable RuntimeException problem;

    ZoneRecovery(int zone, long nowNs, long nowMs) {
        this.zone = zone;
        beganNs = nowNs;
        readAgainNs = nowNs;
        beganMs = nowMs;
    }

    void fenced(long nowNs) {
        fencedNs = fencedNs == 0 ? nowNs : fencedNs;
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

    /** Returns whether a thread of the pool should begin to read; true once for each attempt. */
    boolean beginReading(long nowNs) {
        if (isReading || view != null || nowNs - readAgainNs < 0) {
            return false;
        }
        readAgainNs = nowNs + RETRY_NS;
        isReading = true;
        return true;
    }

    /** Restores the zone from the node's copy, and publishes it; for a thread of the pool. */
    void read(Zones zones, CopyLog log, @Nullable ZoneCopy copy, long last, int threads, Clock clock) {
        ZoneFill fill = null;
        try {
            fill = zones.fill(zone);
            if (copy != null && last != 0) {
                log.read(copy, threads, fill);
            }
            view = fill.publish();
            restoredNs = clock.nowNs();
            problem = null;
        } catch (StoreException | IllegalStateException e) {
            problem = e;                                        // tried again while the row says so
            if (fill != null) {
                fill.discard();
            }
        } finally {
            isReading = false;
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
        final ZoneShipment of = shipment;
        if (of == null || !of.owner().isRestored()) {
            return false;
        }
        shippedNs = shippedNs == 0 ? nowNs : shippedNs;
        return view != null;
    }

    @Nullable ChunkStore view() {
        return view;
    }

    /** Returns why reading has failed last, or null. */
    @Nullable RuntimeException problem() {
        return problem;
    }

    /** Returns the timeline of a zone that is served now. */
    RecoveryTimes served(ZoneRow row, long nowNs, long chunks) {
        epoch = row.epoch();
        return new RecoveryTimes(zone, epoch, beganMs, since(fencedNs), since(chosenNs), since(restoredNs),
            since(shippedNs), since(nowNs), chunks);
    }

    private long since(long atNs) {
        return atNs == 0 ? 0 : atNs - beganNs;
    }
}
