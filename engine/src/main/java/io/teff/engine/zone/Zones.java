package io.teff.engine.zone;

import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.journal.Journal;
import org.jspecify.annotations.Nullable;

/**
 * The zones of a store beside its own: chunks with ids, names and collections of their own, in the store's memory.
 * Thread-safe.
 *
 * <p>A <b>view</b> of a zone is a {@link ChunkStore} whose creates, reservations, names and collections act in it.
 * Operations on given CIDs act on any chunk of the store, except that {@code createAt} refuses CIDs of other zones.
 * {@code ids().forEach} visits the zone only. Closing a view does not close the store. After a drop of its zone, a view
 * finds no chunk of the zone, and operations that would create a chunk throw
 * {@link io.teff.engine.error.ZoneDroppedException}.
 */
public interface Zones {
    /** The highest id of a zone; the ids above are reserved. */
    int ZONE_MAX = 65_533;

    /** Most chunks of one call of {@link ZoneChanges#change}. */
    int CHANGES_MAX = 1_024;

    /**
     * Returns the zones of a store.
     *
     * @param store an open store
     * @return its zones
     */
    static Zones of(Store store) {
        return StoreZones.of(store);
    }

    /**
     * Adds an empty zone, whose ids this store issues from now on.
     *
     * @param zone 1 to {@link #ZONE_MAX}, not the store's own creator
     * @return the view of the zone
     * @throws IllegalArgumentException if the id is out of range
     * @throws IllegalStateException if the zone exists, or the store has or had chunks of this creator
     * @throws io.teff.engine.error.StoreException of category RETRY as {@link ZoneFill#publish}
     */
    ChunkStore add(int zone);

    /**
     * Returns the view of a zone.
     *
     * @param zone any number
     * @return the view, always the same object while the zone exists; null if there is no such zone
     */
    @Nullable ChunkStore zone(int zone);

    /**
     * Begins to fill a zone that no operation sees until it is published.
     *
     * @param zone as of {@link #add}
     * @return the filler, which must be ended
     * @throws IllegalArgumentException if the id is out of range
     * @throws IllegalStateException if the zone exists or is being filled, or the store has or had chunks of this
     *     creator
     */
    ZoneFill fill(int zone);

    /**
     * Drops a zone: no operation that begins afterwards sees it. Waits for nothing. Its memory returns in the
     * background; that of a chunk that a thread has locked or pinned, after the lock or pin has ended. No effect if
     * there is no such zone.
     *
     * @param zone any number
     */
    void drop(int zone);

    /**
     * Returns the numbers of a zone. Takes microseconds.
     *
     * @param zone number of the zone
     * @return its numbers
     * @throws java.util.NoSuchElementException if there is no such zone
     */
    ZoneStats stats(int zone);

    /**
     * Begins to write the state of a zone to the journal once more, while it is in use: the records that the journal
     * gets from now on restore the zone alone, without any earlier one. No thread may change a collection of the zone
     * during a call of {@link ZoneRecording#next}, because a part of the change could be recorded without the rest.
     *
     * @param zone number of the zone
     * @param journal passes each call on to the journal of the store; null for the journal of the store, if any
     * @return what records it, part by part
     * @throws java.util.NoSuchElementException if there is no such zone
     */
    ZoneRecording record(int zone, @Nullable Journal journal);

    /**
     * Creates a way to change a zone, whose changes a journal records in place of the store's journal. For example, the
     * journal adds an entry to each record, or notes the number of the record. So what belongs to a record is an
     * object in the hands of the caller, and not a property of the calling thread.
     *
     * @param zone number of the zone; may be the store's own creator
     * @param journal passes each call on to the journal of the store; null for the journal of the store, if any
     * @return the way, which creates as many objects as a view of a zone has: callers keep it for many changes
     * @throws java.util.NoSuchElementException if there is no such zone
     */
    ZoneChanges changes(int zone, @Nullable Journal journal);

    /** {@return the ids of all zones that exist, in ascending order, without the store's own creator} */
    int[] ids();
}
