package io.teff.cluster.net.agent;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.wire.FrameChecker;
import io.teff.cluster.net.wire.ProtocolException;
import io.teff.cluster.net.wire.RefusedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The agent of a link, as seen by the link. Called by the agent only, except {@link #post}. */
interface LinkHost {
    /** Returns the agent's clock, in nanoseconds. */
    long nowNs();

    NetworkConfig config();

    FrameChecker checker();

    /** Returns the agent's side of handshakes. */
    Greeter greeter();

    /** Returns the connection to a node. Any thread. */
    Connection connection(int nid);

    /**
     * Returns the port of the agent that owns the connection to a node, if that agent is not the link's agent and links
     * do not move; else 0.
     */
    int elsewhere(Channel link, int nid);

    /** Returns whether the connection to a node belongs to another agent; if so, the link moves to the other agent. */
    boolean isOfAnother(Channel link, int nid);

    /** Makes the agent check a connection in each cycle, as long as the connection has work. */
    void activate(Connection connection);

    /** Called when a link starts to carry a session. */
    void opened(Channel link, Connection connection, Session session);

    /** Called when a link has ended. */
    void ended(Channel link, @Nullable IOException why);

    /** Takes a frame of the stream. */
    void take(Session session, MemorySegment memory, long at) throws ProtocolException;

    /** Ends a session that cannot continue. */
    void lose(Connection connection, Session session, String why);

    /** Called when a called node has authenticated, and this node takes its cluster from it. */
    void learn(ClusterId known) throws RefusedException;

    /** Runs a task on the agent's thread. Any thread. */
    void post(Runnable task);
}
