package io.teff.cluster.cell;

import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import java.util.concurrent.TimeUnit;

/** Logs when a node's lease is short, over, or held again. For one thread. */
final class LeaseNews {
    /** A lease is short when less than this share of its term is left: heartbeats were not answered for long. */
    private static final int SHORT_SHARE = 2;

    /** The state logged last. */
    private enum State { NONE, HELD, SHORT, OVER }

    private final NodeLog events;
    private State state = State.NONE;

    LeaseNews(NodeLog events) {
        this.events = events;
    }

    /**
     * Looks at the lease.
     *
     * @param leftNs how long the lease lasts without further answers; not positive without a lease
     * @param heldNs the term of a lease
     */
    void look(long leftNs, long heldNs) {
        final State now = leftNs <= 0 ? state == State.NONE ? State.NONE : State.OVER
            : leftNs < heldNs / SHORT_SHARE ? State.SHORT : State.HELD;
        if (now == state) {
            return;
        }
        if (now == State.OVER) {
            events.log(NodeEvent.LEASE_SHORT, "the lease is over: no majority of the superpeers has answered in time,"
                + " so this node serves nothing");
        } else if (now == State.SHORT && state == State.HELD) {
            events.log(NodeEvent.LEASE_SHORT, "the lease ends in " + TimeUnit.NANOSECONDS.toMillis(leftNs)
                + " ms unless a majority of the superpeers answers");
        } else if (now == State.HELD) {
            events.log(NodeEvent.LEASE_HELD, state == State.NONE ? "holds its lease" : "holds its lease again");
        }
        state = now;
    }
}
