package io.teff.engine;

import io.teff.engine.os.Clock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves only if a thread parks or a test moves it: waits take no real time, and are exact. */
public final class FakeTime implements Clock {
    private final AtomicLong now = new AtomicLong(1_000_000_000_000L);
    private final AtomicInteger parks = new AtomicInteger();
    private final long stepNs;
    private volatile boolean standing;

    /** Creates a clock whose parks are exact. */
    public FakeTime() {
        this(0);
    }

    /** Creates a clock whose parks take at least some nanoseconds, so that long timeouts have few of them. */
    public FakeTime(long stepNs) {
        this.stepNs = stepNs;
    }

    /** Stops the clock: parking takes no time from now on. */
    public void stand() {
        standing = true;
    }

    /** Moves the clock, whether or not a thread is parked. */
    public void pass(long ns) {
        now.addAndGet(ns);
    }

    /** Returns how many times threads have parked. */
    public int parks() {
        return parks.get();
    }

    @Override
    public long nowNs() {
        return now.get();
    }

    @Override
    public void park(Object blocker, long ns) {
        parks.incrementAndGet();
        if (!standing && ns > 0) {
            now.addAndGet(Math.max(ns, stepNs));
        }
        Thread.yield();
    }
}
