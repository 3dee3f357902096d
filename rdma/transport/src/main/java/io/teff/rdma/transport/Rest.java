package io.teff.rdma.transport;

import io.teff.engine.os.Threads;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The sleep of an agent without a descriptor: the agent parks, for longer and longer while nothing happens. */
final class Rest implements Sleeper {
    private static final long PARK_MIN_NS = 20_000;
    private static final long PARK_MAX_NS = 1_000_000;

    private long parkNs = PARK_MIN_NS;
    private volatile @Nullable Thread waiting;
    private volatile boolean isAwake;

    /** Lets the next sleep be short, as something has happened. */
    void reset() {
        parkNs = PARK_MIN_NS;
    }

    @Override
    public void sleep(long timeoutNs) {
        waiting = Thread.currentThread();
        if (!isAwake) {
            Threads.rest(this, Math.min(timeoutNs, parkNs));
            parkNs = Math.min(parkNs * 2, PARK_MAX_NS);
        }
        waiting = null;
        isAwake = false;
    }

    @Override
    public void signal() {
        isAwake = true;
        final Thread thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }
}
