package io.teff.engine.chunk;

import io.teff.engine.error.StoreException;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.journal.Journal;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import io.teff.engine.table.Zone;
import org.jspecify.annotations.Nullable;

/**
 * Writes the state of a zone to the journal once more, while it is in use. For one thread.
 *
 * <p><b>Promise.</b> Let n be the number of the zone's last record when the recorder was made. For each index, the
 * entry with the highest number among those recorded after n, by this recorder or by a change, is the state of the
 * index; an index without such an entry was never used. So the records after n alone restore the zone.
 *
 * <p><b>Proof.</b> A chunk or reservation is recorded inside its stripe, like every later change of the chunk, so the
 * number of the record is right among the numbers of the changes. A create of a fresh index works outside of the
 * stripe: the create records the chunk, then stores the entry, both in the same allocation stripe. Each allocation
 * stripe is entered once after n was read. So every create with a record number up to n has stored its entry, and the
 * walk finds the entry, or the removal. A create that is not found by the walk has a higher number. For an index that
 * is free, the removal of its last chunk is recorded with the number n itself: above all records up to n, since an
 * equal number counts as the later one for a removal, and below that of each create that has not been seen.
 *
 * <p>An index of a released page is recorded with the generation of the page: no CID that was issued is issued again.
 *
 * <p>A change of a collection is in memory before its group is in the journal. So no thread may change a collection of
 * the zone during a call of {@link #record}: then each chunk is recorded as the journal has the chunk already.
 */
public final class ZoneRecorder {
    private static final int REMOVED_MAX = 256;
    private static final long PAUSE_NS = 50_000;

    private final ChunkSpace space;
    private final ChangeLog log;
    private final @Nullable Journal journal;
    private final Zone zone;
    private final Table table;
    private final long number;
    private final long[] removed = new long[REMOVED_MAX];
    private int removedCount;
    private long next;
    private long recordedBytes;
    private boolean isQuiet;

    /**
     * Begins in front of the first index.
     *
     * @param space the store's chunks
     * @param log records single changes
     * @param zone a visible zone
     */
    ZoneRecorder(ChunkSpace space, ChangeLog log, Zone zone) {
        this.space = space;
        this.log = log;
        this.journal = log.journal();
        this.zone = zone;
        this.table = zone.table();
        this.number = journal == null ? 0 : journal.now(zone.nid());
    }

    /**
     * Records the next part.
     *
     * @param bytesMax end of the part: content of this many bytes was recorded
     * @return false if everything is recorded
     * @throws StoreException if the journal accepts no changes now, or a chunk stays locked: nothing is lost, and the
     *     call can be repeated
     * @throws ZoneDroppedException if the zone was dropped
     */
    public boolean record(long bytesMax) {
        if (journal == null) {
            return false;
        }
        awaitCreates();
        recordedBytes = 0;
        while (recordedBytes < bytesMax) {
            if (zone.isDropped()) {
                throw new ZoneDroppedException(zone.nid());
            }
            final long index = table.nextKnown(next);
            if (index < 0) {
                writeRemoved(journal);
                return false;
            }
            log.begin();
            next = recordIndex(journal, index) ? index + 1 : index;
            if (removedCount == REMOVED_MAX) {
                writeRemoved(journal);
            }
        }
        return true;
    }

    /** Returns about the bytes of the last part. */
    public long recordedBytes() {
        return recordedBytes;
    }

    /** Waits until every create with a number older than this object has stored its entry. */
    private void awaitCreates() {
        for (int i = 0; !isQuiet && i < space.allocStripes.count(); i++) {
            while (!space.allocStripes.tryAcquire(i)) {
                space.stripes.checkOpen();
                space.seams.platform().clock().pause(this, PAUSE_NS);
            }
            space.allocStripes.release(space.allocStripes.stripe(i));
        }
        isQuiet = true;
    }

    /** Records an index. Returns false if its page was released meanwhile, so that it must be looked at again. */
    private boolean recordIndex(Journal to, long index) {
        final long cid;
        final int stripe = space.stripes.of(index);
        space.stripes.enter(stripe);
        try {
            final long entry = table.entry(index);
            if (entry == Table.NO_ENTRY) {
                return recordReleased(index);
            }
            final long word = space.memory.getLongAcquire(entry);
            final int state = EntryWord.state(word);
            final int generation = EntryWord.generation(word);
            if (state == EntryWord.FREE || state == EntryWord.RETIRED) {
                addRemoved(index, state == EntryWord.RETIRED ? CidLayout.GENERATIONS : generation);
                return true;
            }
            cid = CidLayout.pack(zone.nid(), generation, index);
            if (!mustBeHeld(cid, word, state)) {
                log.record(cid, word);
                recordedBytes += state == EntryWord.RESERVED ? Long.BYTES : space.chunks.length(word) + Long.BYTES;
                return true;
            }
        } finally {
            space.stripes.leave(stripe);
        }
        recordedBytes += log.recordWhole(to, cid);
        return true;
    }

    /** Returns whether a chunk can change outside of its stripe, or is too long to be recorded inside. */
    private boolean mustBeHeld(long cid, long word, int state) {
        return state == EntryWord.EXCLUSIVE && !space.locks.isIdleInside(cid) || state > EntryWord.EXCLUSIVE
            && space.chunks.length(word) > Thresholds.OPTIMISTIC_BYTES_MAX;
    }

    private boolean recordReleased(long index) {
        final int generation = table.generationOfGap(index);
        if (generation >= 0) {
            addRemoved(index, generation);
        }
        return generation >= 0;
    }

    /** Notes the removal of the last chunk of an index; nothing if the index has had none. */
    private void addRemoved(long index, int nextGeneration) {
        recordedBytes += Long.BYTES;
        if (nextGeneration > 0 && index > 0 && number != 0) {   // index 0 has a CID that may come back
            removed[removedCount++] = CidLayout.pack(zone.nid(), nextGeneration - 1, index);
        }
    }

    private void writeRemoved(Journal to) {
        if (removedCount > 0) {
            log.recordRemovals(to, removed, removedCount, number);
            removedCount = 0;
        }
    }
}
