package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.error.Status;
import io.teff.engine.table.IdAllocator;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: consecutive ids can be created again and again, also at the end of the index space, and ids that a batch does
 * not use are not lost. Method: batches that leave rests of table pages behind, in every order.
 */
@Tag("modes")
final class ConsecutiveIdsTest {
    private static final int REFUSALS = Form.size(5, 20, 20);
    private static final int PAGE = 4096;
    private static final long INDEX_END = 1L << 40;
    private static final int LIMIT_BYTES = 16 << 20;
    /** Some pages are in the stripes' stocks; without reuse there would be hundreds. */
    private static final int TABLE_BYTES_MAX = 16 * PAGE * Long.BYTES;

    private static Store open() {
        return Store.open(Stores.small().memoryLimitBytes(LIMIT_BYTES).build());
    }

    private static void createAndRemove(Store store, long[] cids) {
        assertEquals(cids.length, store.batch().create(32, cids, 0, cids.length, true));
        for (int i = 0; i < cids.length; i++) {
            assertEquals(cids[0] + i, cids[i]);
            assertEquals(32, store.remove(cids[i]));
        }
    }

    @Test
    void batchesOfSeveralThreads_giveTheirTablePagesBack() throws InterruptedException {
        try (Store store = open()) {
            for (int round = 0; round < 300; round++) {
                Threads.runAll(2, ignored -> createAndRemove(store, new long[3000]));
                assertTrue(store.stats().tableBytes() <= TABLE_BYTES_MAX, () -> store.stats().toString());
            }
            assertEquals(0, store.audit().chunks());
        }
    }

    @Test
    void batchesBetweenGivenCids_giveTheirTablePagesBack() {
        try (Store store = open()) {
            store.create(0L);
            for (int round = 0; round < 600; round++) {
                createAndRemove(store, new long[3000]);
                long ahead = Cid.of(0, store.ids().highestIndex() + 1);
                assertEquals(Status.OK, store.ids().createAt(ahead, 0));
                assertEquals(0, store.remove(ahead));
                assertTrue(store.stats().tableBytes() <= TABLE_BYTES_MAX, () -> store.stats().toString());
            }
            assertEquals(1, store.audit().chunks());
        }
    }

    @Test
    void rangesThatDoNotFit_leaveNothing() {
        try (Store store = open()) {
            long[] cids = new long[600 * PAGE];
            for (int round = 0; round < REFUSALS; round++) {
                assertEquals(Status.FULL, store.ids().reserve(cids, 0, cids.length - round % 3));
                assertTrue(store.stats().tableBytes() <= TABLE_BYTES_MAX, () -> store.stats().toString());
            }
            assertEquals(0, store.audit().chunks());
            assertFalse(Status.isStatus(store.create(1_000_000)));
        }
    }

    @Test
    void endOfTheIndexSpace_leavesGapsToBatches() {
        try (Store store = open()) {
            assertEquals(Status.OK, store.ids().createAt(Cid.of(0, INDEX_END - 2 * PAGE - 1), 0));
            long[] cids = new long[10_000];
            for (int count : new int[] {4100, 4095, 3000, 2000, 2000, 5000, 10_000}) {
                assertEquals(count, store.ids().reserve(cids, 0, count));
                for (int i = 0; i < count; i++) {
                    assertEquals(cids[0] + i, cids[i]);
                    assertEquals(Status.OK, store.ids().unreserve(cids[i]));
                }
                assertEquals(1, store.audit().chunks());
            }
        }
    }

    @Test
    void moreThanThereIs_isFull() {
        try (Store store = open()) {
            AllocStripe stripe = Stores.space(store).acquire();
            try {
                assertEquals(IdAllocator.FULL, Stores.space(store).ids.issueRange(stripe.index(), INDEX_END));
            } finally {
                Stores.space(store).allocStripes.release(stripe);
            }
            assertEquals(1, Cid.index(store.create(0L)));
            store.audit();
        }
    }

    @Test
    void refusedGivenCid_leavesTheIndexSpaceAlone() {
        try (Store store = open()) {
            long highest = store.ids().highestIndex();
            Stores.space(store).runs.refuseWhen(() -> true);
            assertEquals(Status.FULL, store.ids().createAt(Cid.of(0, INDEX_END - 1), 0));
            Stores.space(store).runs.refuseWhen(() -> false);
            assertEquals(highest, store.ids().highestIndex());
            assertEquals(5000, store.ids().reserve(new long[5000], 0, 5000));
            store.audit();
        }
    }

    /** The first page's first index is 0, which is never issued; a range that ends unused gives the whole page back. */
    @Test
    void firstRange_withoutMemory_leavesTheFirstPageAsAGap() {
        try (Store store = open()) {
            AllocStripe stripe = Stores.space(store).acquire();
            try {
                long first = Stores.space(store).ids.issueRange(stripe.index(), 10_000);
                Stores.space(store).runs.refuseWhen(() -> true);
                assertEquals(IdAllocator.FULL, Stores.space(store).ids.issue(stripe.index() == 0 ? 1 : 0));
                Stores.space(store).ids.endRange(10_000, first, first + 10_000);
            } finally {
                Stores.space(store).allocStripes.release(stripe);
            }
            Stores.space(store).runs.refuseWhen(() -> false);
            Stores.space(store).releaseEmptiedTablePages(Stores.space(store).ownZone);
            store.audit();
            assertEquals(Status.OK, store.ids().createAt(Cid.of(0, 1), 0));
            assertEquals(1, store.audit().chunks());
        }
    }
}
