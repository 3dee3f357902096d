package io.teff.engine.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.teff.engine.os.Threads;
import org.junit.jupiter.api.Test;

class RegionHeadroomTest {
    private static final long LIMIT_BYTES = 32 << 20;

    @Test
    void useHeadroom_raisesTheLimit_untilItEnds() {
        try (Region region = new Region(LIMIT_BYTES, false, Threads.SYSTEM)) {
            final int limit = region.blockLimit();
            region.useHeadroom(true);
            assertEquals(limit + limit / 8, region.blockLimit());
            assertNotEquals(Region.NO_BLOCK, region.grow(limit + 1));
            region.useHeadroom(false);
            assertEquals(limit, region.blockLimit());
            assertEquals(Region.NO_BLOCK, region.grow(1));
        }
    }

    /** A long run finds adjacent addresses although memory in use lies in several places. */
    @Test
    void reservedRegion_hasMoreAddressesThanItsLimit() {
        try (Region region = new Region(LIMIT_BYTES, false, Threads.SYSTEM)) {
            final int limit = region.blockLimit();
            assertEquals(region.reserved() ? limit / 8 : 0, region.headroom());
            assertNotEquals(Region.NO_BLOCK, region.grow(limit));
            assertEquals(!region.reserved(), region.grow(1) == Region.NO_BLOCK);
            assertEquals(Region.NO_BLOCK, region.grow(1));
        }
    }
}
