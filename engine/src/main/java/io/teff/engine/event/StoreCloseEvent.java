package io.teff.engine.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A store was closed; the duration is the wait for running operations and views. */
@Name("io.teff.StoreClose")
@Label("Store Close")
@Category({"Teff", "Engine"})
public final class StoreCloseEvent extends Event {
    /** The store. */
    @Label("Store")
    public String store = "";

    /** Makes an event that is not yet begun. */
    public StoreCloseEvent() {}
}
