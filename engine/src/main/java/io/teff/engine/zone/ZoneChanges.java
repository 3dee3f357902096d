package io.teff.engine.zone;

import io.teff.engine.ChunkStore;
import io.teff.engine.raw.RawChange;
import io.teff.engine.raw.RawCollection;
import io.teff.engine.raw.RawMap;
import io.teff.engine.raw.RawStep;
import java.util.List;

/**
 * A way to change one zone, whose changes one journal records; see {@link Zones#changes}. Thread-safe as far as this
 * journal is.
 */
public interface ZoneChanges {
    /**
     * {@return a view of the zone, whose changes of single chunks and batches the journal records} Names and
     * collections are those of all views of the zone; the journal of the store records the changes of collections,
     * except by {@link #change(RawMap, byte[], RawChange)} and {@link #change(RawCollection, RawStep)}.
     */
    ChunkStore store();

    /**
     * Changes several chunks of the zone at once, if conditions hold: no operation sees some of the changes and not the
     * others, and the journal gets one record of all changes. Either all changes are made or none. Does not wait for
     * locks.
     *
     * @param changes at most {@link Zones#CHANGES_MAX}, of different chunks of the zone, whose new contents have at
     *     most 1 MiB together
     * @return OK; 1 + index of the first chunk whose condition does not hold; or LOCKED, READ_ONLY, PINNED or FULL
     * @throws IllegalArgumentException if a chunk is named twice, or is not of the zone, or there is too much
     * @throws io.teff.engine.error.StoreException if the journal accepts no changes now
     * @throws io.teff.engine.error.ZoneDroppedException if the zone was dropped
     */
    int change(List<ChunkChange> changes);

    /**
     * Changes an entry of a map of the zone, as {@link RawMap#change}. The journal gets the chunks of the change as one
     * record; records of the growth of the map may follow.
     *
     * @param map of the zone
     * @param key bytes of the key
     * @param change decides what happens
     */
    default void change(RawMap map, byte[] key, RawChange change) {
        map.change(key, change, null);
    }

    /**
     * Changes a queue, a list or a sorted map of the zone, as {@link RawCollection#change}. The journal gets the chunks
     * of the change as one record.
     *
     * @param collection of the zone
     * @param change what happens
     */
    default void change(RawCollection collection, RawStep change) {
        collection.change(change, null);
    }
}
