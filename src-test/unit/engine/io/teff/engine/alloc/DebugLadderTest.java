package io.teff.engine.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.error.StoreException;
import io.teff.engine.memory.Region;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: the checks at a free see nothing that other threads are just changing.
 *
 * <p>Method: what another thread's claim looks like halfway is put into its stripe. {@code MemorySafetyTest} has the
 * faults that must be noticed.
 */
final class DebugLadderTest {
    private static final int BYTES = 40;
    private static final int QUARANTINE = 2;

    private final Region region = new Region(4 * RegionLayout.BLOCK_BYTES, false, Threads.SYSTEM);
    private final RunMap runs = new RunMap(region);
    private final AllocStripes stripes = new AllocStripes(Clock.SYSTEM, 2);
    private final ChunkHeap heap = new ChunkHeap(new Allocator(runs, stripes), runs, region::protect, QUARANTINE);

    @AfterEach
    void close() {
        region.close();
    }

    /** A claim stores the free slots first, then where they lie; until then it seems to be of what lay there before. */
    @Test
    void free_whileAnotherStripeClaims_isRight() {
        long address = heap.allocate(stripes.stripe(0), BYTES);
        long taken = heap.takenBytes(BYTES);
        stripes.stripe(1).claim(SizeClasses.classOf((int) taken), -1L, address - Long.BYTES);
        heap.free(address, BYTES);
        assertEquals(1, heap.quarantined());
        assertThrows(StoreException.class, () -> heap.free(address, BYTES));
    }
}
