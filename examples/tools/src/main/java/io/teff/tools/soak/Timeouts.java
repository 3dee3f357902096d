package io.teff.tools.soak;

import java.util.concurrent.TimeUnit;

/** After how long the run believes that the store hangs. Generous: a busy machine must not be blamed on the store. */
final class Timeouts {
    /** Longest wait for a lock, in nanoseconds; holders hold for microseconds. */
    static final long LOCK_NS = TimeUnit.MINUTES.toNanos(2);

    private static final long PHASE_NS = TimeUnit.MINUTES.toNanos(5);
    private static final long CHUNK_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private Timeouts() {}

    /** Longest time of one phase with so many chunks, in nanoseconds: minutes, and a multiple of what a chunk takes. */
    static long phaseNs(long chunks) {
        return PHASE_NS + chunks * CHUNK_NS;
    }
}
