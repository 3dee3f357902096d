package io.teff.cluster.net.counter;

import java.util.concurrent.atomic.AtomicLong;

/** A number that one thread counts, without a locked step, and any reads. */
public final class Counter {
    private final AtomicLong value = new AtomicLong();

    /** Counts; by the one thread. */
    public void add(long more) {
        value.setOpaque(value.getPlain() + more);
    }

    /** Sets it; by the one thread. */
    public void set(long now) {
        value.setOpaque(now);
    }

    public long get() {
        return value.getOpaque();
    }
}
