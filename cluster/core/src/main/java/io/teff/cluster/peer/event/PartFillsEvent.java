package io.teff.cluster.peer.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A part of a collection has passed a share of the size of a zone. A part lies whole in one zone. */
@Name("io.teff.PartFills")
@Label("Part Fills its Zone")
@Category({"Teff", "Cluster"})
@StackTrace(false)
public final class PartFillsEvent extends Event {
    /** This node. */
    @Label("Node")
    public int nid;
    /** The zone. */
    @Label("Zone")
    public int zone;
    /** Name of the part in the zone. */
    @Label("Part")
    public String part = "";
    /** Memory of the part. */
    @Label("Memory")
    @DataAmount
    public long bytes;
    /** Size of a zone. */
    @Label("Size of a Zone")
    @DataAmount
    public long zoneBytes;

    /** Makes an event that is not yet begun. */
    public PartFillsEvent() {}

    /**
     * Emits the event.
     *
     * @param nid this node
     * @param zone with the part
     * @param part name of the part
     * @param bytes memory of the part
     * @param zoneBytes size of a zone
     */
    public static void emit(int nid, int zone, String part, long bytes, long zoneBytes) {
        final PartFillsEvent event = new PartFillsEvent();
        if (event.shouldCommit()) {
            event.nid = nid;
            event.zone = zone;
            event.part = part;
            event.bytes = bytes;
            event.zoneBytes = zoneBytes;
            event.commit();
        }
    }
}
