package io.teff.tools.soak;

import java.util.concurrent.TimeUnit;

/** Times after which the store counts as hanging; long, so that a busy machine does not fail a run. */
final class Timeouts {
    /** Maximum wait for a lock in nanoseconds; holders keep it for microseconds. */
    static final long LOCK_NS = TimeUnit.MINUTES.toNanos(2);

    private static final long PHASE_NS = TimeUnit.MINUTES.toNanos(5);
    private static final long CHUNK_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private Timeouts() {}

    /** Returns the maximum duration of a phase in nanoseconds: five minutes, and 50 us per chunk. */
    static long phaseNs(long chunks) {
        return PHASE_NS + chunks * CHUNK_NS;
    }
}
