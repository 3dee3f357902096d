package io.teff.engine.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.error.Status;
import org.junit.jupiter.api.Test;

/** Goal: the parts of a CID neither overlap nor leak. Method: all generations and the extreme values of the rest. */
final class CidLayoutTest {
    private static final int[] NIDS = {0, 1, 2, 0x7FFF, 0x8000, 0xFFFD, CidLayout.NID_MAX};
    private static final long[] INDEXES = {0, 1, 2, 4095, 4096, 1L << 31, 1L << 32, 1L << 39,
        CidLayout.INDEX_MAX - 1, CidLayout.INDEX_MAX};

    @Test
    void pack_extremeParts_givesThemBack() {
        for (int nid : NIDS) {
            for (int generation = 0; generation < CidLayout.GENERATIONS; generation++) {
                for (long index : INDEXES) {
                    long cid = CidLayout.pack(nid, generation, index);
                    assertEquals(nid, CidLayout.nid(cid));
                    assertEquals(generation, CidLayout.generation(cid));
                    assertEquals(index, CidLayout.index(cid));
                }
            }
        }
    }

    @Test
    void nid_anyNumber_isNeverNegative() {
        for (int bit = 0; bit < Long.SIZE; bit++) {
            long cid = 1L << bit;
            int parts = (CidLayout.nid(cid) == 0 ? 0 : 1) + (CidLayout.generation(cid) == 0 ? 0 : 1)
                + (CidLayout.index(cid) == 0 ? 0 : 1);
            assertEquals(1, parts, "bit " + bit + " belongs to exactly one part");
        }
        assertEquals(0xFFFF, CidLayout.nid(-1));
        assertEquals(CidLayout.GENERATIONS - 1, CidLayout.generation(-1));
        assertEquals(CidLayout.INDEX_MAX, CidLayout.index(-1));
    }

    @Test
    void pack_largestCid_isSmallerThanEveryStatus() {
        long largest = CidLayout.pack(CidLayout.NID_MAX, CidLayout.GENERATIONS - 1, CidLayout.INDEX_MAX);
        for (int status : new int[] {Status.ABSENT, Status.FULL, Status.LOCKED, Status.READ_ONLY, Status.NOT_HELD}) {
            assertTrue(Long.compareUnsigned(largest, status) < 0, "status " + status + " looks like a CID");
            assertEquals(CidLayout.NID_MAX + 1, CidLayout.nid(status));
        }
    }

    @Test
    void pack_partsOutOfRange_areRefused() {
        assertThrows(AssertionError.class, () -> CidLayout.pack(-1, 0, 0));
        assertThrows(AssertionError.class, () -> CidLayout.pack(CidLayout.NID_MAX + 1, 0, 0));
        assertThrows(AssertionError.class, () -> CidLayout.pack(0, -1, 0));
        assertThrows(AssertionError.class, () -> CidLayout.pack(0, CidLayout.GENERATIONS, 0));
        assertThrows(AssertionError.class, () -> CidLayout.pack(0, 0, -1));
        assertThrows(AssertionError.class, () -> CidLayout.pack(0, 0, CidLayout.INDEX_MAX + 1));
    }
}
