package io.teff.cluster.net;

import io.teff.cluster.net.event.SendWaitEvent;
import org.agrona.concurrent.NanoClock;

/** The time that a send waits for room, if it does. For one thread. */
final class RoomWait {
    private final NanoClock clock;
    private final int self;
    private final int to;
    private final SendWaitEvent event = new SendWaitEvent();
    private boolean isBegun;
    private long sinceNs;

    RoomWait(NanoClock clock, int self, int to) {
        this.clock = clock;
        this.self = self;
        this.to = to;
    }

    /** It waits now, again or for the first time. */
    void begin() {
        if (!isBegun) {
            isBegun = true;
            sinceNs = clock.nanoTime();
            event.begin();
        }
    }

    /** It waits no more, if it ever did. */
    void end(Counts counts, boolean isSent) {
        if (isBegun) {
            counts.roomWaits.increment();
            counts.roomWaitNs.add(clock.nanoTime() - sinceNs);
            event.end();
            if (event.shouldCommit()) {
                event.nid = self;
                event.peer = to;
                event.failed = !isSent;
                event.commit();
            }
        }
    }
}
