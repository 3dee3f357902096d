package io.teff.cluster.net.thread;

import io.teff.engine.os.Clock;

/**
 * How a thread without work idles before sleeping: the thread spins for some time, so that other threads need not wake
 * the thread, and then yields. For one thread.
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

    /** Records that work was found. */
    public void worked() {
        isIdle = false;
    }

    /** Records that no work was found; returns false if the thread is to sleep. */
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
