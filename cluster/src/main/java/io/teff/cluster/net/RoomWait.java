package io.teff.cluster.net;

import org.agrona.concurrent.NanoClock;

/** The time that a send waits for room, if it does. For one thread. */
final class RoomWait {
    private final NanoClock clock;
    private boolean isBegun;
    private long sinceNs;

    RoomWait(NanoClock clock) {
        this.clock = clock;
    }

    /** It waits now, again or for the first time. */
    void begin() {
        if (!isBegun) {
            isBegun = true;
            sinceNs = clock.nanoTime();
        }
    }

    /** It waits no more, if it ever did. */
    void end(Counts counts) {
        if (isBegun) {
            counts.roomWaits.increment();
            counts.roomWaitNs.add(clock.nanoTime() - sinceNs);
        }
    }
}
