package io.teff.recovery;

import io.teff.engine.ChunkStore;
import io.teff.engine.config.StoreConfig;
import io.teff.test.store.ChunkStoreContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract of all stores, kept by a durable one. */
final class DurableStoreContractTest extends ChunkStoreContract {
    private final List<DurableStore> opened = new ArrayList<>();

    @TempDir
    private Path folder;

    @Override
    protected ChunkStore open(StoreConfig config) {
        DurableStore durable = DurableStore.open(folder.resolve("store" + opened.size()),
            DurableConfig.builder().store(config).build());
        opened.add(durable);
        return durable.store();
    }

    @AfterEach
    void closeLogs() {
        opened.forEach(DurableStore::close);
    }
}
