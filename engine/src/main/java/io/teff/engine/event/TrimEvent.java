package io.teff.engine.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A store gave memory back to the kernel. */
@Name("io.teff.Trim")
@Label("Trim")
@Category({"Teff", "Engine"})
public final class TrimEvent extends Event {
    /** The store. */
    @Label("Store")
    public String store = "";
    /** What was given back. */
    @Label("Bytes")
    @DataAmount
    public long bytes;

    /** Makes an event that is not yet begun. */
    public TrimEvent() {}
}
