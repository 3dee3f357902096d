package io.teff.cluster.peer;

import io.teff.cluster.ship.ShipRing;

/** Makes real stores, and real logs on disks in memory. */
final class RealParts implements SimParts {
    private final RealDisk.Counts counts;

    RealParts(RealDisk.Counts counts) {
        this.counts = counts;
    }

    @Override
    public SimDisk disk(SimPeer peer) {
        return new RealDisk(peer, counts);
    }

    @Override
    public SimStore store(SimPeer peer, ShipRing ring) {
        return new RealStore(peer, ring);
    }
}
