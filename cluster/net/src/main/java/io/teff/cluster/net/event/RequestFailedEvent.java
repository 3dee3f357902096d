package io.teff.cluster.net.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Throttle;

/** A request has ended without an answer. */
@Name("io.teff.RequestFailed")
@Label("Request Failed")
@Category({"Teff", "Cluster"})
@Throttle("100/s")
public final class RequestFailedEvent extends Event {
    /** This node. */
    @Label("This Node")
    public int nid;
    /** The other node. */
    @Label("Other Node")
    public int peer;
    /** Type of the answer. */
    @Label("Type")
    public int type;
    /** How the request has ended. */
    @Label("Reason")
    public String reason = "";

    /** Makes an event that is not yet begun. */
    public RequestFailedEvent() {}

    /**
     * Emits the event.
     *
     * @param nid this node
     * @param peer the other node
     * @param type of the answer
     * @param reason how the request has ended
     */
    public static void emit(int nid, int peer, int type, Object reason) {
        final RequestFailedEvent event = new RequestFailedEvent();
        if (event.shouldCommit()) {
            event.nid = nid;
            event.peer = peer;
            event.type = type;
            event.reason = String.valueOf(reason);
            event.commit();
        }
    }
}
