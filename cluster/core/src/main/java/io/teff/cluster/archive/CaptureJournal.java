package io.teff.cluster.archive;

import io.teff.cluster.ship.ShipRing;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import java.lang.foreign.MemorySegment;

/**
 * A journal that keeps the records of a recorded zone in memory, for one thread. An entry has the number of the zone's
 * last change at the moment of the entry: the entry is written inside the stripe of its chunk, so all earlier changes
 * of the chunk have at most this number, and all later ones have higher numbers.
 */
final class CaptureJournal implements Journal {
    private final ShipRing ring;
    private final int zone;
    private final EntryBytes entries = new EntryBytes();
    private final AbandonedRecords abandoned = new AbandonedRecords();

    CaptureJournal(ShipRing ring, int zone) {
        this.ring = ring;
        this.zone = zone;
    }

    EntryBytes entries() {
        return entries;
    }

    @Override
    public void begin() {
        // there is always room
    }

    @Override
    public void awaitRoom(int count, long contentBytes) {
        // there is always room
    }

    @Override
    public long claim(int of, int count, long contentBytes) {
        final var _ = entries.room((long) count * EntryBytes.HEAD_BYTES + contentBytes);
        return 1;
    }

    @Override
    public long recordBytesMax(int count) {
        return Integer.MAX_VALUE / 2;
    }

    @Override
    public MemorySegment memory() {
        return entries.memory();
    }

    @Override
    public long entry(long record, long after, long cid, int kind, int length, long number) {
        return entries.begin(cid, number == 0 ? now(zone) : number, kind, length);
    }

    @Override
    public long now(int of) {
        return ring.now(of);
    }

    @Override
    public void commit(long record, boolean isGroup) {
        // the entries are kept
    }

    @Override
    public AbandonedRecords abandoned() {
        return abandoned;
    }

    @Override
    public void putLong(long cid, int kind, long length, Content content) {
        throw new StoreException(Category.FATAL, "a chunk of a zone has at most " + CONTENT_BYTES_MAX + " bytes");
    }

    @Override
    public void done() {
        // nothing to wait for
    }
}
