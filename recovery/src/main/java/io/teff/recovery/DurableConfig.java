package io.teff.recovery;

import io.teff.engine.config.StoreConfig;
import io.teff.engine.os.Platform;
import io.teff.engine.os.Units;
import io.teff.recovery.log.file.LogConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Configuration of a durable store. Immutable; made by {@link #builder()}. Every value has a default and may differ
 * from one opening to the next, except {@link Builder#segmentBytes}.
 */
public final class DurableConfig {
    private static final int SPARE_BLOCKS = 4;
    private static final int PAGE_BYTES = 4096;
    private static final int BUFFER_BYTES_MIN = 1 << 23;
    /** Heap that the restore of a full zone takes. */
    private static final long ZONE_BYTES = 13L << 20;
    /** The part of the heap for a restore: 1 divided by this number. */
    private static final int HEAP_SHARE = 4;
    private static final int BUFFER_BYTES_MAX = LogConfig.BUFFER_MAX;
    private static final int UNSET = 0;
    /** On small disks: segments as long as a write buffer, and files of frames before the oldest one is trimmed. */
    private static final int SEGMENTS_PER_BUFFER = 4;
    private static final int SMALL_FILES = 2;

    private final StoreConfig store;
    private final Level level;
    private final LogConfig log;
    private final List<LogConfig> smaller;
    private final int restoreThreads;
    private final RestoreProgress progress;
    private final boolean acceptsDamage;
    private final Platform platform;

    private DurableConfig(Builder builder) {
        store = builder.store;
        level = builder.level;
        final int bufferBytes = builder.bufferBytes == UNSET ? LogConfig.DEFAULT.bufferBytes() : builder.bufferBytes;
        log = sizes(builder, bufferBytes, LogConfig.DEFAULT.segmentBytes(), LogConfig.DEFAULT.primaryFiles());
        smaller = builder.bufferBytes == UNSET ? smaller(builder) : List.of();
        restoreThreads = builder.restoreThreads;
        progress = builder.progress;
        acceptsDamage = builder.acceptsDamage;
        platform = builder.platform;
    }

    private static LogConfig sizes(Builder builder, int bufferBytes, int segmentBytes, int files) {
        final LogConfig base = LogConfig.DEFAULT;
        final int frameFileBytes = Math.max(Math.min(base.primaryFileBytes(), bufferBytes),
            bufferBytes / 2 + SPARE_BLOCKS * PAGE_BYTES);
        return new LogConfig(bufferBytes, builder.segmentBytes == UNSET ? segmentBytes : builder.segmentBytes,
            base.blockBytes(), frameFileBytes, frameFileBytes > base.primaryFileBytes() ? files / 2 : files,
            builder.skipBytes, base.manifestBytes(), base.openZones(), builder.syncIntervalNs,
            builder.cleanPercent, builder.cleanPercent * base.urgentPercent() / base.cleanPercent(),
            builder.hasReserve);
    }

    /** Returns the sizes for smaller disks: fewer files of frames first, then a smaller write buffer. */
    private static List<LogConfig> smaller(Builder builder) {
        final List<LogConfig> all = new ArrayList<>();
        for (int bytes = LogConfig.DEFAULT.bufferBytes(); bytes >= BUFFER_BYTES_MIN; bytes /= 2) {
            all.add(sizes(builder, bytes, Math.min(LogConfig.DEFAULT.segmentBytes(), bytes / SEGMENTS_PER_BUFFER),
                bytes > BUFFER_BYTES_MIN ? SMALL_FILES : 1));
        }
        return all;
    }

    /** {@return the configuration with nothing but defaults} */
    public static DurableConfig defaults() {
        return builder().build();
    }

    /** {@return a builder full of defaults} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the configuration of the store in memory} */
    public StoreConfig store() {
        return store;
    }

    /** {@return the durability of a change when its call returns} */
    public Level level() {
        return level;
    }

    /** {@return the values, for people} */
    @Override
    public String toString() {
        return "DurableConfig[" + store + ", level " + level + ", write buffer " + Units.bytes(log.bufferBytes())
            + ", segments of " + Units.bytes(log.segmentBytes()) + ", synced each " + Units.time(log.drainNs())
            + ", cleaned below " + log.cleanPercent() + " %" + (acceptsDamage ? ", accepts damage" : "") + ']';
    }

    LogConfig log() {
        return log;
    }

    /** Returns the sizes for smaller disks, in falling order; none if the size of the write buffer was set. */
    List<LogConfig> smaller() {
        return smaller;
    }

    /** Returns the number of threads that restore: fewer than wanted if the heap is small, as each needs memory. */
    int restoreThreads() {
        final long perThread = HEAP_SHARE * (ZONE_BYTES + log.segmentBytes());
        return Math.clamp(Runtime.getRuntime().maxMemory() / perThread, 1, restoreThreads);
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
        private int bufferBytes = UNSET;
        private int segmentBytes = UNSET;
        private int skipBytes = LogConfig.DEFAULT.skipBytes();
        private long syncIntervalNs = LogConfig.DEFAULT.drainNs();
        private int cleanPercent = LogConfig.DEFAULT.cleanPercent();
        private int restoreThreads = Math.max(1, Runtime.getRuntime().availableProcessors());
        private RestoreProgress progress = RestoreProgress.NONE;
        private boolean acceptsDamage;
        private boolean hasReserve = true;
        private Platform platform = Platform.SYSTEM;

        private Builder() {}

        /**
         * Sets the configuration of the store in memory. Its NID is used when a store is created; an existing store
         * keeps its own.
         *
         * @param value the configuration
         * @return this
         */
        public Builder store(StoreConfig value) {
            store = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Sets the durability of a change when its call returns.
         *
         * @param value the level, {@link Level#LOGGED} unless set
         * @return this
         */
        public Builder level(Level value) {
            level = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Sets the size of the write buffer. An operation of a collection that changes more than a quarter of the
         * buffer is logged in parts. The sizes of files of frames and of the reserve follow from the buffer's size. The
         * default is 32 MiB, or less if the log can have less than 450 MiB of its disk.
         *
         * @param value bytes, a power of two from 8 MiB to 1 GiB
         * @return this
         */
        public Builder writeBufferBytes(int value) {
            if (Integer.bitCount(value) != 1) {
                throw new IllegalArgumentException("writeBufferBytes=" + value + " is not a power of two");
            }
            check("writeBufferBytes", value, BUFFER_BYTES_MIN, BUFFER_BYTES_MAX, "bytes");
            bufferBytes = value;
            return this;
        }

        /**
         * Sets the size of the log's segments, for a new store. The default is 8 MiB, or a quarter of the write buffer
         * on a small disk.
         *
         * @param value bytes, a multiple of 4,096 from 2 MiB
         * @return this
         */
        public Builder segmentBytes(int value) {
            check("segmentBytes", value, PAGE_BYTES, Integer.MAX_VALUE, "bytes");
            segmentBytes = value;
            return this;
        }

        /**
         * Sets the size from which the changes of a zone in a drain skip the primary log and go directly to the
         * secondary log of the zone.
         *
         * @param value bytes; with 0 all zones skip the primary log, with {@link Integer#MAX_VALUE} no zone does
         * @return this
         */
        public Builder skipBytes(int value) {
            check("skipBytes", value, 0, Integer.MAX_VALUE, "bytes");
            skipBytes = value;
            return this;
        }

        /**
         * Sets the longest time between a change and the change's write to the device when no thread waits for the
         * write.
         *
         * @param value nanoseconds, 100 ms unless set
         * @return this
         */
        public Builder syncIntervalNs(long value) {
            check("syncIntervalNs", value, 1, Long.MAX_VALUE, "nanoseconds");
            syncIntervalNs = value;
            return this;
        }

        /**
         * Sets the share of live bytes that cleaning keeps the log at, per zone of a million CIDs. A larger share
         * costs more copying, a smaller one more disk. Where the share is below two thirds of this value, writers wait
         * for the cleaning.
         *
         * @param value percent, 0 (never clean) to 90, 60 unless set
         * @return this
         */
        public Builder cleanPercent(int value) {
            check("cleanPercent", value, 0, LogConfig.CLEAN_PERCENT_MAX, "percent");
            cleanPercent = value;
            return this;
        }

        /**
         * Sets the number of threads that restore. The number is reduced if the maximum heap is below about 84 MiB per
         * thread, because each thread needs up to 13 MiB of heap and a segment of direct memory.
         *
         * @param value at least 1; the number of processors unless set
         * @return this
         */
        public Builder restoreThreads(int value) {
            check("restoreThreads", value, 1, Integer.MAX_VALUE, "threads");
            restoreThreads = value;
            return this;
        }

        /**
         * Sets the listener that receives the progress of an opening.
         *
         * @param value the listener
         * @return this
         */
        public Builder progress(RestoreProgress value) {
            progress = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Accepts the loss of damaged data: the store is opened with everything that can be read. This data is written
         * again before the opening ends, and the damaged files are deleted; copy the folder before to keep them.
         *
         * @param value true to accept it; false unless set
         * @return this
         */
        public Builder acceptDamage(boolean value) {
            acceptsDamage = value;
            return this;
        }

        /**
         * Sets whether the store keeps room on its disk, so that removals, cleaning, closing and opening work when the
         * disk is full: about 96 MiB with default sizes, 24 MiB on a small disk, a segment more per 50 million CIDs.
         *
         * @param value false to keep none; true unless set
         * @return this
         */
        public Builder reserve(boolean value) {
            hasReserve = value;
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
         * @throws IllegalArgumentException if values contradict each other
         */
        public DurableConfig build() {
            return new DurableConfig(this);
        }

        private static void check(String name, long value, long min, long max, String unit) {
            if (value < min || value > max) {
                throw new IllegalArgumentException(name + "=" + value + " is not in " + min + " to " + max + ' '
                    + unit);
            }
        }
    }
}
