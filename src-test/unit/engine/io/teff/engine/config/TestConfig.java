package io.teff.engine.config;

import io.teff.engine.os.Platform;
import io.teff.engine.os.StoreSeams;

/** Sets the parts of a configuration that only tests set. */
public final class TestConfig {
    private TestConfig() {}

    /** Replaces the seams to the machine. */
    public static StoreConfig.Builder platform(StoreConfig.Builder builder, Platform platform) {
        StoreSeams before = builder.seams();
        return builder.seams(new StoreSeams(platform, before.stripes(), before.defragSlackBytes()));
    }

    /** Sets the number of stripes; with few, chunks share them. */
    public static StoreConfig.Builder stripes(StoreConfig.Builder builder, int stripes) {
        StoreSeams before = builder.seams();
        return builder.seams(new StoreSeams(before.platform(), stripes, before.defragSlackBytes()));
    }

    /** Sets the slack that starts the background defragmentation; with little, it always runs. */
    public static StoreConfig.Builder defragSlackBytes(StoreConfig.Builder builder, long bytes) {
        StoreSeams before = builder.seams();
        return builder.seams(new StoreSeams(before.platform(), before.stripes(), bytes));
    }
}
