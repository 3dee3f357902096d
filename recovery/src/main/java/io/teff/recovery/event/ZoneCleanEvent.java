package io.teff.recovery.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A zone was cleaned, or it was found that this is not worth it; duration = reading and copying. */
@Name("io.teff.ZoneClean")
@Label("Zone Cleaning")
@Category({"Teff", "Recovery"})
public final class ZoneCleanEvent extends Event {
    /** Owner and number of the zone. */
    @Label("Zone")
    public String zone = "";
    /** Segments that were read. */
    @Label("Segments")
    public long segments;
    /** Segments that are gone. */
    @Label("Gone Segments")
    public long goneSegments;
    /** What the segments have. */
    @Label("Total Bytes")
    @DataAmount
    public long totalBytes;
    /** What of it lives. */
    @Label("Live Bytes")
    @DataAmount
    public long liveBytes;
    /** What is free now. */
    @Label("Freed Bytes")
    @DataAmount
    public long freedBytes;

    /** Makes an event that is not yet begun. */
    public ZoneCleanEvent() {}
}
