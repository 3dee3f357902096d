package io.teff.engine;

import io.teff.engine.os.Platform;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Disk;
import io.teff.engine.os.Threads;

/** Small stores for tests. */
final class Stores {
    private Stores() {}

    static StoreConfig.Builder small() {
        return StoreConfig.builder().memoryLimitBytes(64 << 20).stripes(64);
    }

    static Store open() {
        return Store.open(small().build());
    }

    static Store open(int mebibytes) {
        return Store.open(small().memoryLimitBytes((long) mebibytes << 20).build());
    }

    static Store open(Clock time) {
        return Store.open(small().platform(Platform.SYSTEM.withClock(time)).build());
    }
}
