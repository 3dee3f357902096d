package io.teff.cluster.archive;

import io.teff.cluster.slot.SlotLog;
import io.teff.engine.error.StoreException;
import io.teff.engine.journal.Journal;
import io.teff.engine.raw.RawCids;
import io.teff.engine.zone.ZoneFill;

/**
 * Fills a zone at its owner with entries from a backup. Each entry goes into memory, and as a record to the backups of
 * the zone. For one thread at a time.
 */
final class ZoneFilling {
    private static final int CIDS = 4096;

    private final ArchiveHome home;
    private final ZoneFill fill;
    private final SlotLog log;

    ZoneFilling(ArchiveHome home, ZoneFill fill) {
        this.home = home;
        this.fill = fill;
        log = new SlotLog(home.ring().repeating());
    }

    /** Records that chunks are removed: those of a zone that is filled anew. */
    static void remove(ArchiveHome home, int zone, RawCids of) {
        final SlotLog log = new SlotLog(home.ring().repeating());
        final long[] cids = new long[CIDS];
        long first = 0;
        int count = CIDS;
        while (count == CIDS) {
            count = of.cids(first, cids);
            for (int i = 0; i < count; i++) {
                log.removed(zone, cids[i]);
            }
            first = count == 0 ? 0 : EntryBytes.index(cids[count - 1]) + 1;
            home.shipper().kick();
        }
        log.removed(zone, EntryBytes.cid(zone, 0));
        home.shipper().kick();
    }

    ZoneFill fill() {
        return fill;
    }

    /**
     * Fills entries in. The call can be repeated.
     *
     * @param entries accepted by {@link EntryBytes#fault}
     * @throws StoreException if the backups lag behind, or memory is missing
     */
    void put(EntryBytes entries) {
        entries.rewind();
        while (entries.next()) {
            log.begin();
            fill(entries);
            log.chunk(fill.zone(), entries.cid(), entries.kind(), entries.memory(), entries.contentAt(),
                entries.length());
        }
        home.shipper().kick();
    }

    private void fill(EntryBytes entries) {
        switch (entries.kind()) {
            case Journal.PUT, Journal.PUT_READ_ONLY -> fill.put(entries.cid(), entries.kind() == Journal.PUT_READ_ONLY,
                entries.memory(), entries.contentAt(), entries.length());
            case Journal.REMOVED -> fill.removed(entries.cid());
            default -> fill.reserved(entries.cid());
        }
    }
}
