package io.teff.cluster.net.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Called when a link starts to carry a session. */
@Name("io.teff.LinkUp")
@Label("Link Up")
@Category({"Teff", "Cluster"})
public final class LinkUpEvent extends Event {
    /** This node. */
    @Label("This Node")
    public int nid;
    /** The other node. */
    @Label("Other Node")
    public int peer;
    /** Address of the other end. */
    @Label("Address")
    public String address = "";

    /** Makes an event that is not yet begun. */
    public LinkUpEvent() {}

    /**
     * Emits the event.
     *
     * @param nid this node
     * @param peer the other node
     * @param address of the other end
     */
    public static void emit(int nid, int peer, Object address) {
        final LinkUpEvent event = new LinkUpEvent();
        if (event.shouldCommit()) {
            event.nid = nid;
            event.peer = peer;
            event.address = String.valueOf(address);
            event.commit();
        }
    }
}
