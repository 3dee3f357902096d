package io.teff.engine.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A snapshot was written, or restored. */
@Name("io.teff.Snapshot")
@Label("Snapshot")
@Category({"Teff", "Engine"})
public final class SnapshotEvent extends Event {
    /** The file. */
    @Label("Path")
    public String path = "";
    /** True for a restore. */
    @Label("Restore")
    public boolean restore;
    /** Chunks in it; 0 if it failed. */
    @Label("Chunks")
    public long chunks;
    /** Sum of their lengths. */
    @Label("Payload")
    @DataAmount
    public long payloadBytes;

    /** Makes an event that is not yet begun. */
    public SnapshotEvent() {}
}
