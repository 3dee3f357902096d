package io.teff.engine.chunk;

/**
 * Sizes at which operations on chunks switch to another implementation, with units and reasons. Results do not depend
 * on them.
 */
public final class Thresholds {
    /** Longer chunks are copied under a lock instead of optimistically or inside their stripe, in bytes. */
    public static final long OPTIMISTIC_BYTES_MAX = 64 << 10;
    /** Optimistic attempts before a reader enters the stripe, so that writers cannot starve it. */
    public static final int OPTIMISTIC_ATTEMPTS = 8;
    /** Changes between two audits at {@link io.teff.engine.config.DebugLevel#QUARANTINE}. */
    public static final int CHANGES_PER_AUDIT = 1 << 16;
    /**
     * Maximum number of chunks that a batch creates in an allocation stripe before a release of the stripe to other
     * threads.
     */
    public static final int CREATES_PER_STRIPE = 1024;
    /** Bytes of content that a batch creates in an allocation stripe before it releases the stripe. */
    public static final int CREATED_BYTES_PER_STRIPE = 1 << 20;
    /** Chunks that a batch looks up together, so that their cache misses overlap. */
    public static final int BATCH_GROUP = 64;

    private Thresholds() {}
}
