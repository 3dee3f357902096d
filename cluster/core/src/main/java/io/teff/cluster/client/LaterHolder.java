package io.teff.cluster.client;

import io.teff.cluster.service.HoldLostException;

/** Answer of a fence to the holder of a lock. */
final class LaterHolder {
    private LaterHolder() {}

    /** Returns the exception for a change, or an opening, by an earlier holder. */
    static HoldLostException exception() {
        return new HoldLostException("a later holder has opened the collection behind its fence");
    }
}
