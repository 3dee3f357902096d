package io.teff.cluster.net.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A new link resumes a session. */
@Name("io.teff.SessionResumed")
@Label("Session Resumed")
@Category({"Teff", "Cluster"})
public final class SessionResumedEvent extends Event {
    /** This node. */
    @Label("This Node")
    public int nid;
    /** The other node. */
    @Label("Other Node")
    public int peer;
    /** Position to which the other node has received this node's stream. */
    @Label("Received")
    public long received;

    /** Makes an event that is not yet begun. */
    public SessionResumedEvent() {}

    /**
     * Emits the event.
     *
     * @param nid this node
     * @param peer the other node
     * @param received position to which the other node has received this node's stream
     */
    public static void emit(int nid, int peer, long received) {
        final SessionResumedEvent event = new SessionResumedEvent();
        if (event.shouldCommit()) {
            event.nid = nid;
            event.peer = peer;
            event.received = received;
            event.commit();
        }
    }
}
