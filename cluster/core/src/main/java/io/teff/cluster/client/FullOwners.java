package io.teff.cluster.client;

import java.util.BitSet;

/** The owners without memory for the chunk of one call. For one thread. */
final class FullOwners {
    private final BitSet nids = new BitSet();

    void add(int nid) {
        nids.set(nid);
    }

    boolean has(int nid) {
        return nids.get(nid);
    }
}
