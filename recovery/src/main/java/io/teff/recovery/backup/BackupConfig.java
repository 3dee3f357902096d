package io.teff.recovery.backup;

import io.teff.engine.Cid;
import io.teff.engine.os.Platform;
import io.teff.recovery.log.file.LogConfig;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of the log of a backup. Immutable; made by {@link #builder()}. Every value has a default and may differ
 * from one opening to the next, except {@link Builder#segmentBytes} and {@link Builder#nid}.
 */
public final class BackupConfig {
    private static final int BUFFER_BYTES_MIN = 1 << 16;
    private static final int SPARE_BYTES = 1 << 14;

    private final LogConfig log;
    private final int nid;
    private final int threads;
    private final boolean hasOwnThreads;
    private final Platform platform;

    private BackupConfig(Builder builder) {
        log = builder.sizes != null ? builder.sizes : sizes(builder);
        nid = builder.nid;
        threads = builder.threads;
        hasOwnThreads = builder.hasOwnThreads;
        platform = builder.platform;
    }

    private static LogConfig sizes(Builder builder) {
        final LogConfig base = LogConfig.DEFAULT;
        final long primary = Math.max(Math.min(base.primaryFileBytes(), 2L * builder.bufferBytes),
            builder.bufferBytes / 2L + SPARE_BYTES);
        return new LogConfig(builder.bufferBytes, builder.segmentBytes, base.blockBytes(), (int) primary,
            base.primaryFiles(), Integer.MAX_VALUE, base.manifestBytes(), base.openZones(), builder.syncIntervalNs,
            builder.cleanPercent, builder.cleanPercent * base.urgentPercent() / base.cleanPercent());
    }

    /** {@return a builder full of defaults} */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the sizes of the log. No zone skips the primary log, see {@link BackupLog}. */
    LogConfig log() {
        return log;
    }

    /** Returns the NID of the peer. */
    int nid() {
        return nid;
    }

    /** Returns the number of threads that read the log at an opening. */
    int threads() {
        return threads;
    }

    /** Returns whether the log has threads of its own. */
    boolean hasOwnThreads() {
        return hasOwnThreads;
    }

    /** Returns the seams to the machine. */
    Platform platform() {
        return platform;
    }

    /** Collects values; every method checks its value at once, or {@link #build} does. Not thread-safe. */
    public static final class Builder {
        private int bufferBytes = LogConfig.DEFAULT.bufferBytes();
        private int segmentBytes = LogConfig.DEFAULT.segmentBytes();
        private long syncIntervalNs = LogConfig.DEFAULT.drainNs();
        private int cleanPercent = LogConfig.DEFAULT.cleanPercent();
        private int nid;
        private int threads = Math.max(1, Runtime.getRuntime().availableProcessors());
        private boolean hasOwnThreads = true;
        private Platform platform = Platform.SYSTEM;
        private @Nullable LogConfig sizes;

        private Builder() {}

        /**
         * Sets the size of the write buffer, which also limits the bytes of a run, and how much of a copy's end
         * {@link BackupLog#tail} has.
         *
         * @param value bytes, a power of two from 64 KiB to 1 GiB; 32 MiB unless set. Runs of any length fit from 16
         *     MiB on
         * @return this
         */
        public Builder writeBufferBytes(int value) {
            if (Integer.bitCount(value) != 1) {
                throw new IllegalArgumentException("writeBufferBytes=" + value + " is not a power of two");
            }
            check("writeBufferBytes", value, BUFFER_BYTES_MIN, LogConfig.BUFFER_MAX, "bytes");
            bufferBytes = value;
            return this;
        }

        /**
         * Sets the size of the log's segments, for a new log.
         *
         * @param value bytes, a multiple of 4,096; a quarter of the write buffer must fit, or 1 MiB if that is less
         * @return this
         */
        public Builder segmentBytes(int value) {
            segmentBytes = value;
            return this;
        }

        /**
         * Sets the longest time between an append and the write to the device when no caller waits for the write.
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
         * Sets the share of live bytes that cleaning keeps the log at, per copy and million CIDs. Where the share is
         * below two thirds of this value, appends are refused until it is cleaned.
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
         * Sets the NID of the peer, for a new log.
         *
         * @param value the NID, 0 unless set
         * @return this
         */
        public Builder nid(int value) {
            check("nid", value, 0, Cid.NID_MAX, "");
            nid = value;
            return this;
        }

        /**
         * Sets the number of threads that read the log at an opening.
         *
         * @param value at least 1; the number of processors unless set. With 1, and without threads of its own, the
         *     opening thread reads
         * @return this
         */
        public Builder openThreads(int value) {
            check("openThreads", value, 1, Integer.MAX_VALUE, "threads");
            threads = value;
            return this;
        }

        /**
         * Sets whether the log has threads of its own. Without such threads, only {@link BackupLog#work} and waiting
         * calls write, clean and report appends as synced.
         *
         * @param value true unless set
         * @return this
         */
        public Builder ownThreads(boolean value) {
            hasOwnThreads = value;
            return this;
        }

        /**
         * Replaces the seams to the machine, for simulators.
         *
         * @param value disk, threads, clock and random numbers
         * @return this
         */
        public Builder platform(Platform value) {
            platform = Objects.requireNonNull(value);
            return this;
        }

        /** Replaces all sizes, for tests; no zone may skip the primary log. */
        Builder sizes(LogConfig value) {
            assert value.skipBytes() == Integer.MAX_VALUE : value;
            sizes = value;
            return this;
        }

        /**
         * Makes the configuration.
         *
         * @return the configuration
         * @throws IllegalArgumentException if values contradict each other
         */
        public BackupConfig build() {
            return new BackupConfig(this);
        }

        private static void check(String name, long value, long min, long max, String unit) {
            if (value < min || value > max) {
                throw new IllegalArgumentException(name + "=" + value + " is not in " + min + " to " + max + ' '
                    + unit);
            }
        }
    }
}
