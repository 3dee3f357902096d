package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.error.Status;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: chunks of many creators, each far from all others, end at the memory limit and not at that of the heap. Method:
 * creates at random CIDs until the store is full; the memory beside its limit is counted.
 */
final class SparseCreatorsTest {
    private static final int CREATORS = 65_535;
    private static final long LIDS = 1L << 40;

    @Test
    void createAt_farApartInManyCreators_endsAtTheLimit() {
        SplittableRandom random = Seed.random(1);
        try (Store store = Stores.open(16)) {
            List<Long> cids = new ArrayList<>();
            int result = Status.OK;
            while (result == Status.OK) {
                long cid = Cid.of(random.nextInt(CREATORS), random.nextLong(1, LIDS));
                result = store.ids().createAt(cid, new byte[8]);
                if (result == Status.OK) {
                    cids.add(cid);
                }
            }
            assertEquals(Status.FULL, result);
            long outside = Stores.space(store).runs.outsideBytes();
            assertTrue(cids.size() > 400, () -> "chunks=" + cids.size());
            assertTrue(outside < cids.size() * 1536L, () -> "outside=" + outside + " of " + cids.size());
            assertTrue(store.stats().usedBytes() + outside <= 16 << 20);
            store.audit();
            for (long cid : cids) {
                assertEquals(8, store.remove(cid));
            }
            store.audit();
            long left = Stores.space(store).runs.outsideBytes();
            assertTrue(left < outside / 100, () -> "outside=" + left);
            assertTrue(store.create(new byte[100]) >= 0);
        }
    }
}
