package io.teff.engine.cache;

/**
 * What a {@link CacheMap} has done since it was opened. The counters are exact while no thread uses the map.
 *
 * @param hits reads that found a live entry
 * @param misses reads that found none
 * @param loads loads that returned a value, refreshes included
 * @param failedLoads loads that threw or returned null
 * @param loadNs time of all loads in nanoseconds
 * @param explicit entries that the application has removed; those of {@code clear} count if there is a listener
 * @param replaced values that were replaced
 * @param expired entries that were removed because their time was over
 * @param evicted entries that were removed to keep the limit
 */
public record CacheStatistics(long hits, long misses, long loads, long failedLoads, long loadNs, long explicit,
                              long replaced, long expired, long evicted) {
    /** {@return the share of reads that found an entry; 1 if there was no read} */
    public double hitRate() {
        long reads = hits + misses;
        return reads == 0 ? 1 : (double) hits / reads;
    }

    /**
     * Returns the number of removals for a reason.
     *
     * @param cause the reason
     * @return entries, or values for {@link RemovalCause#REPLACED}
     */
    public long removals(RemovalCause cause) {
        return switch (cause) {
            case EXPLICIT -> explicit;
            case REPLACED -> replaced;
            case EXPIRED -> expired;
            case SIZE -> evicted;
        };
    }
}
