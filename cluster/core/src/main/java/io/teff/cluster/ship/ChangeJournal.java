package io.teff.cluster.ship;

import io.teff.cluster.slot.SlotWriter;
import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import java.lang.foreign.MemorySegment;

/**
 * The journal of one change at a time: writes to the ring of a peer, adds the slot of its writer to each record, and
 * tells the writer the number of the record. For one thread at a time.
 */
final class ChangeJournal implements Journal {
    private final ShipRing ring;
    private final SlotWriter writer;

    ChangeJournal(ShipRing ring, SlotWriter writer) {
        this.ring = ring;
        this.writer = writer;
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
        final int slotBytes = writer.bytesMax(zone);
        return slotBytes == 0 ? ring.claim(zone, entries, contentBytes)
            : ring.claim(zone, entries, contentBytes, slotBytes);
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

    /** The length of a chunk is the result of its removal. */
    @Override
    public void removing(long length) {
        writer.removing(length);
    }

    @Override
    public void commit(long record, boolean isGroup) {
        ring.complete(record, writer);
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
