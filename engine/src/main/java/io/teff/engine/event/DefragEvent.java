package io.teff.engine.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A defragmentation made a pass. */
@Name("io.teff.Defrag")
@Label("Defragmentation")
@Category({"Teff", "Engine"})
public final class DefragEvent extends Event {
    /** The store. */
    @Label("Store")
    public String store = "";
    /** Sparse pages that were chosen. */
    @Label("Pages")
    public long pages;
    /** Chunks that were moved. */
    @Label("Moved Chunks")
    public long movedChunks;
    /** Their bytes. */
    @Label("Moved Bytes")
    @DataAmount
    public long movedBytes;
    /** Chunks that were locked or pinned. */
    @Label("Left Chunks")
    public long leftChunks;
    /** Pages that became free. */
    @Label("Freed Bytes")
    @DataAmount
    public long freedBytes;
    /** What the kernel got back. */
    @Label("Returned Bytes")
    @DataAmount
    public long returnedBytes;

    /** Makes an event that is not yet begun. */
    public DefragEvent() {}
}
