package io.teff.engine.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.memory.Region;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.os.BlockFile;
import io.teff.engine.os.SystemInfo;
import io.teff.engine.os.Threads;
import io.teff.engine.report.StoreStats;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: free memory goes back to the kernel in both modes of memory, and where the kernel takes none, the counts say
 * so.
 */
@Tag("modes")
@Tag("plain")
final class GiveBackTest {
    private static final int BLOCKS = 40;
    private static final int CHUNKS = 400_000;

    @TempDir
    private Path folder;

    private static void giveAllBack(RunMap runs) {
        RunMap.GiveBack walk = runs.giveBack();
        boolean isMore = true;
        while (isMore) {
            isMore = walk.step();
        }
        runs.audit();
    }

    private Region region(Path temporary) {
        return new Region(BLOCKS * RegionLayout.BLOCK_BYTES, false, Threads.SYSTEM, new BlockFile(temporary));
    }

    @Test
    void releasedRuns_areGivenBack_andUsedAgain() {
        assumeTrue(SystemInfo.linux());
        try (Region region = region(folder)) {
            RunMap runs = new RunMap(region);
            long kept = runs.takeRun(3);
            long long2 = runs.takeRun(2L * RegionLayout.UNITS_PER_BLOCK + 1);
            long page = runs.takePage(64);
            region.memory().putLong(page, 7);
            region.memory().putLong(kept, 8);
            runs.release(long2, 2L * RegionLayout.UNITS_PER_BLOCK + 1);
            runs.release(page, 64);
            giveAllBack(runs);
            assertEquals(runs.usedBytes(), runs.committedBytes());
            assertEquals(runs.usedBytes(), runs.heldBytes());
            assertEquals(3L << RegionLayout.UNIT_SHIFT, runs.usedBytes());
            assertEquals(page, runs.takePage(64));
            assertEquals(0, region.memory().getLong(page));
            assertEquals(8, region.memory().getLong(kept));
            assertEquals(67L << RegionLayout.UNIT_SHIFT, runs.committedBytes());
        }
    }

    /** Without a file there are only arenas, whose memory the JDK keeps until close. */
    @Test
    void withoutMappings_memoryStaysCommitted() {
        try (Region region = region(folder.resolve("missing"))) {
            assumeFalse(region.reserved());
            RunMap runs = new RunMap(region);
            long run = runs.takeRun(5);
            assertNotEquals(RunMap.FULL, runs.takePage(8));
            runs.release(run, 5);
            giveAllBack(runs);
            assertEquals(8L << RegionLayout.UNIT_SHIFT, runs.heldBytes());
            assertTrue(runs.committedBytes() >= RegionLayout.BLOCK_BYTES);
        }
    }

    /** A run beyond the longest mapping is kept in an arena; the blocks beside it are given back. */
    @Test
    void veryLongRun_isKept_beside_mappedBlocks() {
        assumeTrue(SystemInfo.linux());
        try (Region region = region(folder)) {
            assumeFalse(region.reserved());
            RunMap runs = new RunMap(region);
            long units = 17L * RegionLayout.UNITS_PER_BLOCK;
            long page = runs.takePage(64);
            long run = runs.takeRun(units);
            runs.release(run, units);
            runs.release(page, 64);
            giveAllBack(runs);
            assertEquals(0, runs.heldBytes());
            assertEquals(units << RegionLayout.UNIT_SHIFT, runs.committedBytes() - region.preparedBytes());
            assertEquals(run, runs.takeRun(units));
            runs.audit();
        }
    }

    @Test
    void removedChunks_leaveTheProcess() {
        assumeTrue(SystemInfo.linux());
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(256L << 20).build())) {
            long[] cids = new long[CHUNKS];
            for (int i = 0; i < CHUNKS; i++) {
                cids[i] = store.create(new byte[100]);
            }
            long full = SystemInfo.residentBytes();
            for (int i = 0; i < CHUNKS; i++) {
                if (i % 10 != 0) {
                    store.remove(cids[i]);
                }
            }
            store.trim();
            store.defragment();
            StoreStats stats = store.stats();
            assertTrue(stats.committedBytes() < 12L << 20, stats::toString);
            assertTrue(full - SystemInfo.residentBytes() > 20L << 20, () -> full + " " + SystemInfo.residentBytes());
            store.audit();
        }
    }
}
