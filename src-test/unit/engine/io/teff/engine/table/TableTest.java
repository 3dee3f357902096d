package io.teff.engine.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.alloc.RunMap;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.Region;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.os.Threads;
import io.teff.test.kit.Seed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Goal: the directory records which pages may be created, and by whom. Method: a few pages in every state. */
@Tag("modes")
final class TableTest {
    private static final int PAGE = 4096;

    private final Region region = new Region(4L * RegionLayout.BLOCK_BYTES, false, Threads.SYSTEM);
    private final Memory memory = region.memory();
    private final Table table = new Table(0, new RunMap(region), new TablePages(), null);

    @AfterEach
    void close() {
        region.close();
    }

    @Test
    void nextGaps_pagesThatExistOrAreTaken_areLeftOut() {
        assertEquals(0, table.nextGaps(0, 10L * PAGE, PAGE - 1, true));
        assertEquals(PAGE, table.nextGaps(PAGE, 10L * PAGE, PAGE, true));
        assertEquals(0, table.nextGaps(0, 10L * PAGE, 10 * PAGE - 1, true));
        assertEquals(-1, table.nextGaps(0, 10L * PAGE, 10 * PAGE, true), "index 0 is never issued");
        assertNotEquals(Table.NO_ENTRY, table.makeEntry(2L * PAGE + 5));
        table.takePages(4L * PAGE, 6L * PAGE);
        assertEquals(0, table.nextGaps(0, 10L * PAGE, 2 * PAGE - 1, true));
        assertEquals(6L * PAGE, table.nextGaps(0, 10L * PAGE, 2 * PAGE, true));
        assertEquals(-1, table.nextGaps(0, 10L * PAGE, 5 * PAGE, true));
        assertEquals(3L * PAGE, table.nextGaps(PAGE * 2L, 10L * PAGE, 1, true));
        table.untakePages(3L * PAGE, 6L * PAGE);
        assertEquals(3L * PAGE, table.nextGaps(0, 10L * PAGE, 5 * PAGE, true));
    }

    @Test
    void nextGaps_severalGenerations_areOneRunOnRequestOnly() {
        table.markReleased(3L * PAGE, 7);
        table.markReleased(4L * PAGE, 7);
        table.markReleased(6L * PAGE, CidLayout.GENERATIONS);
        assertEquals(0, table.nextGaps(0, 6L * PAGE, 2 * PAGE, true));
        assertEquals(3L * PAGE, table.nextGaps(2L * PAGE, 6L * PAGE, 2 * PAGE, true));
        assertEquals(-1, table.nextGaps(0, 10L * PAGE, 4 * PAGE, true));
        assertEquals(0, table.nextGaps(0, 10L * PAGE, 6 * PAGE - 1, false));
        assertEquals(-1, table.nextGaps(0, 10L * PAGE, 6 * PAGE, false), "a page was used up");
        assertFalse(table.isGap(6L * PAGE));
    }

    @Test
    void takePages_severalGenerations_makesThemAllTheHighest() {
        table.markReleased(3L * PAGE, 7);
        table.takePages(PAGE, 5L * PAGE);
        for (long index = PAGE; index < 5L * PAGE; index += 1000) {
            assertEquals(7, EntryWord.generation(memory.getLong(table.makeEntry(index))));
        }
        assertEquals(0, EntryWord.generation(memory.getLong(table.makeEntry(0))));
        assertTrue(table.isGap(5L * PAGE));
    }

    @Test
    void nearPage_pagesMadeAndReleasedInAnyOrder_agreesWithTheDirectory() {
        long seed = Seed.first();
        String reproduce = Seed.reproduce(TableTest.class, seed);
        SplittableRandom random = Seed.random(seed);
        for (int number = 0; number < 100; number++) {
            long index = random.nextLong(128) * PAGE;
            if (table.entry(index) == Table.NO_ENTRY && random.nextInt(4) > 0) {
                assertNotEquals(Table.NO_ENTRY, table.makeEntry(index), reproduce);
            } else if (table.entry(index) != Table.NO_ENTRY) {
                table.releasePage(index, random.nextInt(1, 9), 0);
            }
        }
        int seen = 0;
        for (long index = 0; index < 200L * PAGE; index += 1023) {
            long page = table.nearPage(index);
            if (Table.isPage(page)) {
                assertEquals(place(table.entry(index)), Table.entryIn(page, index), reproduce);
                seen++;
            } else {
                assertTrue(page == 0 || table.entry(index) == Table.NO_ENTRY, reproduce);
            }
        }
        assertTrue(seen > 0, "no page is near");
    }

    @Test
    void nearPage_pagesFarApart_staysShort() {
        for (long number = 1; number < 1L << 27; number *= 2) {
            assertNotEquals(Table.NO_ENTRY, table.makeEntry(number * PAGE));
        }
        assertEquals(0, table.nearPage(1L << 38), "a flat directory of that length would take a gigabyte");
        assertNotEquals(Table.NO_ENTRY, table.entry(1L << 38));
    }

    @Test
    void nearPage_pagesInOrder_findsEach() {
        for (long number = 0; number < 100; number++) {
            long entry = table.makeEntry(number * PAGE + 7);
            assertEquals(place(entry), Table.entryIn(table.nearPage(number * PAGE + 7), number * PAGE + 7),
                "page " + number);
        }
    }

    private long place(long address) {
        return memory.placeOfZero() + address;
    }
}
