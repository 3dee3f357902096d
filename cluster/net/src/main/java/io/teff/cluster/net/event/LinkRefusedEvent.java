package io.teff.cluster.net.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Throttle;

/** This node or the other has refused a link. */
@Name("io.teff.LinkRefused")
@Label("Link Refused")
@Category({"Teff", "Cluster"})
@Throttle("100/s")
public final class LinkRefusedEvent extends Event {
    /** This node. */
    @Label("This Node")
    public int nid;
    /** The other node, or who says that it is; -1 if it has said nothing. */
    @Label("Other Node")
    public int peer;
    /** Whether this node has refused it. */
    @Label("Own")
    public boolean own;
    /** Why. */
    @Label("Reason")
    public String reason = "";

    /** Makes an event that is not yet begun. */
    public LinkRefusedEvent() {}

    /**
     * Says so at once.
     *
     * @param nid this node
     * @param peer the other node, or who says that it is
     * @param own whether this node has refused it
     * @param reason why
     */
    public static void emit(int nid, int peer, boolean own, Object reason) {
        final LinkRefusedEvent event = new LinkRefusedEvent();
        if (event.shouldCommit()) {
            event.nid = nid;
            event.peer = peer;
            event.own = own;
            event.reason = String.valueOf(reason);
            event.commit();
        }
    }
}
