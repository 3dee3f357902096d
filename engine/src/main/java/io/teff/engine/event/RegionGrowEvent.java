package io.teff.engine.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A store's address space grew, or could not. */
@Name("io.teff.RegionGrow")
@Label("Region Grow")
@Category({"Teff", "Engine"})
@Description("A store's address space grew, or could not: the limit is reached, or the machine has no more memory")
public final class RegionGrowEvent extends Event {
    /** What was asked for. */
    @Label("Wanted")
    @DataAmount
    public long wantedBytes;
    /** What was added; 0 for a refusal. */
    @Label("Added")
    @DataAmount
    public long addedBytes;
    /** Size of the address space afterwards. */
    @Label("Size")
    @DataAmount
    public long sizeBytes;

    /** Makes an event that is not yet begun. */
    public RegionGrowEvent() {}
}
