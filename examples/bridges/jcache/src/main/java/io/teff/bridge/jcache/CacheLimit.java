package io.teff.bridge.jcache;

/**
 * The limit of each cache of a manager; 0 is no limit.
 *
 * @param entries of a cache
 * @param bytes of memory of a cache
 */
record CacheLimit(long entries, long bytes) {
    static final CacheLimit NONE = new CacheLimit(0, 0);

    /** Returns whether entries make room for others. */
    boolean isSet() {
        return entries > 0 || bytes > 0;
    }
}
