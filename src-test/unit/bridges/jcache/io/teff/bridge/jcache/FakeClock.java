package io.teff.bridge.jcache;

import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands until a test advances it. */
final class FakeClock implements ExpiryClock {
    private final AtomicLong now = new AtomicLong(1_000);

    @Override
    public long nowMs() {
        return now.get();
    }

    void pass(long ms) {
        now.addAndGet(ms);
    }
}
