package io.teff.engine.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.engine.error.StoreException;
import io.teff.engine.memory.Region;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.os.Threads;
import io.teff.test.kit.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: runs never overlap, pages are aligned, FULL is correct, and a release is refused unless it names a run
 * exactly.
 *
 * <p>Method: random requests against a sorted map of runs, in a region of a few blocks that is full half of the time;
 * an audit after each step.
 */
@Tag("modes")
@Tag("plain")
final class RunMapTest {
    private static final int STEPS = 4000;
    private static final int BLOCKS = 6;
    private static final int[] PAGES = {2, 4, 8, 16, 64};

    private final TreeMap<Long, Long> model = new TreeMap<>();
    private final Region region = new Region(BLOCKS * RegionLayout.BLOCK_BYTES, false, Threads.SYSTEM);
    private final RunMap runs = new RunMap(region);
    private RunMap.GiveBack slowWalk = runs.giveBack();

    @ParameterizedTest
    @ValueSource(ints = {40, 300, 1024, 3000})
    void anySequence_equalsTheModel(int unitsMax) {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        try {
            for (int step = 0; step < STEPS; step++) {
                boolean filling = step / 200 % 2 == 0;
                switch (random.nextInt(filling ? 8 : 3)) {
                    case 0, 1 -> release(random);
                    case 2 -> wrongRelease(random);
                    case 3, 4 -> takePage(PAGES[random.nextInt(PAGES.length)]);
                    default -> takeRun(random.nextInt(1, unitsMax + 1));
                }
                if (step % 100 == 0) {
                    RunMap.GiveBack walk = runs.giveBack();
                    for (boolean more = true; more; check()) {
                        more = walk.step();
                    }
                    assertTrue(walk.bytes() >= 0);
                }
                if (step % 7 == 0 && !slowWalk.step()) {
                    slowWalk = runs.giveBack();
                }
                check();
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Seed.reproduce(RunMapTest.class, seed), e);
        } finally {
            region.close();
        }
    }

