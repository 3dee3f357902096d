package io.teff.engine.cache;

/**
 * Decides which of two orders of eviction has the higher hit rate for the present load: by two small caches of hashes
 * that see a sample of the keys, with a share of the limit as large as the sample. (The idea of such miniature
 * simulations is that of Waldspurger, Saemundsson, Ahmad and Park 2017.) Not thread-safe.
 */
final class ShadowDuel {
    /** Entries of a shadow, if the limit has as many. */
    private static final int ENTRIES = 256;
    /** The smallest sample is a 64th of the keys. */
    private static final int SHIFT_MAX = 6;
    /** Uses for each entry of a shadow before a decision. */
    private static final int PERIOD = 8;
    /** A hundredth of the uses must speak for the other order. */
    private static final int LEAD_SHARE = 100;
    private static final int SAMPLE_SHIFT = 40;

    private final long sampleMask;
    private final ShadowRecent recent;
    private final ShadowFrequent frequent;
    private final int period;
    private int uses;
    private int recentHits;
    private int frequentHits;
    private boolean prefersRecent;

    ShadowDuel(long entries, FrequencySketch frequency) {
        int shift = 0;
        while (shift < SHIFT_MAX && entries >> shift > ENTRIES) {
            shift++;
        }
        sampleMask = (1L << shift) - 1;
        int capacity = Math.clamp(entries >> shift, 1, 1 << Integer.SIZE - SHIFT_MAX);
        recent = new ShadowRecent(capacity);
        frequent = new ShadowFrequent(capacity, frequency);
        period = capacity * PERIOD;
    }

    /** Returns whether a key is in the sample. */
    boolean isSampled(long hash) {
        return (hash >>> SAMPLE_SHIFT & sampleMask) == 0;
    }

    /** Notes a use of a key of the sample. */
    void use(long hash) {
        recentHits += recent.use(hash) ? 1 : 0;
        frequentHits += frequent.use(hash) ? 1 : 0;
        if (++uses >= period) {
            int lead = recentHits - frequentHits;
            if (Math.abs(lead) > uses / LEAD_SHARE) {
                prefersRecent = lead > 0;
            }
            uses >>= 1;
            recentHits >>= 1;
            frequentHits >>= 1;
        }
    }

    /** Returns whether the entry to evict is the one that was used longest ago, not the one that is used least. */
    boolean prefersRecent() {
        return prefersRecent;
    }

    long bytes() {
        return recent.bytes() + frequent.bytes();
    }
}
