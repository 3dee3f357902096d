package io.teff.cluster.net.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** A link was silent for half of the longest permitted silence; the link is still open. */
@Name("io.teff.LinkDelayed")
@Label("Link Delayed")
@Category({"Teff", "Cluster"})
public final class LinkDelayedEvent extends Event {
    /** This node. */
    @Label("This Node")
    public int nid;
    /** The other node. */
    @Label("Other Node")
    public int peer;
    /** Nanoseconds of silence. */
    @Label("Silent")
    @Timespan(Timespan.NANOSECONDS)
    public long silentNs;

    /** Makes an event that is not yet begun. */
    public LinkDelayedEvent() {}

    /**
     * Emits the event.
     *
     * @param nid this node
     * @param peer the other node
     * @param silentNs nanoseconds of silence
     */
    public static void emit(int nid, int peer, long silentNs) {
        final LinkDelayedEvent event = new LinkDelayedEvent();
        if (event.shouldCommit()) {
            event.nid = nid;
            event.peer = peer;
            event.silentNs = silentNs;
            event.commit();
        }
    }
}
