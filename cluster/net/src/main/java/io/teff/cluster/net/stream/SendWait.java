package io.teff.cluster.net.stream;

import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.event.SendWaitEvent;
import io.teff.engine.os.Clock;

/** Measures how long a send waits for room. Reused for the next send. For one thread. */
final class SendWait {
    private final SendWaitEvent event = new SendWaitEvent();
    private boolean isBegun;
    private long sinceNs;

    /** Called when the send waits, for the first time or again. */
    void begin(Clock clock) {
        if (!isBegun) {
            isBegun = true;
            sinceNs = clock.nowNs();
            event.begin();
        }
    }

    /** Called when the send waits no longer, or has never waited. */
    void end(Clock clock, AgentCounters counts, int self, int to, boolean isSent) {
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
