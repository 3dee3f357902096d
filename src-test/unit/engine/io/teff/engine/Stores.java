package io.teff.engine;

import io.teff.engine.os.Platform;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.os.Disk;
import io.teff.engine.os.Clock;

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

    public static Store open(Clock time) {
        return Store.open(TestConfig.platform(small(), Platform.SYSTEM.withClock(time)).build());
    }

    /** The parts of a store, for tests that look inside. */
    public static Core core(Store store) {
        return store.core();
    }

    /** Number of allocation stripes of a store. */
    public static int allocStripes(Store store) {
        return store.core().allocStripes.count();
    }
}
