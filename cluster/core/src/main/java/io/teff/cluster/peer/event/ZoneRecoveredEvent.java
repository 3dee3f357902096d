package io.teff.cluster.peer.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A zone is served again by its new owner. */
@Name("io.teff.ZoneRecovered")
@Label("Zone Recovered")
@Category({"Teff", "Cluster"})
@StackTrace(false)
public final class ZoneRecoveredEvent extends Event {
    /** The new owner. */
    @Label("Node")
    public int nid;
    /** The zone. */
    @Label("Zone")
    public int zone;
    /** The epoch at which it is served. */
    @Label("Epoch")
    public int epoch;
    /** From the first sight of the failure to the fence of the copy. */
    @Label("Fenced After")
    @Timespan
    public long fencedNs;
    /** From the first sight of the failure to the choice of the new owner. */
    @Label("Chosen After")
    @Timespan
    public long chosenNs;
    /** From the first sight of the failure to the last chunk. */
    @Label("Restored After")
    @Timespan
    public long restoredNs;
    /** From the first sight of the failure to the last acknowledgement of the other backups. */
    @Label("Shipped After")
    @Timespan
    public long shippedNs;
    /** From the first sight of the failure to the first operation that can be served. */
    @Label("Served After")
    @Timespan
    public long servedNs;
    /** Number of chunks. */
    @Label("Chunks")
    public long chunks;

    /** Makes an event that is not yet begun. */
    public ZoneRecoveredEvent() {}
}
