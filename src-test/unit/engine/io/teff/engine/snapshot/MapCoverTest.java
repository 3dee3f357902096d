package io.teff.engine.snapshot;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.memory.RegionLayout;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a map is accepted only if it covers each unit once. Method: one region, covered correctly and in each wrong
 * way.
 */
final class MapCoverTest {
    private static final long UNIT = RegionLayout.UNIT_BYTES;
    private static final long FIRST = RegionLayout.FIRST_ADDRESS;
    private static final long END = FIRST + 24 * UNIT;

    private final MapCover cover = new MapCover();

    /** 24 units: table, 3 of others, table, 5 of others. */
    private void tables() {
        assertNull(cover.addTable(7, 4096, FIRST + 11 * UNIT));
        assertNull(cover.addTable(3, 0, FIRST));
    }

    @Test
    void everyUnitOnce_isRight() {
        tables();
        assertNull(cover.addRecord(FIRST + 8 * UNIT, 1));
        assertNull(cover.addRecord(FIRST + 9 * UNIT, 2));
        assertNull(cover.addRecord(FIRST + 19 * UNIT, 5));
        assertNull(cover.end(END));
    }

    @Test
    void nothing_isRightForAnEmptyRegion() {
        assertNull(cover.end(FIRST));
    }

    @Test
    void manyTables_coverTheirRegion() {
        for (int page = 999; page >= 0; page--) {
            assertNull(cover.addTable(1, (999L - page) * 4096, FIRST + page * 8 * UNIT));
        }
        assertNull(cover.end(FIRST + 8000 * UNIT));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 7, 9, 11, 19})
    void otherThatDoesNotFollow_isRefused(long unit) {
        tables();
        String refusal = cover.addRecord(FIRST + unit * UNIT, 1);
        assertNotNull(refusal);
        assertTrue(refusal.contains("must follow"), refusal);
    }

    @Test
    void hole_atTheEnd_isRefused() {
        tables();
        assertNull(cover.addRecord(FIRST + 8 * UNIT, 3));
        assertNull(cover.addRecord(FIRST + 19 * UNIT, 4));
        assertNotNull(cover.end(END));
    }

    @Test
    void otherOverATable_isRefused() {
        tables();
        assertNull(cover.addRecord(FIRST + 8 * UNIT, 16));
        String refusal = cover.end(END);
        assertNotNull(refusal);
        assertTrue(refusal.contains("overlaps others"), refusal);
    }

    private static void refused(String part, Consumer<MapCover> before, int nid, long firstIndex) {
        MapCover cover = new MapCover();
        before.accept(cover);
        String refusal = cover.addTable(nid, firstIndex, FIRST + 8 * UNIT);
        assertNotNull(refusal, part);
        assertTrue(refusal.contains(part), refusal);
    }

    @Test
    void tableOutOfPlace_isRefused() {
        refused("behind", all -> all.addRecord(FIRST, 8), 1, 0);
        refused("out of order", all -> all.addTable(1, 4096, FIRST), 1, 0);
        refused("out of order", all -> all.addTable(1, 4096, FIRST), 1, 4096);
        refused("two places", all -> {
            all.addTable(1, 0, FIRST);
            all.addTable(2, 0, FIRST + 16 * UNIT);
        }, 1, 4096);
    }
}
