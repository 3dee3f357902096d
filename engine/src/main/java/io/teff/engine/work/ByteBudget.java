package io.teff.engine.work;

import java.util.concurrent.atomic.AtomicLong;

/** A bound of bytes that several holders share. Thread-safe. */
public final class ByteBudget {
    private final long bytesMax;
    private final AtomicLong used = new AtomicLong();

    /**
     * Begins unused.
     *
     * @param bytesMax most bytes of all holders
     */
    public ByteBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Takes bytes; false if there are too few left. */
    boolean take(long bytes) {
        if (used.addAndGet(bytes) <= bytesMax) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    void give(long bytes) {
        used.addAndGet(-bytes);
    }

    /** {@return the bytes that all holders have} */
    public long used() {
        return used.get();
    }
}
