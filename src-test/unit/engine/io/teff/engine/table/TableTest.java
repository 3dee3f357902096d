package io.teff.engine.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.alloc.RunMap;
import io.teff.engine.memory.Memory;
import io.teff.engine.memory.Region;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.os.Background;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Goal: the directory knows which pages may be made, and by whom. Method: a few pages in every state. */
@Tag("modes")
final class TableTest {
    private static final int PAGE = 4096;

    private final Region region = new Region(4L * RegionLayout.BLOCK_BYTES, false, Background.SYSTEM);
    private final Memory memory = region.memory();
    private final Table table = new Table(0, new RunMap(region));

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
}
