package io.teff.cluster.slot;

import io.teff.engine.ChunkStore;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the idle {@linkplain RecordedZone recorded zones} of a zone, so that a change need not make a new object. A
 * thread finds its last recorded zone again, unless a thread with the same place has taken this zone. Thread-safe.
 */
public final class RecordedZones {
    private static final int PLACES = 8;

    private final int zone;
    private final AtomicReferenceArray<@Nullable RecordedZone> idle = new AtomicReferenceArray<>(PLACES);

    RecordedZones(int zone) {
        this.zone = zone;
    }

    /** Makes recorded zones. */
    @FunctionalInterface
    public interface Maker {
        /**
         * Makes a recorded zone. The records are records of the journal of the peer's store.
         *
         * @param zone id of the zone, from 1
         * @param store the served view of the zone
         * @return a recorded zone of this view
         * @throws io.teff.engine.error.ZoneDroppedException if this peer does not serve this view any more
         */
        RecordedZone recorded(int zone, ChunkStore store);
    }

    private static int place() {
        return (int) Thread.currentThread().threadId() & PLACES - 1;
    }

    /**
     * Takes a recorded zone for a change.
     *
     * @param store the served view of the zone
     * @param maker makes a recorded zone if there is no idle recorded zone
     * @return a recorded zone of this view, whose writer has no slot
     * @throws io.teff.engine.error.ZoneDroppedException if the peer does not serve this view any more
     */
    @SuppressWarnings("ReferenceEquality")                      // each view of a zone is an object of its own
    public RecordedZone take(ChunkStore store, Maker maker) {
        final RecordedZone taken = idle.getAndSet(place(), null);
        if (taken == null || taken.of() != store) {             // or the zone was dropped and is served again
            return maker.recorded(zone, store);
        }
        taken.writer().begin();
        return taken;
    }

    /**
     * Gives a recorded zone back when its change has ended.
     *
     * @param ended not used any more
     */
    public void give(RecordedZone ended) {
        idle.setRelease(place(), ended);
    }
}
