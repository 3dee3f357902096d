package io.teff.engine;

import io.teff.engine.memory.RegionLayout;

/** The engine's limits, with units and reasons. */
public final class Limits {
    /** Largest memory limit of a store in bytes: addresses have 43 bits. */
    public static final long MEMORY_BYTES_MAX = RegionLayout.REGION_BYTES_MAX;
    /** Smallest memory limit of a store in bytes: one block. */
    public static final long MEMORY_BYTES_MIN = RegionLayout.BLOCK_BYTES;
    /** Largest chunk in bytes: a region minus its first table page. */
    public static final long CHUNK_BYTES_MAX = MEMORY_BYTES_MAX - RegionLayout.BLOCK_BYTES;
    /** Longer chunks are copied under a lock instead of optimistically or inside of their stripe. */
    static final long OPTIMISTIC_BYTES_MAX = 64 << 10;
    /** Optimistic attempts before a reader enters the stripe, so that writers cannot starve it. */
    static final int OPTIMISTIC_ATTEMPTS = 8;
    /** Default of the longest wait for another thread's lock, in nanoseconds. */
    public static final long LOCK_TIMEOUT_NS_DEFAULT = 10_000_000_000L;
    /** Longest wait of a close for running views, in nanoseconds. */
    public static final long CLOSE_TIMEOUT_NS = 10_000_000_000L;
    /** Most of the largest chunks that a report names: 64 bytes of heap each. */
    public static final int LARGEST_COUNT_MAX = 1 << 20;
    /** Changes between two audits at {@link DebugLevel#QUARANTINE}. */
    static final int CHANGES_PER_AUDIT = 1 << 16;
    /** Chunks that a batch makes in an allocation stripe before it lets others in. */
    static final int CREATES_PER_STRIPE = 1024;
    /** The same in bytes of content. */
    static final int CREATED_BYTES_PER_STRIPE = 1 << 20;
    /** Chunks that a batch looks up together, so that their cache misses overlap. */
    static final int BATCH_GROUP = 64;

    private Limits() {}
}
