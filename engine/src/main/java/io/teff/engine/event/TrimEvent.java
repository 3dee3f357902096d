package io.teff.engine.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A store returned memory to the operating system. */
@Name("io.teff.Trim")
@Label("Trim")
@Category({"Teff", "Engine"})
public final class TrimEvent extends Event {
    /** Name of the store. */
    @Label("Store")
    public String store = "";
    /** Bytes returned. */
    @Label("Bytes")
    @DataAmount
    public long bytes;

    /** Makes an event that has not begun. */
    public TrimEvent() {}
}
