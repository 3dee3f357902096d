package io.teff.cluster.ship;

/**
 * The journal of a zone that is recorded once more for a new backup: writes to the ring of a peer. Reads of a chunk
 * wait for the acknowledgement of the chunk's last change, and not for records that repeat the content. Thread-safe.
 */
final class RepeatJournal extends RingJournal {
    RepeatJournal(ShipRing ring) {
        super(ring);
    }

    @Override
    public long entry(long record, long after, long cid, int kind, int length, long number) {
        return ring().repeatedEntry(record, after, cid, kind, length, number);
    }
}
