package io.teff.engine.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A defragmentation finished a pass. */
@Name("io.teff.Defrag")
@Label("Defragmentation")
@Category({"Teff", "Engine"})
public final class DefragEvent extends Event {
    /** Name of the store. */
    @Label("Store")
    public String store = "";
    /** Sparse pages that the pass selected. */
    @Label("Pages")
    public long pages;
    /** Chunks moved. */
    @Label("Moved Chunks")
    public long movedChunks;
    /** Sum of the lengths of the moved chunks. */
    @Label("Moved Bytes")
    @DataAmount
    public long movedBytes;
    /** Chunks not moved because they were locked or pinned. */
    @Label("Left Chunks")
    public long leftChunks;
    /** Bytes of the pages that became free. */
    @Label("Freed Bytes")
    @DataAmount
    public long freedBytes;
    /** Bytes returned to the operating system. */
    @Label("Returned Bytes")
    @DataAmount
    public long returnedBytes;

    /** Makes an event that has not begun. */
    public DefragEvent() {}
}
