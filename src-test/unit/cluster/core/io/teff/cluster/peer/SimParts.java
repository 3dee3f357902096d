package io.teff.cluster.peer;

import io.teff.cluster.ship.ShipRing;

/** Makes the parts of a simulated peer that are models in some runs, and real in others. */
interface SimParts {
    /** Models of the log and the store, in the heap. */
    SimParts MODELS = new SimParts() {
        @Override
        public SimDisk disk(SimPeer peer) {
            return new ModelDisk(peer);
        }

        @Override
        public SimStore store(SimPeer peer, ShipRing ring) {
            return new ModelZones(ring, peer.stops(), () -> peer.hasMemory,
                peer.plant().isRecordedAtOnce());
        }
    };

    /** Returns the bytes of the ring of a peer. */
    default int ringBytes() {
        return 64 << 10;
    }

    /** Makes the disk of a peer, before its first process. */
    SimDisk disk(SimPeer peer);

    /** Makes the store of a life, whose journal is a ring. */
    SimStore store(SimPeer peer, ShipRing ring);
}
