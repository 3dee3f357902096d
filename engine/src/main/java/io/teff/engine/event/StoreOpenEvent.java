package io.teff.engine.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A store was opened. */
@Name("io.teff.StoreOpen")
@Label("Store Open")
@Category({"Teff", "Engine"})
@StackTrace(true)
public final class StoreOpenEvent extends Event {
    /** Name of the store. */
    @Label("Store")
    public String store = "";
    /** Node ID of the store. */
    @Label("NID")
    public int nid;
    /** Memory limit of the store. */
    @Label("Limit")
    @DataAmount
    public long limitBytes;
    /** The mode of memory in use, and what the other mode would bring. */
    @Label("Memory")
    public String memory = "";

    private StoreOpenEvent() {}

    /**
     * Records an event, if events of this type are enabled.
     *
     * @param store name of the store
     * @param nid node ID of the store
     * @param limitBytes memory limit of the store
     * @param memory the mode of memory, in a line
     */
    public static void emit(String store, int nid, long limitBytes, String memory) {
        StoreOpenEvent event = new StoreOpenEvent();
        if (event.shouldCommit()) {
            event.store = store;
            event.nid = nid;
            event.limitBytes = limitBytes;
            event.memory = memory;
            event.commit();
        }
    }
}
