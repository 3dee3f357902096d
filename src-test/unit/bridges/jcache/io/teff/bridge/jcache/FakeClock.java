package io.teff.bridge.jcache;

import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands until it is told to go on. */
final class FakeClock implements Clock {
    private final AtomicLong now = new AtomicLong(1_000);

    @Override
    public long nowMs() {
        return now.get();
    }

    void pass(long ms) {
        now.addAndGet(ms);
    }
}
