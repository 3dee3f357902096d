package io.teff.recovery;

import io.teff.engine.config.StoreConfig;
import io.teff.engine.os.Platform;
import io.teff.recovery.log.file.LogConfig;
import java.util.Objects;

/**
 * What a durable store is opened with. Immutable; made by {@link #builder()}. Every value has a default, and each may
 * be another one each time a store is opened, but for that of {@link Builder#segmentBytes}.
 */
public final class DurableConfig {
    private static final int SPARE_BLOCKS = 4;
    private static final int PAGE_BYTES = 4096;
    private static final int BUFFER_BYTES_MIN = 1 << 23;

    private final StoreConfig store;
    private final Level level;
    private final LogConfig log;
    private final int restoreThreads;
    private final RestoreProgress progress;
    private final boolean acceptsDamage;
    private final Platform platform;

    private DurableConfig(Builder builder) {
        store = builder.store;
        level = builder.level;
        final LogConfig base = LogConfig.DEFAULT;
        log = new LogConfig(builder.bufferBytes, builder.segmentBytes, base.blockBytes(),
            Math.max(base.primaryFileBytes(), builder.bufferBytes / 2 + SPARE_BLOCKS * PAGE_BYTES),
            base.primaryFiles(), builder.skipBytes, base.manifestBytes(), base.openZones(), builder.syncIntervalNs,
            builder.cleanPercent, builder.cleanPercent * base.urgentPercent() / base.cleanPercent());
        restoreThreads = builder.restoreThreads;
        progress = builder.progress;
        acceptsDamage = builder.acceptsDamage;
        platform = builder.platform;
    }

    /** {@return the configuration with nothing but defaults} */
    public static DurableConfig defaults() {
        return builder().build();
    }

    /** {@return a builder full of defaults} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return how the store in memory is opened} */
    public StoreConfig store() {
        return store;
    }

    /** {@return how well a change is kept when its call returns} */
    public Level level() {
        return level;
    }

    LogConfig log() {
        return log;
    }

    int restoreThreads() {
        return restoreThreads;
    }

    RestoreProgress progress() {
        return progress;
    }

    boolean acceptsDamage() {
        return acceptsDamage;
    }

    Platform platform() {
        return platform;
    }

    /** Collects values; every method checks its value at once, or {@link #build} does. Not thread-safe. */
    public static final class Builder {
        private StoreConfig store = StoreConfig.defaults();
        private Level level = Level.LOGGED;
        private int bufferBytes = LogConfig.DEFAULT.bufferBytes();
        private int segmentBytes = LogConfig.DEFAULT.segmentBytes();
        private int skipBytes = LogConfig.DEFAULT.skipBytes();
        private long syncIntervalNs = LogConfig.DEFAULT.drainNs();
        private int cleanPercent = LogConfig.DEFAULT.cleanPercent();
        private int restoreThreads = Math.max(1, Runtime.getRuntime().availableProcessors());
        private RestoreProgress progress = RestoreProgress.NONE;
        private boolean acceptsDamage;
        private Platform platform = Platform.SYSTEM;

        private Builder() {}

        /**
         * Sets how the store in memory is opened. Its NID counts for a new store; one that is there has its own.
         *
         * @param value the configuration
         * @return this
         */
        public Builder store(StoreConfig value) {
            store = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Sets how well a change is kept when its call returns.
         *
         * @param value the level, {@link Level#LOGGED} unless set
         * @return this
         */
        public Builder level(Level value) {
            level = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Sets the size of the write buffer. An operation of a collection that changes more than a quarter of it is
         * logged in parts.
         *
         * @param value bytes, a power of two from 8 MiB to 1 GiB
         * @return this
         */
        public Builder writeBufferBytes(int value) {
            check(value >= BUFFER_BYTES_MIN && Integer.bitCount(value) == 1, "writeBufferBytes", value);
            bufferBytes = value;
            return this;
        }

        /**
         * Sets the size of the log's segments, for a new store.
         *
         * @param value bytes, a multiple of 4,096 from 2 MiB
         * @return this
         */
        public Builder segmentBytes(int value) {
            segmentBytes = value;
            return this;
        }

        /**
         * Sets from when on what a zone has in a batch goes to its secondary log at once, without the primary log.
         *
         * @param value bytes; 0 for all zones, {@link Integer#MAX_VALUE} for none
         * @return this
         */
        public Builder skipBytes(int value) {
            check(value >= 0, "skipBytes", value);
            skipBytes = value;
            return this;
        }

        /**
         * Sets how long a change waits at most until it goes to the device, if nobody waits for it.
         *
         * @param value nanoseconds, 100 ms unless set
         * @return this
         */
        public Builder syncIntervalNs(long value) {
            check(value > 0, "syncIntervalNs", value);
            syncIntervalNs = value;
            return this;
        }

        /**
         * Sets how much of the log's bytes shall live, per zone of a million CIDs. More costs more copying, less more
         * disk. Who writes waits for the cleaning where two thirds of that share are not reached.
         *
         * @param value percent, 0 (never clean) to 90, 60 unless set
         * @return this
         */
        public Builder cleanPercent(int value) {
            cleanPercent = value;
            return this;
        }

        /**
         * Sets how many threads restore.
         *
         * @param value at least 1; as many as there are processors unless set
         * @return this
         */
        public Builder restoreThreads(int value) {
            check(value > 0, "restoreThreads", value);
            restoreThreads = value;
            return this;
        }

        /**
         * Sets who is told how far the opening is.
         *
         * @param value is told
         * @return this
         */
        public Builder progress(RestoreProgress value) {
            progress = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Agrees to what is lost if files are damaged: the store is opened with what can be read. That is written anew
         * before it is open, and the damaged files are deleted. Who wants to keep them copies the folder before.
         *
         * @param value whether it is agreed to, not unless set
         * @return this
         */
        public Builder acceptDamage(boolean value) {
            acceptsDamage = value;
            return this;
        }

        /** Replaces the seams to the machine, for tests and simulators. */
        Builder platform(Platform value) {
            platform = value;
            return this;
        }

        /**
         * Makes the configuration.
         *
         * @return the configuration
         * @throws IllegalArgumentException if values do not go together
         */
        public DurableConfig build() {
            return new DurableConfig(this);
        }

        private static void check(boolean isRight, String name, long value) {
            if (!isRight) {
                throw new IllegalArgumentException(name + "=" + value + " is out of range");
            }
        }
    }
}
