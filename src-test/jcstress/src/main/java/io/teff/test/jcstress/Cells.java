package io.teff.test.jcstress;

import io.teff.engine.memory.Memory;
import io.teff.engine.memory.Region;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.os.Threads;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Native memory for the states of the lane: a ring of cells of one cache line each. The harness keeps some ten thousand
 * states at a time, so a cell is used again long after its state is gone.
 */
final class Cells {
    /** The region's accessor. */
    static final Memory MEMORY;

    private static final int CELL_BYTES = 64;
    private static final int BLOCKS = 4;
    private static final int COUNT = (int) (BLOCKS * RegionLayout.BLOCK_BYTES / CELL_BYTES);
    private static final AtomicInteger NEXT = new AtomicInteger();

    static {
        Region region = new Region(BLOCKS * RegionLayout.BLOCK_BYTES, false, Threads.SYSTEM);
        if (region.grow(BLOCKS) == Region.NO_BLOCK) {
            throw new IllegalStateException("no memory for the cells");
        }
        MEMORY = region.memory();
    }

    private Cells() {}

    /** Returns a cell of eight words, all zero. */
    static long take() {
        long cell = RegionLayout.FIRST_ADDRESS + (long) Math.floorMod(NEXT.getAndIncrement(), COUNT) * CELL_BYTES;
        MEMORY.fill(cell, CELL_BYTES, (byte) 0);
        return cell;
    }
}
