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
    /** The store. */
    @Label("Store")
    public String store = "";
    /** Its node id. */
    @Label("NID")
    public int nid;
    /** Its memory limit. */
    @Label("Limit")
    @DataAmount
    public long limitBytes;

    private StoreOpenEvent() {}

    /**
     * Records the event, if it is on.
     *
     * @param store its name
     * @param nid its node id
     * @param limitBytes its memory limit
     */
    public static void emit(String store, int nid, long limitBytes) {
        StoreOpenEvent event = new StoreOpenEvent();
        if (event.shouldCommit()) {
            event.store = store;
            event.nid = nid;
            event.limitBytes = limitBytes;
            event.commit();
        }
    }
}
