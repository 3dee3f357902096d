package io.teff.test.jcstress;

import io.teff.engine.alloc.RunMap;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.Region;
import io.teff.engine.os.Threads;
import io.teff.engine.table.CreatorTables;
import io.teff.engine.table.Table;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.State;

/** A page of the chunk table that does not exist yet. Pages are allocated from memory that was written before. */
@State
public class DirectoryState {
    private static final int PAGE_ENTRIES = 4096;
    private static final int PAGES = 1 << 15;
    private static final long REGION_BYTES = 2L << 30;
    private static final RunMap RUNS = new RunMap(new Region(REGION_BYTES, false, Threads.SYSTEM));
    private static final AtomicInteger NEXT = new AtomicInteger();

    static final Memory MEMORY = RUNS.memory();
    static final Table TABLE = new CreatorTables(0, RUNS, 4).make(1);

    /** The last index of the page: its entry is filled last. */
    final long index = (long) Math.floorMod(NEXT.getAndIncrement(), PAGES) * PAGE_ENTRIES + PAGE_ENTRIES - 1;
    /** For the twin: a directory of one element, and a page of one cell. */
    final AtomicLong element = new AtomicLong();
    final long page = Cells.take();

    /** Makes the memory of the twin's page dirty. */
    public DirectoryState() {
        Cells.MEMORY.putLong(page, -1);
    }

    /** Leaves the page dirty for its next user. */
    final void release() {
        long entry = TABLE.entry(index);
        if (entry != Table.NO_ENTRY) {
            MEMORY.putLong(entry, -1);
            TABLE.releaseForeign(index);
        }
    }
}
