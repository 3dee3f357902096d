package io.teff.cluster.net.counter;

import java.util.concurrent.atomic.AtomicLong;

/** A number with a single writer and any number of readers; writing takes no locked instruction. */
public final class Counter {
    private final AtomicLong value = new AtomicLong();

    /** Adds; called by the single writer. */
    public void add(long more) {
        value.setOpaque(value.getPlain() + more);
    }

    /** Sets the number; called by the single writer. */
    public void set(long now) {
        value.setOpaque(now);
    }

    public long get() {
        return value.getOpaque();
    }
}
