package io.teff.engine.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A store's address space grew, or failed to grow. */
@Name("io.teff.RegionGrow")
@Label("Region Grow")
@Category({"Teff", "Engine"})
@Description("A store's address space grew, or failed to grow: its limit is reached, or the system has no more memory")
public final class RegionGrowEvent extends Event {
    /** Bytes requested. */
    @Label("Wanted")
    @DataAmount
    public long wantedBytes;
    /** Bytes added; 0 if the space did not grow. */
    @Label("Added")
    @DataAmount
    public long addedBytes;
    /** Size of the address space afterwards, in bytes. */
    @Label("Size")
    @DataAmount
    public long sizeBytes;

    /** Makes an event that has not begun. */
    public RegionGrowEvent() {}
}
