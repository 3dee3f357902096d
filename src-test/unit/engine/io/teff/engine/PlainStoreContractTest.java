package io.teff.engine;

import io.teff.engine.config.StoreConfig;
import io.teff.test.store.ChunkStoreContract;

/** The contract of all stores, kept by a store in memory. */
final class PlainStoreContractTest extends ChunkStoreContract {
    @Override
    protected ChunkStore open(StoreConfig config) {
        return Store.open(config);
    }
}
