package io.teff.cluster.net.thread;

import io.teff.engine.os.Clock;

/**
 * How a thread without work idles before it sleeps: it spins for some time, which saves others from waking it, and then
 * yields. For one thread.
 */
public final class IdleBackoff {
    private static final int YIELDS = 3;

    private final long spinNs;
    private final Clock clock;
    private long idleSinceNs;
    private int yields;
    private boolean isIdle;

    public IdleBackoff(long spinNs, Clock clock) {
        this.spinNs = spinNs;
        this.clock = clock;
    }

    /** Records that there was work. */
    public void worked() {
        isIdle = false;
    }

    /** Records that there was no work; returns false if it is time to sleep. */
    public boolean step() {
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
