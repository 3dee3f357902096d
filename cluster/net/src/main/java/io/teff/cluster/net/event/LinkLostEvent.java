package io.teff.cluster.net.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A link was lost after carrying a session. */
@Name("io.teff.LinkLost")
@Label("Link Lost")
@Category({"Teff", "Cluster"})
public final class LinkLostEvent extends Event {
    /** This node. */
    @Label("This Node")
    public int nid;
    /** The other node. */
    @Label("Other Node")
    public int peer;
    /** The failure, or null. */
    @Label("Message")
    public String message = "";

    /** Makes an event that is not yet begun. */
    public LinkLostEvent() {}

    /**
     * Emits the event.
     *
     * @param nid this node
     * @param peer the other node
     * @param message the failure, or null
     */
    public static void emit(int nid, int peer, @Nullable Object message) {
        final LinkLostEvent event = new LinkLostEvent();
        if (event.shouldCommit()) {
            event.nid = nid;
            event.peer = peer;
            event.message = String.valueOf(message);
            event.commit();
        }
    }
}
