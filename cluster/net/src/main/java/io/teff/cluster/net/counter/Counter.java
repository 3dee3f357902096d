package io.teff.cluster.net.counter;

import java.util.concurrent.atomic.AtomicLong;

/** A number with one writer and any number of readers; writing takes no locked instruction. */
public final class Counter {
    private final AtomicLong value = new AtomicLong();

    /** Adds; by the one writer. */
    public void add(long more) {
        value.setOpaque(value.getPlain() + more);
    }

    /** Sets the number; by the one writer. */
    public void set(long now) {
        value.setOpaque(now);
    }

    public long get() {
        return value.getOpaque();
    }
}
