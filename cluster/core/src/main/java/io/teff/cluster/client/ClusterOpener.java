package io.teff.cluster.client;

import io.teff.cluster.ClusterStore;
import io.teff.engine.ChunkStore;
import io.teff.engine.StoreOpener;

/** Connects to clusters by the addresses of superpeers, for {@link ChunkStore#open}. */
public final class ClusterOpener implements StoreOpener {
    /** For the service loader. */
    public ClusterOpener() {}

    @Override
    public boolean opens(String scheme) {
        return !scheme.equals("file") && !scheme.equals("memory");
    }

    @Override
    public ChunkStore open(String address) {
        return ClusterStore.connect(address.split(",", -1));
    }
}
