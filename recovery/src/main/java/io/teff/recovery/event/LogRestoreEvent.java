package io.teff.recovery.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A durable store was opened; duration = recovery and restore. */
@Name("io.teff.LogRestore")
@Label("Log Restore")
@Category({"Teff", "Recovery"})
public final class LogRestoreEvent extends Event {
    /** Folder of the log. */
    @Label("Folder")
    public String folder = "";
    /** Zones that were read. */
    @Label("Zones")
    public long zones;
    /** Bytes that were read. */
    @Label("Bytes")
    @DataAmount
    public long bytes;
    /** Number of entries read, outdated entries included. */
    @Label("Entries")
    public long entries;
    /** Parts of files that could not be read. */
    @Label("Damage")
    public long damage;

    /** Makes an event that is not yet begun. */
    public LogRestoreEvent() {}
}
