package io.teff.cluster.ship;

import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import java.lang.foreign.MemorySegment;

/**
 * The journal of a zone that is recorded once more for a new backup: writes to the ring of a peer. Reads of a chunk
 * wait for the acknowledgement of the chunk's last change, and not for records that repeat the content. Thread-safe.
 */
final class RepeatJournal implements Journal {
    private final ShipRing ring;

    RepeatJournal(ShipRing ring) {
        this.ring = ring;
    }

    @Override
    public void begin() {
        ring.begin();
    }

    @Override
    public void awaitRoom(int entries, long contentBytes) {
        ring.awaitRoom(entries, contentBytes);
    }

    @Override
    public long claim(int zone, int entries, long contentBytes) {
        return ring.claim(zone, entries, contentBytes);
    }

    @Override
    public long recordBytesMax(int entries) {
        return ring.recordBytesMax(entries);
    }

    @Override
    public MemorySegment memory() {
        return ring.memory();
    }

    @Override
    public long entry(long record, long after, long cid, int kind, int length, long number) {
        return ring.repeatedEntry(record, after, cid, kind, length, number);
    }

    @Override
    public long now(int zone) {
        return ring.now(zone);
    }

    @Override
    public void commit(long record, boolean isGroup) {
        ring.commit(record, isGroup);
    }

    @Override
    public AbandonedRecords abandoned() {
        return ring.abandoned();
    }

    @Override
    public void putLong(long cid, int kind, long length, Content content) {
        ring.putLong(cid, kind, length, content);
    }

    @Override
    public void done() {
        ring.done();
    }
}
