package io.teff.cluster.net;

import java.util.concurrent.atomic.AtomicLong;

/** A number that one thread counts, without a locked step, and any reads. */
final class Count {
    private final AtomicLong value = new AtomicLong();

    /** Counts; by the one thread. */
    void add(long more) {
        value.setOpaque(value.getPlain() + more);
    }

    /** Sets it; by the one thread. */
    void set(long now) {
        value.setOpaque(now);
    }

    long get() {
        return value.getOpaque();
    }
}
