package io.teff.cluster.ship;

import io.teff.cluster.slot.SlotWriter;

/**
 * The journal of one change at a time: writes to the ring of a peer, adds the slot of its writer to each record, and
 * tells the writer the number of the record. For one thread at a time.
 */
final class ChangeJournal extends RingJournal {
    private final SlotWriter writer;

    ChangeJournal(ShipRing ring, SlotWriter writer) {
        super(ring);
        this.writer = writer;
    }

    @Override
    public long claim(int zone, int entries, long contentBytes) {
        final int slotBytes = writer.bytesMax(zone);
        return slotBytes == 0 ? super.claim(zone, entries, contentBytes)
            : ring().claim(zone, entries, contentBytes, slotBytes);
    }

    /** The length of a chunk is the result of its removal. */
    @Override
    public void removing(long length) {
        writer.removing(length);
    }

    @Override
    public void commit(long record, boolean isGroup) {
        ring().complete(record, writer);
        super.commit(record, isGroup);
    }
}
