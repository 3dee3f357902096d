package io.teff.cluster.slot;

import io.teff.engine.ChunkStore;
import io.teff.engine.zone.ZoneChanges;

/**
 * The view of a zone that one change at a time uses: a writer completes the records of the change, and knows the
 * numbers of these records. For a single thread at a time.
 *
 * @param of the served view of the zone
 * @param changes changes the same zone; the records of these changes go through the writer
 * @param log writes records of slots and locks, also through the writer
 * @param writer completes the records
 */
public record RecordedZone(ChunkStore of, ZoneChanges changes, SlotLog log, SlotWriter writer) {
    /** {@return the view whose changes go through the writer} */
    public ChunkStore store() {
        return changes.store();
    }
}
