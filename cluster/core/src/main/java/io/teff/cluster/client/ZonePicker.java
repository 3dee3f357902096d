package io.teff.cluster.client;

import io.teff.cluster.meta.NodeRef;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Chooses zones for new chunks: each thread goes round all open zones, and begins at a different zone than other
 * threads. So the chunks of all threads are spread over all owners. Thread-safe.
 */
final class ZonePicker {
    /** Instead of a zone: no open zone has a known owner. */
    static final int NONE = -1;
    /** Instead of a zone: the owners of all open zones are full. */
    static final int ALL_FULL = -2;
    /** Golden section of 2^32: successive threads begin far from each other. */
    private static final int GOLDEN = 0x9E3779B9;

    private final TableKeeper tables;
    private final AtomicInteger threads = new AtomicInteger();
    private final ThreadLocal<int[]> positions = ThreadLocal.withInitial((Supplier<int[]>) this::begin);

    ZonePicker(TableKeeper tables) {
        this.tables = tables;
    }

    private int[] begin() {
        return new int[] {threads.getAndIncrement() * GOLDEN};
    }

    /**
     * Returns the calling thread's next zone with room at the owner.
     *
     * @param full the owners without room
     * @return a zone, NONE, or ALL_FULL
     */
    int next(FullOwners full) {
        final int[] zones = tables.openZones();
        final int[] position = positions.get();
        boolean isFull = zones.length > 0;
        for (int i = 0; i < zones.length; i++) {
            final int zone = zones[Math.floorMod(position[0]++, zones.length)];
            final NodeRef owner = tables.owner(zone);
            if (owner != null && !full.has(owner.nid())) {
                return zone;
            }
            isFull &= owner != null;
        }
        return isFull ? ALL_FULL : NONE;
    }
}
