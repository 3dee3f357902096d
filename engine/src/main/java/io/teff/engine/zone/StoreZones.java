package io.teff.engine.zone;

import io.teff.engine.Store;

/** The zones of a store. */
final class StoreZones {
    private StoreZones() {}

    static Zones of(Store store) {
        throw new UnsupportedOperationException("zones are being built: " + store);
    }
}
