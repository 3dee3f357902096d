package io.teff.engine.config;

import io.teff.engine.lock.Stripes;
import io.teff.engine.os.Platform;
import io.teff.engine.os.StoreSeams;
import io.teff.engine.os.SystemInfo;
import io.teff.engine.os.Units;
import io.teff.engine.table.CidLayout;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a store, created by a {@link #builder()}. Immutable and thread-safe. Every value has a default
 * that suits an embedded store.
 */
public final class StoreConfig {
    /** Number of default names given so far. */
    private static final AtomicLong DEFAULT_NAMES = new AtomicLong();
    /** Default of the memory limit, in percent of the machine's memory. */
    private static final long MEMORY_SHARE_PERCENT = 75;

    private static final int DEFRAG_CPU_PERCENT_DEFAULT = 25;
    private static final int DEFRAG_CPU_PERCENT_MAX = 100;

    private final String name;
    private final int nid;
    private final long memoryLimitBytes;
    private final long lockTimeoutNs;
    private final DebugLevel debugLevel;
    private final boolean hugePages;
    private final int defragCpuPercent;
    private final NativeAccess nativeAccess;
    private final StoreSeams seams;

    static {
        StoreSeams.registerBy(config -> ((StoreConfig) config).seams,
            (config, seams) -> ((StoreConfig) config).toBuilder().seams(seams).build());
    }

    private StoreConfig(Builder builder) {
        name = builder.name != null ? builder.name : "store-" + DEFAULT_NAMES.incrementAndGet();
        nid = builder.nid;
        memoryLimitBytes = builder.memoryLimitBytes != 0 ? builder.memoryLimitBytes
            : Math.clamp(SystemInfo.memoryBytes() / 100 * MEMORY_SHARE_PERCENT, Limits.MEMORY_BYTES_MIN,
                Limits.MEMORY_BYTES_MAX);
        lockTimeoutNs = builder.lockTimeoutNs;
        debugLevel = builder.debugLevel;
        hugePages = builder.hugePages;
        defragCpuPercent = builder.defragCpuPercent;
        nativeAccess = builder.nativeAccess;
        seams = builder.seams;
    }

    /** {@return the configuration with all defaults} */
    public static StoreConfig defaults() {
        return builder().build();
    }

    /** {@return a builder with all defaults} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the store's name, for messages and events} */
    public String name() {
        return name;
    }

    /** {@return the NID in the CIDs that the store issues} */
    public int nid() {
        return nid;
    }

    /** {@return the maximum of the store's memory in bytes} */
    public long memoryLimitBytes() {
        return memoryLimitBytes;
    }

    /** {@return the longest wait of an operation for another thread's lock, in nanoseconds} */
    public long lockTimeoutNs() {
        return lockTimeoutNs;
    }

    /** {@return the extent of the checks that the store makes of its own memory} */
    public DebugLevel debugLevel() {
        return debugLevel;
    }

    /** {@return whether the store asks the kernel for huge pages} */
    public boolean hugePages() {
        return hugePages;
    }

    /** {@return the share of one processor that defragmentation in the background takes, in percent} */
    public int defragCpuPercent() {
        return defragCpuPercent;
    }

    /** {@return when the store uses native access for its memory} */
    public NativeAccess nativeAccess() {
        return nativeAccess;
    }

    /** {@return the values, for people} */
    @Override
    public String toString() {
        return "StoreConfig[" + name + ", nid " + nid + ", memory limit " + Units.bytes(memoryLimitBytes)
            + ", lock timeout " + Units.time(lockTimeoutNs) + ", debug level " + debugLevel
            + (hugePages ? ", huge pages" : "") + ", defragmentation " + defragCpuPercent + " %]";
    }

    /** {@return a builder with this configuration's values} */
    public Builder toBuilder() {
        return builder().name(name).nid(nid).memoryLimitBytes(memoryLimitBytes).lockTimeoutNs(lockTimeoutNs)
            .debugLevel(debugLevel).hugePages(hugePages).defragCpuPercent(defragCpuPercent).nativeAccess(nativeAccess)
            .seams(seams);
    }

    /**
     * Collects the values of a configuration. Each method throws {@link IllegalArgumentException} if its argument is
     * out of range. Not thread-safe.
     */
    public static final class Builder {
        private @Nullable String name;
        private int nid;
        private long memoryLimitBytes;
        private long lockTimeoutNs = Limits.LOCK_TIMEOUT_NS_DEFAULT;
        private DebugLevel debugLevel = DebugLevel.OFF;
        private boolean hugePages;
        private int defragCpuPercent = DEFRAG_CPU_PERCENT_DEFAULT;
        private NativeAccess nativeAccess = NativeAccess.IF_ENABLED;
        private StoreSeams seams = new StoreSeams(Platform.SYSTEM, Stripes.COUNT_DEFAULT, -1);

        private Builder() {}

        /**
         * Sets the name of the store for messages and events; default "store-" and a number.
         *
         * @param value any name
         * @return this
         */
        public Builder name(String value) {
            name = Objects.requireNonNull(value, "name");
            return this;
        }

        /**
         * Sets the node id of the CIDs that the store issues; default 0.
         *
         * @param value 0 to {@link io.teff.engine.Cid#NID_MAX}
         * @return this
         */
        public Builder nid(int value) {
            if (value < 0 || value > CidLayout.NID_MAX) {
                throw new IllegalArgumentException("nid=" + value + " is not in 0 to " + CidLayout.NID_MAX);
            }
            nid = value;
            return this;
        }

        /**
         * Sets the limit of the store's memory, table and metadata included; default three quarters of the memory of
         * the machine or control group. The limit is rounded up to a multiple of 4 MiB. Memory is not committed before
         * it is used. Creates that would exceed the limit return {@code Status.FULL}.
         *
         * @param value bytes, {@link Limits#MEMORY_BYTES_MIN} to {@link Limits#MEMORY_BYTES_MAX}
         * @return this
         */
        public Builder memoryLimitBytes(long value) {
            if (value < Limits.MEMORY_BYTES_MIN || value > Limits.MEMORY_BYTES_MAX) {
                throw new IllegalArgumentException("memoryLimitBytes=" + value + " is not in "
                    + Limits.MEMORY_BYTES_MIN + " to " + Limits.MEMORY_BYTES_MAX + " bytes");
            }
            memoryLimitBytes = value;
            return this;
        }

        /**
         * Sets the longest wait of an operation for another thread's lock; then the operation returns
         * {@code Status.LOCKED}. Default 10 s.
         *
         * @param value nanoseconds; 0 tries once, {@link Long#MAX_VALUE} waits without a limit
         * @return this
         */
        public Builder lockTimeoutNs(long value) {
            if (value < 0) {
                throw new IllegalArgumentException("lockTimeoutNs=" + value + " is not in 0 to " + Long.MAX_VALUE
                    + " nanoseconds");
            }
            lockTimeoutNs = value;
            return this;
        }

        /**
         * Sets the extent of the checks that the store makes of its own memory; default {@link DebugLevel#OFF}.
         *
         * @param value the level
         * @return this
         */
        public Builder debugLevel(DebugLevel value) {
            debugLevel = Objects.requireNonNull(value, "debugLevel");
            return this;
        }

        /**
         * Sets whether the store asks the kernel for huge pages of 2 MiB, which make random access in large stores
         * faster, and the first touch of a page slower. Has an effect only with native access. Default false.
         *
         * @param value true to ask
         * @return this
         */
        public Builder hugePages(boolean value) {
            hugePages = value;
            return this;
        }

        /**
         * Sets the share of one processor that defragmentation in the background takes; default 25. Defragmentation
         * runs only after removes and resizes have left much memory unused. If they free memory faster than
         * defragmentation can reclaim it, the share rises up to a whole processor; beyond that, removes and resizes are
         * slowed down, so that the memory in use shrinks with the data.
         *
         * @param value percent, 0 to 100; 0 leaves defragmentation to {@link io.teff.engine.Store#defragment()}
         * @return this
         */
        public Builder defragCpuPercent(int value) {
            if (value < 0 || value > DEFRAG_CPU_PERCENT_MAX) {
                throw new IllegalArgumentException("defragCpuPercent=" + value + " is not in 0 to "
                    + DEFRAG_CPU_PERCENT_MAX + " percent");
            }
            defragCpuPercent = value;
            return this;
        }

        /**
         * Sets when the store uses native access for its memory; default {@link NativeAccess#IF_ENABLED}. Effective
         * for the first store of a JVM: later stores have the same mode.
         *
         * @param value when
         * @return this
         */
        public Builder nativeAccess(NativeAccess value) {
            nativeAccess = Objects.requireNonNull(value, "nativeAccess");
            return this;
        }

        /** Replaces the seams, for tests. */
        Builder seams(StoreSeams value) {
            seams = value;
            return this;
        }

        StoreSeams seams() {
            return seams;
        }

        /** {@return the configuration} */
        public StoreConfig build() {
            return new StoreConfig(this);
        }
    }
}
