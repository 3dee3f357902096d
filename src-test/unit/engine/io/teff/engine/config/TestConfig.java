package io.teff.engine.config;

import io.teff.engine.os.Background;
import io.teff.engine.os.Disk;
import io.teff.engine.os.StoreSeams;
import io.teff.engine.os.Time;

/** Sets the parts of a configuration that only tests set. */
public final class TestConfig {
    private TestConfig() {}

    /** Replaces the outside world. */
    public static StoreConfig.Builder seams(StoreConfig.Builder builder, Time time, Disk disk, Background background) {
        StoreSeams before = builder.seams();
        return builder.seams(new StoreSeams(time, disk, background, before.stripes(), before.defragSlackBytes()));
    }

    /** Sets the number of stripes; with few, chunks share them. */
    public static StoreConfig.Builder stripes(StoreConfig.Builder builder, int stripes) {
        StoreSeams before = builder.seams();
        return builder.seams(new StoreSeams(before.time(), before.disk(), before.background(), stripes,
            before.defragSlackBytes()));
    }

    /** Sets the slack that starts the background defragmentation; with little, it always runs. */
    public static StoreConfig.Builder defragSlackBytes(StoreConfig.Builder builder, long bytes) {
        StoreSeams before = builder.seams();
        return builder.seams(new StoreSeams(before.time(), before.disk(), before.background(), before.stripes(),
            bytes));
    }
}
