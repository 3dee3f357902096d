package io.teff.cluster.net;

import io.teff.cluster.net.transport.Transport;
import java.util.Collection;

/** What an agent does when there was nothing to do: spins a little, then sleeps until something happens. */
final class IdleSteps {
    private static final int SPINS = 100;
    private static final int YIELDS = 10;
    /** While a frame is being written by a thread that has no processor, or a second transport may have something. */
    private static final long SHORT_NS = 50_000;

    private int idle;

    void step(int work, Node node, Collection<Transport> transports) {
        if (work > 0) {
            idle = 0;
        } else if (idle < SPINS) {
            idle++;
            Thread.onSpinWait();
        } else if (idle < SPINS + YIELDS) {
            idle++;
            Thread.yield();
        } else {
            final long ns = node.idleNs();
            final Transport first = transports.iterator().next();
            first.await(ns == 0 || transports.size() > 1 ? SHORT_NS : ns);
        }
    }
}
