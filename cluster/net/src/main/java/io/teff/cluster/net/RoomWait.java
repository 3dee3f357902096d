package io.teff.cluster.net;

import io.teff.cluster.net.event.SendWaitEvent;
import io.teff.engine.os.Clock;

/** The time that a send waits for room, if it does. Used again for the next one. For one thread. */
final class RoomWait {
    private final SendWaitEvent event = new SendWaitEvent();
    private boolean isBegun;
    private long sinceNs;

    /** It waits now, again or for the first time. */
    void begin(Clock clock) {
        if (!isBegun) {
            isBegun = true;
            sinceNs = clock.nowNs();
            event.begin();
        }
    }

    /** It waits no more, if it ever did. */
    void end(Clock clock, Counts counts, int self, int to, boolean isSent) {
        if (isBegun) {
            isBegun = false;
            counts.roomWaits.increment();
            counts.roomWaitNs.add(clock.nowNs() - sinceNs);
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
