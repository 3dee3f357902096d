package io.teff.cluster.net.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A link was closed to rest, because other links needed its place; the session of the link continues. */
@Name("io.teff.LinkRest")
@Label("Link Rest")
@Category({"Teff", "Cluster"})
public final class LinkRestEvent extends Event {
    /** This node. */
    @Label("This Node")
    public int nid;
    /** The other node. */
    @Label("Other Node")
    public int peer;
    /** Whether this node has closed the link. */
    @Label("Own")
    public boolean own;

    /** Makes an event that is not yet begun. */
    public LinkRestEvent() {}

    /**
     * Emits the event.
     *
     * @param nid this node
     * @param peer the other node
     * @param own whether this node has closed the link
     */
    public static void emit(int nid, int peer, boolean own) {
        final LinkRestEvent event = new LinkRestEvent();
        if (event.shouldCommit()) {
            event.nid = nid;
            event.peer = peer;
            event.own = own;
            event.commit();
        }
    }
}
