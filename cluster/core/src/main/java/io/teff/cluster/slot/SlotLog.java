package io.teff.cluster.slot;

import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import java.lang.foreign.MemorySegment;

/** Writes records that have slots or locks only. Thread-safe. */
public final class SlotLog {
    private final Journal journal;

    /**
     * Writes to a journal.
     *
     * @param journal the journal of the peer's store, or of one change
     */
    public SlotLog(Journal journal) {
        this.journal = journal;
    }

    /**
     * Makes sure of room for a record: the next record is not refused.
     *
     * @throws io.teff.engine.error.StoreException if the journal accepts no changes now
     */
    public void begin() {
        journal.begin();
    }

    /**
     * Returns a number of the zone's last record: later records have higher numbers, also the records of later owners.
     */
    long now(int zone) {
        return journal.now(zone);
    }

    /** Records content after {@link #begin}. */
    void put(int zone, long cid, MemorySegment content, int length) {
        write(zone, cid, Journal.PUT, content, 0, length);
    }

    /** Records a removal after {@link #begin}. */
    void remove(int zone, long cid) {
        write(zone, cid, Journal.REMOVED, MemorySegment.NULL, 0, 0);
    }

    /**
     * Records that the result of a change is not needed any more, or that a chunk is removed. Makes sure of room.
     *
     * @param zone number of the zone
     * @param cid the slot or chunk
     */
    public void removed(int zone, long cid) {
        begin();
        write(zone, cid, Journal.REMOVED, MemorySegment.NULL, 0, 0);
    }

    /**
     * Records a chunk, a removal or a reservation of a zone that is filled from a backup. No room is made sure of.
     *
     * @param zone number of the zone
     * @param cid the chunk
     * @param kind kind of the entry, as of {@link Journal}
     * @param source has the content
     * @param offset of the content there
     * @param length bytes of the content
     */
    public void chunk(int zone, long cid, int kind, MemorySegment source, long offset, int length) {
        write(zone, cid, kind, source, offset, length);
    }

    /** Records a part of a slot once more; by a thread that is in the slot. */
    void record(int zone, long cid, Slot slot, int part) {
        final MemorySegment content = MemorySegment.ofArray(new byte[SlotLayout.BYTES_MAX]);
        final int length = slot.writeAgain(part, content, 0);
        if (length > 0) {
            begin();
            write(zone, cid, Journal.PUT, content, 0, length);
        }
    }

    private void write(int zone, long cid, int kind, MemorySegment content, long offset, int length) {
        final long[] left = journal.abandoned().places();
        final long record = journal.claim(zone, 1, length);
        boolean isCommitted = false;
        try {
            final long at = journal.entry(record, 0, cid, kind, length, 0);
            MemorySegment.copy(content, offset, journal.memory(), at, length);
            journal.commit(record, false);
            isCommitted = true;
        } finally {
            if (!isCommitted) {
                // The stack may have ended, so there is no call from here on.
                final long product = record * AbandonedRecords.SPREAD;
                int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
                    >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
                while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
                    place++;
                }
                left[place] = record;
            }
        }
    }
}
