package io.teff.cluster.net.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Throttle;

/** This node or the other node has refused a link. */
@Name("io.teff.LinkRefused")
@Label("Link Refused")
@Category({"Teff", "Cluster"})
@Throttle("100/s")
public final class LinkRefusedEvent extends Event {
    /** This node. */
    @Label("This Node")
    public int nid;
    /** The other node, or the NID claimed by the other node; -1 if no NID was claimed. */
    @Label("Other Node")
    public int peer;
    /** Whether this node has refused the link. */
    @Label("Own")
    public boolean own;
    /** The reason. */
    @Label("Reason")
    public String reason = "";

    /** Makes an event that is not yet begun. */
    public LinkRefusedEvent() {}

    /**
     * Emits the event.
     *
     * @param nid this node
     * @param peer the other node, or the NID claimed by the other node
     * @param own whether this node has refused the link
     * @param reason of the refusal
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
