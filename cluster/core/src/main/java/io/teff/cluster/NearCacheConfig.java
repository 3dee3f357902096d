package io.teff.cluster;

import java.time.Duration;

/**
 * The configuration of near caches: copies of values that a client keeps in its own memory for its next reads.
 *
 * @param bytesMax memory of the copies of one collection in bytes, with keys and overhead: 64 KiB to 64 GiB. If the
 *     memory is full, copies that were not read of late make room
 * @param bound how old a read may be: a read shows a value that the entry had at most this long ago; 1 ms to 1 hour
 */
public record NearCacheConfig(long bytesMax, Duration bound) {
    /** Least memory of the copies of a collection in bytes: 64 KiB, room for some hundred short values. */
    public static final long BYTES_MIN = 64 << 10;
    /** Most memory of the copies of a collection in bytes: 64 GiB. */
    public static final long BYTES_MAX = 64L << 30;
    /** Shortest bound: 1 ms, the resolution of the wall clock. */
    public static final Duration BOUND_MIN = Duration.ofMillis(1);
    /** Longest bound: 1 hour. */
    public static final Duration BOUND_MAX = Duration.ofHours(1);

    /** Checks the values. */
    public NearCacheConfig {
        if (bytesMax < BYTES_MIN || bytesMax > BYTES_MAX) {
            throw new IllegalArgumentException("bytesMax=" + bytesMax + " is not in 64 KiB to 64 GiB");
        }
        if (bound.compareTo(BOUND_MIN) < 0 || bound.compareTo(BOUND_MAX) > 0) {
            throw new IllegalArgumentException("bound=" + bound + " is not in 1 ms to 1 h");
        }
    }

    /**
     * Returns a configuration.
     *
     * @param bytesMax memory of the copies of one collection in bytes
     * @param bound how old a read may be
     * @return the configuration
     * @throws IllegalArgumentException if a value is out of range
     */
    public static NearCacheConfig of(long bytesMax, Duration bound) {
        return new NearCacheConfig(bytesMax, bound);
    }
}
