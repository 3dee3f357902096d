package io.teff.cluster.net.thread;

import io.teff.cluster.net.os.NanoClock;

/**
 * What a thread does before it sleeps when there is nothing to do: spins for some time, which saves those who have
 * something for it from waking it, and then lets others run. For one thread.
 */
public final class IdleBackoff {
    private static final int YIELDS = 3;

    private final long spinNs;
    private final NanoClock clock;
    private long idleSinceNs;
    private int yields;
    private boolean isIdle;

    public IdleBackoff(long spinNs, NanoClock clock) {
        this.spinNs = spinNs;
        this.clock = clock;
    }

    /** There was something to do. */
    public void worked() {
        isIdle = false;
    }

    /** There was nothing to do; false if it is time to sleep. */
    public boolean step() {
        if (!isIdle) {
            isIdle = true;
            yields = 0;
            idleSinceNs = spinNs == 0 ? 0 : clock.nanoTime();
        }
        if (spinNs > 0 && clock.nanoTime() - idleSinceNs < spinNs) {
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
