package io.teff.cluster.console;

import io.teff.engine.os.Clock;
import java.util.concurrent.TimeUnit;

/** Admits a number of events in a time, and some at once: a bucket of tokens. Thread-safe. */
final class Rate {
    private final Clock clock;
    private final long nsPerToken;
    private final long burst;
    private long tokens;
    private long filledNs;

    Rate(Clock clock, long count, long perSeconds, long burst) {
        this.clock = clock;
        nsPerToken = TimeUnit.SECONDS.toNanos(perSeconds) / count;
        this.burst = burst;
        tokens = burst;
        filledNs = clock.nowNs();
    }

    /** Takes a token. Returns whether there was one. */
    synchronized boolean admit() {
        fill();
        if (tokens == 0) {
            return false;
        }
        tokens--;
        return true;
    }

    /** Returns whether there is a token, and leaves the token. */
    synchronized boolean isOpen() {
        fill();
        return tokens > 0;
    }

    private void fill() {
        long nowNs = clock.nowNs();
        long fresh = (nowNs - filledNs) / nsPerToken;
        if (fresh > 0) {
            tokens = Math.min(tokens + fresh, burst);
            filledNs += fresh * nsPerToken;
        }
    }
}
