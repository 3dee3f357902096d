package io.teff.cluster.net.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** Nothing was heard of a link for half as long as it may be silent; it stands. */
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
    /** For how long, in nanoseconds. */
    @Label("Silent")
    @Timespan(Timespan.NANOSECONDS)
    public long silentNs;

    /** Makes an event that is not yet begun. */
    public LinkDelayedEvent() {}

    /**
     * Says so at once.
     *
     * @param nid this node
     * @param peer the other node
     * @param silentNs for how long
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
