package io.teff.engine.config;

import io.teff.engine.memory.RegionLayout;

/** The limits of a store. */
public final class Limits {
    /** Largest memory limit of a store in bytes, given by addresses of 43 bits. */
    public static final long MEMORY_BYTES_MAX = RegionLayout.REGION_BYTES_MAX;
    /** Smallest memory limit of a store in bytes: the size of one block. */
    public static final long MEMORY_BYTES_MIN = RegionLayout.BLOCK_BYTES;
    /** Largest chunk in bytes: a region minus its first table page. */
    public static final long CHUNK_BYTES_MAX = MEMORY_BYTES_MAX - RegionLayout.BLOCK_BYTES;
    /** Default of the longest wait for another thread's lock, in nanoseconds: 10 s. */
    public static final long LOCK_TIMEOUT_NS_DEFAULT = 10_000_000_000L;
    /** Longest wait of a close for running views and copies of long chunks, in nanoseconds: 10 s. */
    public static final long CLOSE_TIMEOUT_NS = 10_000_000_000L;
    /** Maximum number of the largest chunks that a report lists; each takes 64 bytes of Java heap. */
    public static final int LARGEST_COUNT_MAX = 1 << 20;

    private Limits() {}
}
