package io.teff.engine;

import io.teff.engine.compute.Compute;
import io.teff.engine.raw.RawCids;
import io.teff.engine.raw.RawCollections;
import io.teff.engine.raw.RawMaps;

/** A view of a zone beside the store's own, as a store. Thread-safe. */
final class ZoneStore extends ZoneOperations implements RawMaps.Source, RawCollections.Source, RawCids {
    private final Core core;

    ZoneStore(StoreHandle handle, Core core, Names names) {
        super(handle, core, names);
        this.core = core;
    }

    @Override
    public boolean isOpen() {
        return !core.space.stripes.isClosed() && !core.zone.isDropped();
    }

    @Override
    public RawMaps rawMaps() {
        return names().rawMaps();
    }

    @Override
    public RawCollections rawCollections() {
        return names().rawCollections();
    }

    @Override
    public int cids(long first, long[] target) {
        CidCursor cursor = ids().cursorFrom(first);
        int count = 0;
        for (long cid = Cid.NONE + 1; count < target.length; count++) {
            cid = cursor.next();
            if (cid == Cid.NONE) {
                return count;
            }
            target[count] = cid;
        }
        return count;
    }

    /** A node runs jobs itself, beside the views of its zones. */
    @Override
    public Compute compute() {
        throw new UnsupportedOperationException("a view of a zone has no jobs");
    }

    /** No effect: the zone is used until it is dropped, the store until it is closed. */
    @Override
    public void close() {}

    /** {@return the zone and the number of its chunks, for people} */
    @Override
    public String toString() {
        return "Zone[" + core.zone.nid() + " of " + core.space.config.name()
            + (core.zone.isDropped() ? ", dropped]" : ", " + core.zone.chunks() + " chunks]");
    }
}
