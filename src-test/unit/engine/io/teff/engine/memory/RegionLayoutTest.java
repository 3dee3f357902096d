package io.teff.engine.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Goal: blocks, units and addresses agree. Method: extreme blocks, both sides of each boundary. */
final class RegionLayoutTest {
    private static final int BLOCK_MAX = (1 << RegionLayout.ADDRESS_BITS - RegionLayout.BLOCK_SHIFT) - 1;

    @Test
    void sizes_ofBlocksAndUnits_areWhole() {
        assertEquals(RegionLayout.BLOCK_BYTES, (long) RegionLayout.UNITS_PER_BLOCK * RegionLayout.UNIT_BYTES);
        assertEquals(RegionLayout.FIRST_ADDRESS, RegionLayout.blockAddress(RegionLayout.FIRST_BLOCK));
        assertEquals(1L << RegionLayout.ADDRESS_BITS, RegionLayout.FIRST_ADDRESS + RegionLayout.REGION_BYTES_MAX);
    }

    @Test
    void blockOf_bothSidesOfEachBorder_isRight() {
        for (int block : new int[] {1, 2, 3, 1023, 1024, 1 << 19, 1 << 20, BLOCK_MAX - 1, BLOCK_MAX}) {
            long first = RegionLayout.blockAddress(block);
            assertEquals(block, RegionLayout.blockOf(first));
            assertEquals(block, RegionLayout.blockOf(first + RegionLayout.BLOCK_BYTES - 1));
            assertEquals(block - 1, RegionLayout.blockOf(first - 1));
        }
        assertTrue(RegionLayout.blockAddress(BLOCK_MAX) + RegionLayout.BLOCK_BYTES
            == 1L << RegionLayout.ADDRESS_BITS, "the last block ends where the addresses end");
    }
}
