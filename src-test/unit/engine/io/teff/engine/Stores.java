package io.teff.engine;

import io.teff.engine.care.StoreCare;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.engine.storage.CollectionChunks;

/** Small stores for tests. */
public final class Stores {
    private Stores() {}

    public static StoreConfig.Builder small() {
        return TestConfig.stripes(StoreConfig.builder().memoryLimitBytes(64 << 20), 64);
    }

    public static Store open() {
        return Store.open(small().build());
    }

    public static Store open(int mebibytes) {
        return Store.open(small().memoryLimitBytes((long) mebibytes << 20).build());
    }

    public static Store open(Clock clock) {
        return Store.open(TestConfig.platform(small(), Platform.SYSTEM.withClock(clock)).build());
    }

    /** Returns the chunk space of a store, for tests of its internals. */
    public static ChunkSpace space(Store store) {
        return store.core().space;
    }

    /** Returns the care of a store, for tests that stop all changes. */
    public static StoreCare care(Store store) {
        return store.core().care;
    }

    /** Returns the chunks of a store as a collection uses them. */
    public static CollectionChunks nodes(Store store) {
        return store.core().grouped(store.handle());
    }
}
