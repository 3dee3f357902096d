package io.teff.cluster.peer;

import io.teff.cluster.ship.ShipRing;

/** Makes real stores, and real logs on disks in memory. */
final class RealParts implements SimParts {
    private static final int RING_BYTES_OF_MAPS = 256 << 10;
    /** Records of lists have up to three segments of 32 KiB, and runs with events grow to 256 KiB. */
    private static final int SCALE_OF_LISTS = 4;

    private final RealDisk.Counts counts;
    private final boolean hasMaps;
    private final int scale;

    RealParts(RealDisk.Counts counts) {
        this(counts, false, 1);
    }

    /**
     * Makes parts.
     *
     * @param hasMaps whether clients use maps, and no chunks but the pair
     */
    RealParts(RealDisk.Counts counts, boolean hasMaps) {
        this(counts, hasMaps, 1);
    }

    private RealParts(RealDisk.Counts counts, boolean hasMaps, int scale) {
        this.counts = counts;
        this.hasMaps = hasMaps;
        this.scale = scale;
    }

    /** Returns parts for clients that use all kinds of collections. */
    static RealParts ofCollections() {
        return new RealParts(new RealDisk.Counts(), true, SCALE_OF_LISTS);
    }

    @Override
    public int ringBytes() {
        return hasMaps ? scale * RING_BYTES_OF_MAPS : SimParts.super.ringBytes();
    }

    @Override
    public SimDisk disk(SimPeer peer) {
        return new RealDisk(peer, counts, scale);
    }

    @Override
    public SimStore store(SimPeer peer, ShipRing ring) {
        return new RealStore(peer, ring, hasMaps);
    }
}
