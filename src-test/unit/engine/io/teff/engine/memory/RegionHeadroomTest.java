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
}
