package io.teff.cluster.peer.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The changes of all zones of a peer wait for a thread that has claimed a record and does not end it. */
@Name("io.teff.ShippingStalled")
@Label("Shipping Stalled")
@Category({"Teff", "Cluster"})
@StackTrace(false)
public final class ShippingStalledEvent extends Event {
    /** This node. */
    @Label("Node")
    public int nid;
    /** For how long. */
    @Label("Since")
    @Timespan
    public long ns;

    /** Makes an event that is not yet begun. */
    public ShippingStalledEvent() {}

    /**
     * Emits the event.
     *
     * @param nid this node
     * @param ns for how long, in nanoseconds
     */
    public static void emit(int nid, long ns) {
        final ShippingStalledEvent event = new ShippingStalledEvent();
        if (event.shouldCommit()) {
            event.nid = nid;
            event.ns = ns;
            event.commit();
        }
    }
}
