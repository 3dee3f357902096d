package io.teff.engine.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.alloc.RunMap;
import io.teff.engine.memory.Region;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.os.Threads;
import io.teff.test.kit.Seed;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goal: the directory equals a sorted map, and costs what it holds. Method: random numbers of all magnitudes. */
final class PageDirectoryTest {
    private static final int NUMBER_BITS = 28;
    private static final int STEPS = 20_000;

    private final Region region = new Region(16 * RegionLayout.BLOCK_BYTES, false, Threads.SYSTEM);
    private final RunMap runs = new RunMap(region);

    @AfterEach
    void close() {
        region.close();
    }

    private static long number(SplittableRandom random) {
        return random.nextLong(1L << NUMBER_BITS) >>> random.nextInt(NUMBER_BITS);
    }

    @Test
    void anyNumbers_equalASortedMap() {
        for (long seed = Seed.first(); seed < Seed.first() + 10; seed++) {
            String text = Seed.reproduce(PageDirectoryTest.class, seed);
            SplittableRandom random = Seed.random(seed);
            PageDirectory directory = new PageDirectory(runs);
            TreeMap<Long, Long> model = new TreeMap<>();
            long before = runs.outsideBytes();
            for (int step = 0; step < STEPS; step++) {
                long number = number(random);
                if (random.nextInt(3) > 0) {
                    assertTrue(directory.make(number, false), text);
                    directory.setElement(number, number + 1);
                    directory.setWord(number, ~number);
                    model.put(number, number + 1);
                } else if (!model.isEmpty()) {
                    Map.Entry<Long, Long> near = model.floorEntry(number);
                    long gone = near == null ? model.firstKey() : near.getKey();
                    assertEquals(~gone, directory.word(gone), text);
                    directory.setElement(gone, 0);
                    directory.setWord(gone, 0);
                    directory.drop(gone);
                    model.remove(gone);
                }
                assertEquals(model.getOrDefault(number, 0L), directory.element(number), text);
                Long next = model.ceilingKey(number);
                assertEquals(next == null ? -1 : next, directory.next(number, 1), text);
                if (step % 1000 == 0) {
                    assertEquals(directory.bytes(), runs.outsideBytes() - before, text);
                }
            }
            for (long number : model.keySet()) {
                directory.setElement(number, 0);
                directory.setWord(number, 0);
                directory.drop(number);
            }
            assertEquals(0, directory.bytes(), text);
            assertEquals(before, runs.outsideBytes(), text);
        }
    }

    @Test
    void pageFarFromAllOthers_costsLittle() {
        PageDirectory directory = new PageDirectory(runs);
        for (int i = 0; i < 1000; i++) {
            assertTrue(directory.make((long) i << 18 | 5, false));
        }
        assertTrue(directory.bytes() < 1000 * 1536, () -> "bytes=" + directory.bytes());
    }

    @Test
    void densePages_costNextToNothing() {
        PageDirectory directory = new PageDirectory(runs);
        for (int i = 0; i < 10_000; i++) {
            assertTrue(directory.make(i, false));
        }
        assertTrue(directory.bytes() < 10_000 * 19, () -> "bytes=" + directory.bytes());
    }

    @Test
    void limitOfTheRegion_refusesFurtherPages() {
        PageDirectory directory = new PageDirectory(runs);
        int made = 0;
        while (directory.make((long) made << 4, false)) {
            made++;
        }
        assertTrue(runs.outsideBytes() <= 16 * RegionLayout.BLOCK_BYTES);
        assertTrue(runs.outsideBytes() > 16 * RegionLayout.BLOCK_BYTES - 2048);
        assertEquals(RunMap.FULL, runs.takePage(2));
        assertFalse(directory.make((long) made << 4, false));
        assertTrue(directory.make((long) made << 4, true));
    }
}
