package io.teff.cluster.net;

import io.teff.cluster.net.wire.Refusal;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * What an agent counts besides the {@link Traffic} of each connection, and others with it: the network's counts are the
 * sums over its agents. What many threads count is striped.
 */
final class Counts {
    // ---- the agent's ----

    final Count linksMade = new Count();
    final Count linksLost = new Count();
    final Count linksDelayed = new Count();
    final Count linksRested = new Count();
    final Count linksFailed = new Count();
    final Count linksOpen = new Count();
    final Count connectionsResting = new Count();
    final Count sessionsBegun = new Count();
    final Count sessionsResumed = new Count();
    final Count sessionsLost = new Count();
    final Count requestsAnswered = new Count();
    private final Count[] linksRefused = new Count[Refusal.values().length];

    // ---- of many threads ----

    final LongAdder messagesNotSent = new LongAdder();
    final LongAdder requestsNotSent = new LongAdder();
    final LongAdder requestsFailed = new LongAdder();
    final LongAdder requestsTimedOut = new LongAdder();
    final LongAdder refusedFull = new LongAdder();
    final LongAdder roomWaits = new LongAdder();
    final LongAdder roomWaitNs = new LongAdder();
    final LongAdder messagesHandled = new LongAdder();
    final LongAdder messagesUnhandled = new LongAdder();
    final LongAdder handlerFailures = new LongAdder();

    Counts() {
        Arrays.setAll(linksRefused, _ -> new Count());
    }

    /** A link was refused; by the agent. */
    void refused(Refusal reason) {
        linksRefused[reason.ordinal()].add(1);
    }

    /** How many links were refused for a reason. */
    long linksRefused(Refusal reason) {
        return linksRefused[reason.ordinal()].get();
    }
}
