package io.teff.recovery.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Committed records were written to the device; duration = frames, segments and their syncs. */
@Name("io.teff.LogSync")
@Label("Log Sync")
@Category({"Teff", "Recovery"})
public final class LogSyncEvent extends Event {
    /** Folder of the log. */
    @Label("Folder")
    public String folder = "";
    /** Bytes of the records in the ring. */
    @Label("Bytes")
    @DataAmount
    public long bytes;
    /** Threads that waited for this sync. */
    @Label("Waiting")
    public long waiting;

    /** Makes an event that is not yet begun. */
    public LogSyncEvent() {}
}
