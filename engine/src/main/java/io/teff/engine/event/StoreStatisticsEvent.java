package io.teff.engine.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** Where a store's bytes are, now and then. */
@Name("io.teff.StoreStatistics")
@Label("Store Statistics")
@Category({"Teff", "Engine"})
@Period("1 s")
@StackTrace(false)
public final class StoreStatisticsEvent extends Event {
    /** The store. */
    @Label("Store")
    public String store = "";
    /** Number of chunks. */
    @Label("Chunks")
    public long chunks;
    /** Sum of the chunks' lengths. */
    @Label("Payload")
    @DataAmount
    public long payloadBytes;
    /** Table pages. */
    @Label("Table")
    @DataAmount
    public long tableBytes;
    /** Pages and runs that are handed out, table included. */
    @Label("Used")
    @DataAmount
    public long usedBytes;
    /** Memory of the machine. */
    @Label("Committed")
    @DataAmount
    public long committedBytes;

    /** Makes an event that is not yet begun. */
    public StoreStatisticsEvent() {}

    /**
     * Calls a hook at every period while the event is on.
     *
     * @param hook makes and commits events
     */
    public static void addHook(Runnable hook) {
        FlightRecorder.addPeriodicEvent(StoreStatisticsEvent.class, hook);
    }

    /**
     * Ends a hook.
     *
     * @param hook what was added
     */
    public static void removeHook(Runnable hook) {
        FlightRecorder.removePeriodicEvent(hook);
    }
}
