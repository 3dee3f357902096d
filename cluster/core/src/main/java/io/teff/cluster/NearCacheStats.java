package io.teff.cluster;

/**
 * Numbers of the near cache of one collection at one client, since the cache was made.
 *
 * @param hits reads of a key that a copy has answered
 * @param misses reads of a key that went to the owner
 * @param evictions copies that made room for other copies
 * @param entries present copies, among them copies that are too old to be shown
 * @param bytes memory of the present copies in bytes
 */
public record NearCacheStats(long hits, long misses, long evictions, long entries, long bytes) {}
