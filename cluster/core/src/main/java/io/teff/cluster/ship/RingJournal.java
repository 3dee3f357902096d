package io.teff.cluster.ship;

import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import java.lang.foreign.MemorySegment;

/** A journal that writes to the ring of a peer. Thread-safe, if the extending class is. */
abstract class RingJournal implements Journal {
    private final ShipRing ring;

    RingJournal(ShipRing ring) {
        this.ring = ring;
    }

    ShipRing ring() {
        return ring;
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
        return ring.entry(record, after, cid, kind, length, number);
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
