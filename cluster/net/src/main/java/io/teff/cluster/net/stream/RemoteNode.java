package io.teff.cluster.net.stream;

import io.teff.cluster.net.counter.ConnectionCounters;
import io.teff.cluster.net.message.NetworkException;
import org.jspecify.annotations.Nullable;

/**
 * The other node of a session, as seen by sessions and senders: how to wake the sending agent, and why sending fails.
 */
public interface RemoteNode {
    /** {@return the NID of the other node} */
    int nid();

    /** {@return the counters of this node, over all sessions and links; written by its agent only} */
    ConnectionCounters counters();

    /** {@return the session to put frames into; a new one if the last has ended} */
    Session session();

    /** {@return why the last session has ended; null if none has} */
    @Nullable NetworkException lastEnd();

    /** {@return why no link can be made at present, for people} */
    String dialFailure();

    /** Wakes the agent after something was put or handled, unless the agent checks this peer anyway. */
    void signal();

    /** Acts as {@link #signal}; while the agent sleeps, the caller sends in place of the agent. */
    void signalOrFlush();

    /** Wakes the agent after half a window was handled, also while nothing can be sent for lack of credit. */
    void signalHandled();
}
