package io.teff.cluster.peer;

import io.teff.cluster.meta.Hindrance;
import io.teff.cluster.slot.SlotRestore;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Clock;
import io.teff.engine.zone.ZoneFill;
import io.teff.engine.zone.Zones;
import io.teff.recovery.backup.ZoneCopy;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Reads zones from the node's log into memory, on threads of the pool. Thread-safe. */
final class CopyReader {
    private final Zones memory;
    private final CopyLog log;
    private final Restores pool;
    private final IntPredicate hasEnded;
    private final Clock clock;

    /**
     * Makes a reader.
     *
     * @param memory receives the zones
     * @param log has the copies
     * @param pool runs the reading
     * @param hasEnded whether the session of a client has ended
     * @param clock for the timelines of recoveries
     */
    CopyReader(Zones memory, CopyLog log, Restores pool, IntPredicate hasEnded, Clock clock) {
        this.memory = memory;
        this.log = log;
        this.pool = pool;
        this.hasEnded = hasEnded;
        this.clock = clock;
    }

    /**
     * Begins to read a zone. The zone is READ when reading has succeeded, CHOSEN when reading has failed.
     *
     * @param zone the zone, which is CHOSEN
     * @param recovery the recovery of the zone
     * @param copy the node's copy; null if there is none
     * @param last number of the last change in the copy, or 0
     * @param ended called after reading, on the thread of the pool
     */
    void begin(LocalZone zone, ZoneRecovery recovery, @Nullable ZoneCopy copy, long last, Runnable ended) {
        zone.reading();
        pool.run(threads -> {
            read(zone, recovery, copy, last, threads);
            ended.run();
        });
    }

    /** Reads a zone, and publishes the zone; without changes in a copy the zone is empty. */
    private void read(LocalZone zone, ZoneRecovery recovery, @Nullable ZoneCopy copy, long last, int threads) {
        ZoneFill fill = null;
        RoomSensor sensor = null;
        try {
            fill = memory.fill(zone.zone());
            sensor = new RoomSensor(fill);
            final SlotTable restored = new SlotTable(zone.zone(), hasEnded);
            if (copy != null && last != 0) {
                log.read(copy, threads, new SlotRestore(sensor, restored));
            }
            zone.publish(fill, restored, () -> recovery.read(clock.nowNs()));
        } catch (RuntimeException e) {                          // this thread continues with other zones
            recovery.failed(e);
            if (fill != null) {
                fill.discard();
            }
            if (sensor != null && copy != null) {
                recovery.hindered(hindrance(e, sensor, recovery, copy, threads));
            }
        } finally {
            zone.readingEnds();
        }
    }

    /** Finds out what prevents reading, and how much memory is needed. */
    private @Nullable Hindrance hindrance(RuntimeException why, RoomSensor sensor, ZoneRecovery recovery, ZoneCopy copy,
                                          int threads) {
        if (sensor.isFull()) {
            final ZoneSize size = new ZoneSize();
            try {
                log.read(copy, threads, size);
                recovery.needs(size.bytes());
                return Hindrance.MEMORY;
            } catch (StoreException again) {
                recovery.failed(again);
                return null;
            }
        }
        if (why instanceof StoreException of && log.failure() == null) {
            return of.category() == StoreException.Category.FATAL ? Hindrance.DAMAGE : Hindrance.DISK;
        }
        return null;
    }
}
