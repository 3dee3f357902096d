package io.teff.cluster.consensus;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.IdleStrategy;

/**
 * Detects whether an agent still executes its duty cycle: at the end of each cycle, the agent calls its idle strategy.
 *
 * <p>An archive may read damaged files without end, and does not report this. The watcher must look more often than
 * each {@value #LOOK_S} s: if the process was suspended, the watcher has not looked, and the agent gets the whole limit
 * again. Thread-safe.
 */
final class Pulse {
    static final int LOOK_S = 5;

    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(LOOK_S);

    private volatile long cycles;
    private long seen = -1;
    private long seenNs;
    private long lookedNs;

    /**
     * Returns an idle strategy that counts each cycle; for one agent.
     *
     * @param inner idle strategy of the agent
     */
    IdleStrategy observe(IdleStrategy inner) {
        return new Observed(inner);
    }

    /**
     * Looks at the agent.
     *
     * @param nowNs the time, in nanoseconds
     * @param limitNs how long a cycle may take
     * @return whether the agent has begun no cycle for longer than the limit
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

    @SuppressWarnings("NonAtomicVolatileUpdate")                // a single thread writes the count
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
