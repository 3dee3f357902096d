package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.error.Status;
import java.util.Arrays;

/** The operations of the store model on ids. */
final class ModelIds {
    private static final int MASS_COUNT = 5000;
    private static final int[] FOREIGN_INDEXES = {1, 2, 3, 4095, 4096, 4097, 20_000};

    private ModelIds() {}

    private static void reserved(StoreModel model, long cid) {
        assertEquals(StoreModel.NID, Cid.nid(cid));
        assertTrue(model.issued.add(cid), () -> Cid.toString(cid) + " was issued before");
        model.reserved.add(cid);
        model.compare(cid);
    }

    static void reserve(StoreModel model) {
        long cid = model.store.ids().reserve();
        if (Status.isStatus(cid)) {
            model.full(cid, 0);
        } else {
            reserved(model, cid);
        }
    }

    static void reserveRange(StoreModel model) {
        int count = model.random.nextInt(10);
        long[] cids = new long[count + 2];
        int result = model.store.ids().reserve(cids, 1, count);
        if (result == Status.FULL) {
            model.full(result, 0);
            assertTrue(Arrays.stream(cids).allMatch(cid -> cid == 0));
            return;
        }
        assertEquals(count, result);
        for (int i = 0; i < count; i++) {
            assertEquals(cids[1] + i, cids[1 + i]);
            reserved(model, cids[1 + i]);
        }
    }

    static void unreserve(StoreModel model) {
        long cid = model.random.nextBoolean() && !model.reserved.isEmpty() ? model.reserved.iterator().next()
            : model.cid();
        boolean was = model.reserved.remove(cid);
        StoreModel.same(was ? Status.OK : Status.ABSENT, model.store.ids().unreserve(cid));
        if (was) {
            model.died(cid);
        }
    }

    private static int createAt(StoreModel model, long cid, byte[] content) {
        return model.random.nextBoolean() ? model.store.ids().createAt(cid, content)
            : model.store.ids().createAt(cid, Arrays.copyOf(content, content.length + 1), 0, content.length);
    }

    static void createAtReserved(StoreModel model) {
        if (model.reserved.isEmpty() || model.crowded()) {
            return;
        }
        long cid = model.reserved.iterator().next();
        byte[] content = model.content(model.length());
        int status = createAt(model, cid, content);
        if (status == Status.FULL) {
            model.full(status, content.length);
            return;
        }
        StoreModel.same(Status.OK, status);
        model.reserved.remove(cid);
        model.appeared(cid, content, false);
        model.compare(cid);
    }

    static void createAtForeign(StoreModel model) {
        if (model.crowded()) {
            return;
        }
        int nid = model.random.nextInt(3) + (model.random.nextInt(4) == 0 ? Cid.NID_MAX - 2 : 0);
        long index = FOREIGN_INDEXES[model.random.nextInt(FOREIGN_INDEXES.length)];
        long cid = Cid.of(nid, index | (long) model.random.nextInt(3) << 40);
        long mask = ~(0xFFL << 40);
        boolean taken = model.live.keySet().stream().anyMatch(other -> (other & mask) == (cid & mask));
        byte[] content = model.content(model.length());
        int status = createAt(model, cid, content);
        if (status == Status.FULL) {
            model.full(status, content.length);
            return;
        }
        StoreModel.same(taken ? Status.EXISTS : Status.OK, status);
        if (!taken) {
            model.appeared(cid, content, false);
        }
        model.compare(cid);
    }

    static void createAtAhead(StoreModel model) {
        if (model.crowded()) {
            return;
        }
        long highest = model.store.ids().highestIndex();
        long ahead = highest > 1L << model.aheadBits ? 1
            : 1L << model.random.nextInt(model.random.nextInt(1, model.aheadBits + 1));
        long index = highest + model.random.nextLong(1, ahead + 1);
        int generation = model.random.nextInt(3) == 0 ? 253 + model.random.nextInt(3) : 0;
        long cid = Cid.of(StoreModel.NID, index | (long) generation << 40);
        byte[] content = model.content(model.length());
        int status = createAt(model, cid, content);
        if (status == Status.FULL) {
            model.full(status, content.length);
            return;
        }
        StoreModel.same(Status.OK, status);
        assertTrue(model.issued.add(cid));
        assertTrue(index <= model.store.ids().highestIndex());
        model.appeared(cid, content, false);
        model.compare(cid);
    }

    /** At an index that may have been issued, skipped, or lie in a stock. */
    static void createAtOld(StoreModel model) {
        long index = model.random.nextInt(3) == 0 ? model.random.nextLong(1, model.store.ids().highestIndex() + 2)
            : Math.max(Cid.index(model.cid()), 1);
        int generation = model.random.nextInt(model.random.nextBoolean() ? 2 : 256);
        long cid = Cid.of(StoreModel.NID, index | (long) generation << 40);
        long mask = ~(0xFFL << 40);
        boolean wasReserved = model.reserved.contains(cid);
        boolean taken = !wasReserved && (model.issued.contains(cid)
            || model.live.keySet().stream().anyMatch(other -> (other & mask) == (cid & mask))
            || model.reserved.stream().anyMatch(other -> (other & mask) == (cid & mask)));
        byte[] content = model.content(8);
        int status = createAt(model, cid, content);
        if (status == Status.OK) {
            assertTrue(!taken, () -> Cid.toString(cid) + " was created at, but is or was in use");
            assertEquals(model.reserved.remove(cid), !model.issued.add(cid));
            model.appeared(cid, content, false);
        } else if (status == Status.FULL) {
            model.full(status, content.length);
        } else {
            assertFalse(wasReserved);
            StoreModel.same(Status.EXISTS, status);
            assertTrue(index <= model.store.ids().highestIndex(), "EXISTS ahead of all ids");
        }
        model.compare(cid);
    }

    /**
     * Many chunks are created and removed, so that table pages are released, lists are queued, and generations advance.
     */
    static void mass(StoreModel model) {
        long[] cids = new long[MASS_COUNT];
        int made = model.store.batch().create(model.random.nextInt(3), cids, 0, MASS_COUNT,
            model.random.nextBoolean());
        if (made < MASS_COUNT) {
            model.full(cids[made], 0);
        }
        for (int i = 0; i < made; i++) {
            long cid = cids[i];
            assertTrue(model.issued.add(cid), () -> Cid.toString(cid) + " was issued before");
        }
        assertEquals(model.live.size() + made, model.store.audit().chunks());
        long[] results = new long[MASS_COUNT];
        assertEquals(made, model.store.batch().remove(cids, 0, made, results));
        for (int i = 0; i < made; i += 500) {
            model.died(cids[i]);
        }
    }
}