    /** Gives free memory back repeatedly while an action runs. */
    private void besideAGiver(Runnable other) throws InterruptedException {
        AtomicBoolean done = new AtomicBoolean();
        Thread giver = Thread.ofPlatform().start(() -> {
            while (!done.get()) {
                RunMap.GiveBack walk = runs.giveBack();
                boolean more = true;
                while (more) {
                    more = walk.step();
                }
            }
        });
        try {
            other.run();
        } finally {
            done.set(true);
            giver.join();
        }
        runs.audit();
        region.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void takeAtTheLimit_whileTheLastIsBeingGivenBack_isNotRefused(boolean asPage) throws InterruptedException {
        while (runs.takePage(64) != RunMap.FULL) {
            runs.committedBytes();
        }
        runs.release(RegionLayout.FIRST_ADDRESS, 64);
        besideAGiver(() -> {
            for (int i = 0; i < 20_000; i++) {
                long run = asPage ? runs.takePage(64) : runs.takeRun(64);
                assertEquals(RegionLayout.FIRST_ADDRESS, run, "step " + i);
                runs.release(run, 64);
            }
        });
    }

    /** Once the kernel has finished, a later run meets no obstacle. */
    @Test
    void takeAcrossTheStartOfAStretch_thatHasBeenGivenBack_doesNotWait() {
        long front = runs.takePage(2);
        long back = runs.takePage(2);
        runs.release(back, 2);
        runs.giveBack().step();
        runs.release(front, 2);
        assertEquals(front, assertTimeoutPreemptively(Duration.ofMinutes(1), () -> runs.takePage(64)));
        region.close();
    }

    /** A run that avoids a stretch being given back would cut the hole into which three of them fit. */
    @Test
    void runsAtTheLimit_whileMemoryIsGivenBack_lieWhereTheyWouldLie() throws InterruptedException {
        int units = 245;
        List<Long> all = new ArrayList<>();
        for (long run = runs.takeRun(units); run != RunMap.FULL; run = runs.takeRun(units)) {
            all.add(run);
        }
        besideAGiver(() -> {
            for (int i = 0; i < 5_000; i++) {
                int first = i % (all.size() / 4) * 4;
                List<Long> three = all.subList(first, first + 3);
                three.forEach(run -> runs.release(run, units));
                for (long run : three) {
                    assertEquals(run, runs.takeRun(units), "step " + i);
                }
            }
        });
    }

    private void takePage(int units) {
        long address = runs.takePage(units);
        if (address == RunMap.FULL) {
            assertFalse(hasRoom(units, units), () -> "FULL, but there is room for a page of " + units);
        } else {
            assertEquals(0, address % ((long) units << RegionLayout.UNIT_SHIFT), "alignment");
            add(address, units);
        }
    }

    private void takeRun(long units) {
        long address = runs.takeRun(units);
        if (address == RunMap.FULL) {
            assertFalse(units < RegionLayout.UNITS_PER_BLOCK ? hasRoom(units, 1)
                : region.reserved() && hasRoom(units, RegionLayout.UNITS_PER_BLOCK),
                () -> "FULL, but there is room for " + units);
        } else {
            add(address, units);
        }
    }

    private void add(long address, long units) {
        long end = address + (units << RegionLayout.UNIT_SHIFT);
        assertTrue(address >= RegionLayout.FIRST_ADDRESS && end <= blockEnd() * RegionLayout.BLOCK_BYTES);
        assertTrue(!region.reserved() || runs.committedBytes() <= BLOCKS * RegionLayout.BLOCK_BYTES);
        Map.Entry<Long, Long> before = model.lowerEntry(end);
        assertTrue(before == null || before.getKey() + (before.getValue() << RegionLayout.UNIT_SHIFT) <= address,
            () -> "a run at 0x" + Long.toHexString(address) + " overlaps " + before);
        model.put(address, units);
    }

    private void release(SplittableRandom random) {
        if (!model.isEmpty()) {
            long address = pick(random);
            runs.release(address, model.remove(address));
        }
    }

    private long pick(SplittableRandom random) {
        List<Long> all = new ArrayList<>(model.keySet());
        return all.get(random.nextInt(all.size()));
    }

    private void wrongRelease(SplittableRandom random) {
        if (model.isEmpty()) {
            return;
        }
        long address = pick(random);
        long units = model.get(address);
        switch (random.nextInt(5)) {
            case 0 -> refused(address, units + 1);
            case 1 -> refused(address, units - 1);
            case 2 -> refused(address + RegionLayout.UNIT_BYTES, units);
            case 3 -> refused(address + 8, units);
            default -> refused(random.nextLong(), units);
        }
    }

    private void refused(long address, long units) {
        if (model.getOrDefault(address, 0L) != units) {
            assertFalse(runs.isRun(address, units));
            assertThrows(StoreException.class, () -> runs.release(address, units));
        }
    }

    /** Returns the index after the last block that the region can have. */
    private int blockEnd() {
        return RegionLayout.FIRST_BLOCK + BLOCKS + region.headroom();
    }

    /**
     * Returns whether that many adjacent units are free, existing or not, and allowed by the limit. Short runs lie in
     * one block.
     */
    private boolean hasRoom(long units, int alignment) {
        if (runs.usedBytes() + (units << RegionLayout.UNIT_SHIFT) > BLOCKS * RegionLayout.BLOCK_BYTES) {
            return false;
        }
        boolean[] taken = new boolean[blockEnd() * RegionLayout.UNITS_PER_BLOCK];
        model.forEach((address, length) -> {
            for (int i = 0; i < length; i++) {
                taken[(int) (address >>> RegionLayout.UNIT_SHIFT) + i] = true;
            }
        });
        int together = 0;
        for (int block = RegionLayout.FIRST_BLOCK; block < blockEnd(); block++) {
            together = units < RegionLayout.UNITS_PER_BLOCK ? 0 : together;
            for (int unit = 0; unit < RegionLayout.UNITS_PER_BLOCK; unit++) {
                boolean starts = together > 0 || unit % alignment == 0;
                together = taken[block * RegionLayout.UNITS_PER_BLOCK + unit] || !starts ? 0 : together + 1;
                if (together == units) {
                    return true;
                }
            }
        }
        return false;
    }

    private void check() {
        runs.audit();
        TreeMap<Long, Long> walked = new TreeMap<>();
        runs.forEachRun(walked::put);
        assertEquals(model, walked);
        assertEquals(model, stretches());
        long units = model.values().stream().mapToLong(Long::longValue).sum();
        assertEquals(units << RegionLayout.UNIT_SHIFT, runs.usedBytes());
        assertTrue(runs.committedBytes() >= runs.usedBytes());
        model.forEach((address, length) -> assertTrue(runs.isRun(address, length)));
    }

    /** Returns the runs, found by stepping from stretch to stretch over the whole region. */
    private TreeMap<Long, Long> stretches() {
        TreeMap<Long, Long> found = new TreeMap<>();
        long touched = 0;
        long address = RegionLayout.FIRST_ADDRESS;
        while (address < RegionLayout.blockAddress(runs.blockEnd())) {
            long units = runs.stretchUnits(address);
            long touchedHere = runs.touchedUnits(address, units);
            touched += touchedHere;
            if (runs.isUsed(address)) {
                assertEquals(units, touchedHere);
                found.put(address, units);
            }
            address += units << RegionLayout.UNIT_SHIFT;
        }
        assertEquals(RegionLayout.blockAddress(runs.blockEnd()), address);
        assertEquals(runs.committedBytes() - region.preparedBytes(), touched << RegionLayout.UNIT_SHIFT);
        return found;
    }

    @Test
    void refusedRequest_changesNothing() {
        runs.refuseWhen(() -> true);
        assertEquals(RunMap.FULL, runs.takePage(8));
        assertEquals(RunMap.FULL, runs.takeRun(5));
        assertEquals(0, runs.usedBytes());
        assertEquals(RegionLayout.FIRST_BLOCK, region.blockEnd());
        region.close();
    }

    @Test
    void largerThanTheRegion_isFull() {
        assertEquals(RunMap.FULL, runs.takeRun((long) BLOCKS * RegionLayout.UNITS_PER_BLOCK + 1));
        assertEquals(RunMap.FULL, runs.takeRun(Long.MAX_VALUE / 2));
        takeRun((long) BLOCKS * RegionLayout.UNITS_PER_BLOCK);
        assertEquals(1, model.size());
        assertEquals(RunMap.FULL, runs.takePage(8));
        check();
        region.close();
    }

    /** A long run begins in free blocks at the end, and continues in new ones. */
    @Test
    void longRun_isPartlyInNewBlocks() {
        long units = (BLOCKS - 2L) * RegionLayout.UNITS_PER_BLOCK;
        takeRun(units);
        runs.release(model.firstKey(), units);
        model.clear();
        takeRun(1);
        takeRun(units + RegionLayout.UNITS_PER_BLOCK);
        assertEquals(region.reserved() ? 2 : 1, model.size());
        check();
    }

    /** Memory that was freed elsewhere goes back to the kernel before other places are touched beyond the limit. */
    @Test
    void runsInOtherPlaces_keepTheMemoryInTheLimit() {
        assumeTrue(region.reserved());
        long units = BLOCKS * RegionLayout.UNITS_PER_BLOCK / 2;
        takeRun(units);
        takeRun(units);
        runs.release(model.firstKey(), model.pollFirstEntry().getValue());
        for (int i = 0; i < units / 64; i++) {
            takePage(64);
        }
        assertEquals(BLOCKS * RegionLayout.BLOCK_BYTES, runs.usedBytes());
        check();
    }

    /** Short runs fill the lowest blocks, so that the whole limit fits beside a page that stays. */
    @Test
    void pageBehindALongRun_splitsNothing() {
        assumeTrue(region.reserved());
        long units = (BLOCKS - 1L) * RegionLayout.UNITS_PER_BLOCK;
        takeRun(units);
        takePage(8);
        runs.release(model.lastKey(), model.pollLastEntry().getValue());
        takeRun(units + RegionLayout.UNITS_PER_BLOCK - 8);
        assertEquals(BLOCKS * RegionLayout.BLOCK_BYTES, runs.usedBytes());
        check();
    }

    /** A removed run fits again where a page has taken the rest of its last block. */
    @Test
    void removedRun_fitsAgain_beforeAPageInItsLastBlock() {
        long units = (BLOCKS - 1L) * RegionLayout.UNITS_PER_BLOCK + 100;
        for (int i = 0; i < 3; i++) {
            takeRun(units);
            takePage(8);
            assertEquals(i + 2, model.size());
            Map.Entry<Long, Long> run = model.entrySet().stream().filter(entry -> entry.getValue() == units)
                .findFirst().orElseThrow();
            runs.release(run.getKey(), model.remove(run.getKey()));
        }
        check();
    }

    @Test
    void endRefusal_isTrueOnceAfterARefusal_ifTheRunFitsBesideTheNeeded() {
        int half = BLOCKS * RegionLayout.UNITS_PER_BLOCK / 2;
        long halfBytes = BLOCKS * RegionLayout.BLOCK_BYTES / 2;
        assertFalse(runs.endRefusal(0));
        takeRun(half);
        assertFalse(runs.endRefusal(0));
        assertEquals(RunMap.FULL, runs.takeRun(half + 1));
        assertTrue(runs.endRefusal(0));
        assertFalse(runs.endRefusal(0));
        assertEquals(RunMap.FULL, runs.takeRun(half + 1));
        assertFalse(runs.endRefusal(halfBytes));
        assertEquals(RunMap.FULL, runs.takeRun(Long.MAX_VALUE / 2));
        assertFalse(runs.endRefusal(0));
        region.close();
    }
}
