package io.teff.recovery.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A zone was cleaned, or the count showed that cleaning does not pay; duration = reading and copying. */
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
    /** Segments that were replaced. */
    @Label("Replaced Segments")
    public long goneSegments;
    /** Counted bytes of the segments. */
    @Label("Total Bytes")
    @DataAmount
    public long totalBytes;
    /** Bytes of live entries. */
    @Label("Live Bytes")
    @DataAmount
    public long liveBytes;
    /** Bytes freed. */
    @Label("Freed Bytes")
    @DataAmount
    public long freedBytes;

    /** Makes an event that is not yet begun. */
    public ZoneCleanEvent() {}
}
