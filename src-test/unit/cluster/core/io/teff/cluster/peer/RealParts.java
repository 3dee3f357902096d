package io.teff.cluster.peer;

import io.teff.cluster.ship.ShipRing;

/** Makes real stores, and real logs on disks in memory. */
final class RealParts implements SimParts {
    private static final int RING_BYTES_OF_MAPS = 256 << 10;

    private final RealDisk.Counts counts;
    private final boolean hasMaps;

    RealParts(RealDisk.Counts counts) {
        this(counts, false);
    }

    /**
     * Makes parts.
     *
     * @param hasMaps whether clients use maps, and no chunks but the pair
     */
    RealParts(RealDisk.Counts counts, boolean hasMaps) {
        this.counts = counts;
        this.hasMaps = hasMaps;
    }

    @Override
    public int ringBytes() {
        return hasMaps ? RING_BYTES_OF_MAPS : SimParts.super.ringBytes();
    }

    @Override
    public SimDisk disk(SimPeer peer) {
        return new RealDisk(peer, counts);
    }

    @Override
    public SimStore store(SimPeer peer, ShipRing ring) {
        return new RealStore(peer, ring, hasMaps);
    }
}
