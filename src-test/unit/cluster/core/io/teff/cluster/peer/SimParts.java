package io.teff.cluster.peer;

/** Makes the parts of a simulated peer that are models in some runs, and real in others. */
interface SimParts {
    /** Models of the log and the store, in the heap. */
    SimParts MODELS = new SimParts() {
        @Override
        public SimDisk disk(SimPeer peer) {
            return new ModelDisk(peer);
        }
    };

    /** Makes the disk of a peer, before its first process. */
    SimDisk disk(SimPeer peer);
}
