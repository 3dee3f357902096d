package io.teff.recovery.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** What was committed went to the device; duration = frames, segments and their syncs. */
@Name("io.teff.LogSync")
@Label("Log Sync")
@Category({"Teff", "Recovery"})
public final class LogSyncEvent extends Event {
    /** Folder of the log. */
    @Label("Folder")
    public String folder = "";
    /** Bytes of the ring. */
    @Label("Bytes")
    @DataAmount
    public long bytes;
    /** Calls that waited for it. */
    @Label("Waiting")
    public long waiting;

    /** Makes an event that is not yet begun. */
    public LogSyncEvent() {}
}
