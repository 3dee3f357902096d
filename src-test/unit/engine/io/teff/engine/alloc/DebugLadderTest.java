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
 * Goal: the checks of a free are not confused by concurrent changes of other threads.
 *
 * <p>Method: the intermediate state of another thread's claim is written into its stripe. {@code MemorySafetyTest} has
 * the faults that must be detected.
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

    /**
     * A claim stores the free slots first, then their base; in between the slots appear to lie at the previous base.
     */
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
