package io.teff.engine.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** Memory of a store, recorded periodically. */
@Name("io.teff.StoreStatistics")
@Label("Store Statistics")
@Category({"Teff", "Engine"})
@Period("1 s")
@StackTrace(false)
public final class StoreStatisticsEvent extends Event {
    /** Name of the store. */
    @Label("Store")
    public String store = "";
    /** Number of chunks. */
    @Label("Chunks")
    public long chunks;
    /** Sum of the chunks' lengths. */
    @Label("Payload")
    @DataAmount
    public long payloadBytes;
    /** Bytes of the pages of the chunk table. */
    @Label("Table")
    @DataAmount
    public long tableBytes;
    /** Bytes of the allocated pages and runs, including those of the table. */
    @Label("Used")
    @DataAmount
    public long usedBytes;
    /** Bytes of the system's memory that the store occupies. */
    @Label("Committed")
    @DataAmount
    public long committedBytes;

    /** Makes an event that has not begun. */
    public StoreStatisticsEvent() {}

    /**
     * Adds a hook that is called once per period while events of this type are enabled.
     *
     * @param hook makes and commits events
     */
    public static void addHook(Runnable hook) {
        FlightRecorder.addPeriodicEvent(StoreStatisticsEvent.class, hook);
    }

    /**
     * Removes a hook.
     *
     * @param hook hook that was added
     */
    public static void removeHook(Runnable hook) {
        FlightRecorder.removePeriodicEvent(hook);
    }
}
