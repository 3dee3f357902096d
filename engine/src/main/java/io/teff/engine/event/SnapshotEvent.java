package io.teff.engine.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A snapshot was written or restored. */
@Name("io.teff.Snapshot")
@Label("Snapshot")
@Category({"Teff", "Engine"})
public final class SnapshotEvent extends Event {
    /** Path of the file. */
    @Label("Path")
    public String path = "";
    /** Whether the snapshot was restored; otherwise it was written. */
    @Label("Restore")
    public boolean restore;
    /** Chunks in the snapshot; 0 if the operation failed. */
    @Label("Chunks")
    public long chunks;
    /** Sum of the chunks' lengths. */
    @Label("Payload")
    @DataAmount
    public long payloadBytes;

    /** Makes an event that has not begun. */
    public SnapshotEvent() {}
}
