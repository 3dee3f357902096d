package io.teff.rdma.verbs.call;

import io.teff.rdma.ffi.Descriptors;
import io.teff.rdma.ffi.NanoClock;
import java.util.concurrent.TimeUnit;

/** A wait for an event of the kernel, in slices, so that it ends soon after the object of the event was closed. */
public final class EventWait {
    private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    /** So that a wait does not end before its time: the kernel counts milliseconds. */
    private static final long ROUND_UP_NS = 999_999;
    /** Longer limits are cut, so that deadlines do not overflow. */
    private static final long TIMEOUT_NS_MAX = TimeUnit.DAYS.toNanos(10_000);

    private final NanoClock clock;
    private final long deadlineNs;

    /** Begins a wait of at most this time by the clock of the system. */
    public EventWait(long timeoutNs) {
        this(NanoClock.SYSTEM, timeoutNs);
    }

    EventWait(NanoClock clock, long timeoutNs) {
        this.clock = clock;
        deadlineNs = clock.nowNs() + Math.min(timeoutNs, TIMEOUT_NS_MAX);
    }

    /**
     * Waits for one slice, or until the descriptor can be read.
     *
     * @return false if the time is over
     */
    public boolean slice(int descriptor) {
        final long leftNs = deadlineNs - clock.nowNs();
        if (leftNs <= 0) {
            return false;
        }
        final long sliceNs = Math.min(leftNs, SLICE_NS) + ROUND_UP_NS;
        Descriptors.awaitReadable(descriptor, (int) TimeUnit.NANOSECONDS.toMillis(sliceNs));
        return true;
    }
}
