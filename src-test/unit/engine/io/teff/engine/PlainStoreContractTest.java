package io.teff.engine;

import io.teff.engine.config.StoreConfig;
import io.teff.test.store.ChunkStoreContract;
import org.junit.jupiter.api.Tag;

/** The contract of all stores, kept by a store in memory. */
@Tag("plain")
@Tag("modes")
final class PlainStoreContractTest extends ChunkStoreContract {
    @Override
    protected ChunkStore open(StoreConfig config) {
        return Store.open(config);
    }
}
