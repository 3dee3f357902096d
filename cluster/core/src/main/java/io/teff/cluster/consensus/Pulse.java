package io.teff.cluster.consensus;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.IdleStrategy;

/**
 * Tells whether an agent still goes through its duty cycle: at the end of each, it calls its idle strategy.
 *
 * <p>An archive that reads damaged files may never come to an end, and does not say so. The watcher must look more
 * often than each {@value #LOOK_S} s: if the process was suspended, it has not looked, and the agent gets its whole
 * time again. Thread-safe.
 */
final class Pulse {
    static final int LOOK_S = 5;

    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(LOOK_S);

    private volatile long cycles;
    private long seen = -1;
    private long seenNs;
    private long lookedNs;

    /**
     * Returns an idle strategy that notes each cycle; for one agent.
     *
     * @param inner what the agent does when it has no work
     */
    IdleStrategy observe(IdleStrategy inner) {
        return new Observed(inner);
    }

    /**
     * Looks at the agent.
     *
     * @param nowNs the time, in nanoseconds
     * @param limitNs how long a cycle may take
     * @return whether the agent has begun no other cycle for that long
     */
    synchronized boolean isStill(long nowNs, long limitNs) {
        long now = cycles;
        if (now != seen || nowNs - lookedNs > LOOK_NS) {
            seen = now;
            seenNs = nowNs;
        }
        lookedNs = nowNs;
        return nowNs - seenNs > limitNs;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate")                // one thread writes it
    private void cycle() {
        cycles = cycles + 1;
    }

    private final class Observed implements IdleStrategy {
        private final IdleStrategy inner;

        Observed(IdleStrategy inner) {
            this.inner = inner;
        }

        @Override
        public void idle(int workCount) {
            cycle();
            inner.idle(workCount);
        }

        @Override
        public void idle() {
            cycle();
            inner.idle();
        }

        @Override
        public void reset() {
            inner.reset();
        }
    }
}
