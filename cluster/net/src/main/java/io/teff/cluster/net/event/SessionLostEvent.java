package io.teff.cluster.net.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A session has ended, for whatever reason. */
@Name("io.teff.SessionLost")
@Label("Session Lost")
@Category({"Teff", "Cluster"})
public final class SessionLostEvent extends Event {
    /** This node. */
    @Label("This Node")
    public int nid;
    /** The other node. */
    @Label("Other Node")
    public int peer;
    /** Messages possibly handled and possibly not handled. */
    @Label("Messages")
    public long messages;
    /** The reason. */
    @Label("Message")
    public String message = "";

    /** Makes an event that is not yet begun. */
    public SessionLostEvent() {}

    /**
     * Emits the event.
     *
     * @param nid this node
     * @param peer the other node
     * @param messages messages possibly handled and possibly not handled
     * @param message the reason
     */
    public static void emit(int nid, int peer, long messages, Object message) {
        final SessionLostEvent event = new SessionLostEvent();
        if (event.shouldCommit()) {
            event.nid = nid;
            event.peer = peer;
            event.messages = messages;
            event.message = String.valueOf(message);
            event.commit();
        }
    }
}
