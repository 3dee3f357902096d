package io.teff.cluster.net.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A send has waited for room; duration = the wait. */
@Name("io.teff.SendWait")
@Label("Send Wait")
@Category({"Teff", "Cluster"})
@StackTrace(true)
public final class SendWaitEvent extends Event {
    /** This node. */
    @Label("This Node")
    public int nid;
    /** The other node. */
    @Label("Other Node")
    public int peer;
    /** Whether the wait ended without room. */
    @Label("Failed")
    public boolean failed;

    /** Makes an event that is not yet begun. */
    public SendWaitEvent() {}
}
