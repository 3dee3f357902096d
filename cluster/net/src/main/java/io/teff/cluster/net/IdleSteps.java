package io.teff.cluster.net;

import io.teff.engine.os.Clock;

/**
 * What a thread does before it sleeps when there is nothing to do: spins for some time, which saves those who have
 * something for it from waking it, and then lets others run. For one thread.
 */
final class IdleSteps {
    private static final int YIELDS = 3;

    private final long spinNs;
    private final Clock clock;
    private long idleSinceNs;
    private int yields;
    private boolean isIdle;

    IdleSteps(long spinNs, Clock clock) {
        this.spinNs = spinNs;
        this.clock = clock;
    }

    /** There was something to do. */
    void worked() {
        isIdle = false;
    }

    /** There was nothing to do; false if it is time to sleep. */
    boolean step() {
        if (!isIdle) {
            isIdle = true;
            yields = 0;
            idleSinceNs = spinNs == 0 ? 0 : clock.nowNs();
        }
        if (spinNs > 0 && clock.nowNs() - idleSinceNs < spinNs) {
            Thread.onSpinWait();
        } else if (yields < YIELDS) {
            yields++;
            Thread.yield();
        } else {
            return false;
        }
        return true;
    }
}
