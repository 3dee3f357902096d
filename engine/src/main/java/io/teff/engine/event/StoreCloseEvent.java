package io.teff.engine.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A store was closed; the duration is the time spent waiting for running operations and open views. */
@Name("io.teff.StoreClose")
@Label("Store Close")
@Category({"Teff", "Engine"})
public final class StoreCloseEvent extends Event {
    /** Name of the store. */
    @Label("Store")
    public String store = "";

    /** Makes an event that has not begun. */
    public StoreCloseEvent() {}
}
