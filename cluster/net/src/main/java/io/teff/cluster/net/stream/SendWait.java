package io.teff.cluster.net.stream;

import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.event.SendWaitEvent;
import io.teff.cluster.net.os.NanoClock;

/** The time that a send waits for room, if it does. Used again for the next one. For one thread. */
final class SendWait {
    private final SendWaitEvent event = new SendWaitEvent();
    private boolean isBegun;
    private long sinceNs;

    /** It waits now, again or for the first time. */
    void begin(NanoClock clock) {
        if (!isBegun) {
            isBegun = true;
            sinceNs = clock.nanoTime();
            event.begin();
        }
    }

    /** It waits no more, if it ever did. */
    void end(NanoClock clock, AgentCounters counts, int self, int to, boolean isSent) {
        if (isBegun) {
            isBegun = false;
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
