package io.teff.cluster.net.counter;

import io.teff.cluster.net.wire.Refusal;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of an agent besides the {@link ConnectionCounters} of each connection; counts of the network are sums over
 * its agents. Counts with many writers are striped.
 */
public final class AgentCounters {
    // ---- by the agent ----

    public final Counter linksMade = new Counter();
    public final Counter linksLost = new Counter();
    public final Counter linksDelayed = new Counter();
    public final Counter linksRested = new Counter();
    public final Counter linksFailed = new Counter();
    public final Counter linksOpen = new Counter();
    public final Counter connectionsResting = new Counter();
    public final Counter sessionsBegun = new Counter();
    public final Counter sessionsResumed = new Counter();
    public final Counter sessionsLost = new Counter();
    public final Counter requestsAnswered = new Counter();
    private final Counter[] linksRefused = new Counter[Refusal.values().length];

    // ---- of many threads ----

    public final LongAdder messagesNotSent = new LongAdder();
    public final LongAdder requestsNotSent = new LongAdder();
    public final LongAdder requestsFailed = new LongAdder();
    public final LongAdder requestsTimedOut = new LongAdder();
    public final LongAdder refusedFull = new LongAdder();
    public final LongAdder roomWaits = new LongAdder();
    public final LongAdder roomWaitNs = new LongAdder();
    public final LongAdder messagesHandled = new LongAdder();
    public final LongAdder messagesUnhandled = new LongAdder();
    public final LongAdder requestsWithdrawn = new LongAdder();
    public final LongAdder requestsUnanswered = new LongAdder();
    public final LongAdder handlerFailures = new LongAdder();

    public AgentCounters() {
        Arrays.setAll(linksRefused, _ -> new Counter());
    }

    /** Counts a refused link; by the agent. */
    public void refused(Refusal reason) {
        linksRefused[reason.ordinal()].add(1);
    }

    /** Returns the number of links refused for a reason. */
    public long linksRefused(Refusal reason) {
        return linksRefused[reason.ordinal()].get();
    }
}
