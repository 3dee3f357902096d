package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.DebugLevel;
import io.teff.engine.config.Limits;
import io.teff.engine.error.Status;
import io.teff.engine.report.StoreStats;
import io.teff.test.kit.Content;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: shortage is a value. A create, put or resize that finds no memory returns FULL, changes nothing, and the store
 * continues.
 *
 * <p>Method: the first, second, ... request for memory of a workload is refused, once or from then on, until the
 * workload runs without a refusal; and stores of 4 MiB are really filled.
 */
@Tag("modes")
final class OutOfMemoryTest {
    private static final int REQUESTS_MAX = 10_000;
    /**
     * Chunks of a batch: enough for several pages, which are requests for runs; or few, as each is a request for a
     * slot.
     */
    private static final int MANY = 5000;
    private static final int FEW = 40;
    /** The step between requests that are refused together with all later ones. */
    private static final int STEP = Form.size("teff.refusal.step", 41, 13, 1);
    /** The step between requests that are refused alone. */
    private static final int STEP_ALONE = Form.size("teff.refusal.alone", 7, 1, 1);
    private static final int[] LENGTHS = {1, 100, 3000, 9000, 40_000, 70_000, 1_000_000};

    /** Refuses one request, or all requests from a number on. */
    private static final class Refusals implements BooleanSupplier {
        private final int first;
        private final boolean forEver;
        private int requests;
        private int refused;

        Refusals(int first, boolean forEver) {
            this.first = first;
            this.forEver = forEver;
        }

        @Override
        public synchronized boolean getAsBoolean() {
            boolean refuses = requests == first || forEver && requests > first;
            requests++;
            refused += refuses ? 1 : 0;
            return refuses;
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void refusedRequest_isFullAndChangesNothing(boolean slots, boolean forEver) {
        int first = 0;
        int refused = 1;
        while (refused > 0) {
            assertTrue(first < REQUESTS_MAX, "the workload never runs untouched");
            refused = refusedAt(first, slots, forEver);
            first += forEver ? STEP : STEP_ALONE;
        }
        assertTrue(first > LENGTHS.length, "the workload asks for memory only " + first + " times");
    }

    private static int refusedAt(int first, boolean slots, boolean forEver) {
        try (Store store = Store.open(Stores.small().memoryLimitBytes(256 << 20).debugLevel(DebugLevel.CANARIES)
            .build())) {
            Map<Long, byte[]> model = new LinkedHashMap<>();
            long before = store.create(new byte[] {1, 2, 3});
            model.put(before, new byte[] {1, 2, 3});
            Refusals refusals = new Refusals(first, forEver);
            refuse(store, slots, refusals);
            int many = slots ? FEW : MANY;
            int full = workload(store, model, many);
            refuse(store, slots, () -> false);
            check(store, model);
            assertTrue(full > 0 || !forEver || refusals.refused == 0, "refused for ever, but nothing was FULL");
            assertEquals(0, workload(store, model, many), "FULL after the shortage was over");
            check(store, model);
            for (long cid : model.keySet()) {
                assertEquals(model.get(cid).length, store.remove(cid));
            }
            assertEquals(0, store.audit().chunks());
            assertEquals(0, store.stats().takenBytes());
            return refusals.refused;
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("request " + first + " refused" + (forEver ? " and all later ones" : "")
                + "; reproduce: -Dtest=OutOfMemoryTest -Dseed=0", e);
        }
    }

    private static void refuse(Store store, boolean slots, BooleanSupplier refusal) {
        if (slots) {
            Stores.space(store).heap.refuseWhen(refusal);
        } else {
            Stores.space(store).runs.refuseWhen(refusal);
        }
    }

    /** Runs every operation that needs memory; returns how many were FULL. */
    private static int workload(Store store, Map<Long, byte[]> model, int many) {
        int full = 0;
        List<Long> mine = new ArrayList<>();
        for (int length : LENGTHS) {
            byte[] content = Content.of(length, length);
            full += made(model, mine, store.create(content), content);
            full += made(model, mine, store.locks().create(content, 0, length, true), content);
            full += made(model, mine, store.create((long) length), new byte[length]);
        }
        for (long cid : mine) {
            byte[] content = Content.of(model.get(cid).length * 2 + 1, 9);
            full += changed(model, cid, store.put(cid, content), content);
            content = Arrays.copyOf(model.get(cid), model.get(cid).length + 20_000);
            full += changed(model, cid, store.resize(cid, content.length), content);
            content = Arrays.copyOf(model.get(cid), model.get(cid).length / 3);
            full += changed(model, cid, store.resize(cid, content.length), content);
            store.locks().unlock(cid);
        }
        full += batches(store, model, many);
        return full + ids(store, model, many);
    }

    private static int made(Map<Long, byte[]> model, List<Long> mine, long cid, byte[] content) {
        if (cid == Status.FULL) {
            return 1;
        }
        assertTrue(!Status.isStatus(cid), () -> Status.name(cid));
        model.put(cid, content);
        mine.add(cid);
        return 0;
    }

    private static int changed(Map<Long, byte[]> model, long cid, int status, byte[] content) {
        if (status == Status.FULL) {
            return 1;
        }
        assertEquals(Status.OK, status, () -> Status.name(status));
        model.put(cid, content);
        return 0;
    }

    private static int batches(Store store, Map<Long, byte[]> model, int many) {
        int full = 0;
        for (boolean consecutive : new boolean[] {false, true}) {
            long[] cids = new long[many];
            int made = store.batch().create(50, cids, 0, cids.length, consecutive);
            full += made < cids.length ? 1 : 0;
            for (int i = 0; i < cids.length; i++) {
                assertEquals(i >= made, cids[i] == Status.FULL, "cids of a batch that made " + made);
                if (i < made) {
                    model.put(cids[i], new byte[50]);
                }
            }
        }
        return full;
    }

    private static int ids(Store store, Map<Long, byte[]> model, int many) {
        int full = 0;
        long reserved = store.ids().reserve();
        full += reserved == Status.FULL ? 1 : 0;
        long[] cids = new long[many];
        int count = store.ids().reserve(cids, 0, cids.length);
        full += count == Status.FULL ? 1 : 0;
        byte[] content = Content.of(300, 4);
        for (long cid : new long[] {reserved, Cid.of(9, 77), Cid.of(0, store.ids().highestIndex() + 10_000)}) {
            if (!Status.isStatus(cid) && !model.containsKey(cid)) {
                full += changed(model, cid, store.ids().createAt(cid, content), content);
            }
        }
        for (int i = 0; i < Math.max(count, 0); i++) {
            assertEquals(Status.OK, store.ids().unreserve(cids[i]));
        }
        return full;
    }

    private static void check(Store store, Map<Long, byte[]> model) {
        assertEquals(model.size(), store.audit().chunks());
        model.forEach((cid, content) -> assertArrayEquals(content, store.chunks().get(cid).orElseThrow()));
        assertTrue(store.locks().list().isEmpty(), "something stayed locked");
    }

    // ---- really full ----

    @ParameterizedTest
    @ValueSource(strings = {"8", "1-64", "1-2046", "2000-20000", "16384-70000", "0-300000"})
    void smallestStore_filledAndEmptied_isReusable(String lengths) {
        long seed = Seed.first();
        int from = Integer.parseInt(lengths.split("-")[0]);
        int to = Integer.parseInt(lengths.split("-")[lengths.split("-").length - 1]);
        try (Store store = Stores.open(4)) {
            int firstTime = 0;
            for (int round = 0; round < 4; round++) {
                SplittableRandom random = Seed.random(seed);
                List<Long> cids = fill(store, random, from, to);
                firstTime = Math.max(firstTime, cids.size());
                assertTrue(cids.size() * 2 > firstTime, "only " + cids.size() + " instead of " + firstTime);
                StoreStats stats = store.stats();
                assertTrue(stats.usedBytes() > stats.limitBytes() / 4 * 3, stats::toString);
                assertEquals(cids.size(), store.audit().chunks());
                removeOneCreateOne(store, cids, random);
                for (long cid : cids) {
                    assertTrue(store.remove(cid) >= 0);
                }
                assertEquals(0, store.audit().chunks());
            }
            store.trim();
            assertEquals(store.stats().tableBytes(), store.stats().usedBytes());
            assertTrue(store.create((long) to) >= 0);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Seed.reproduce(OutOfMemoryTest.class, seed), e);
        }
    }

    private static List<Long> fill(Store store, SplittableRandom random, int from, int to) {
        List<Long> cids = new ArrayList<>();
        for (;;) {
            long cid = store.create(Content.of(random.nextInt(from, to + 1), cids.size()));
            if (cid == Status.FULL) {
                return cids;
            }
            cids.add(cid);
        }
    }

    private static void removeOneCreateOne(Store store, List<Long> cids, SplittableRandom random) {
        for (int i = 0; i < 100; i++) {
            int at = random.nextInt(cids.size());
            long removed = store.remove(cids.get(at));
            assertTrue(removed >= 0, () -> Status.name(removed));
            long cid = store.create(removed);
            assertTrue(!Status.isStatus(cid), () -> "no room for what was removed: " + removed);
            cids.set(at, cid);
        }
        store.audit();
    }

    @Test
    void everyKindOfChange_inFullStore_isFullAndChangesNothing() {
        try (Store store = Stores.open(4)) {
            byte[] content = Content.of(100, 1);
            long cid = store.create(content);
            List<Long> cids = fill(store, Seed.random(1), 1, 64);
            while (store.create(0L) >= 0) {
                assertTrue(store.isOpen());
            }
            assertEquals(Status.FULL, store.put(cid, new byte[50_000]));
            assertEquals(Status.FULL, store.put(cid, new byte[200_000]));
            assertEquals(Status.FULL, store.resize(cid, 50_000));
            assertEquals(Status.FULL, store.resize(cid, 200_000));
            assertEquals(Status.FULL, store.ids().createAt(Cid.of(3, 1), new byte[100_000]));
            assertArrayEquals(content, store.chunks().get(cid).orElseThrow());
            assertEquals(Status.FULL, store.create(3_000_000_000L));
            assertEquals(Status.FULL, store.create(Limits.CHUNK_BYTES_MAX));
            cids.forEach(store::remove);
            assertEquals(Status.OK, store.resize(cid, 50_000));
            assertArrayEquals(Arrays.copyOf(content, 50_000), store.chunks().get(cid).orElseThrow());
            store.audit();
        }
    }

    @Test
    void consecutiveBatchThatDoesNotFit_givesBackWhatItDidNotUse() {
        try (Store store = Stores.open(16)) {
            long[] cids = new long[5_000_000];
            assertEquals(Status.FULL, store.ids().reserve(cids, 0, cids.length));
            assertTrue(store.stats().tableBytes() < 100_000, () -> store.stats().toString());
            int made = store.batch().create(16, cids, 0, cids.length, true);
            assertTrue(made > 100_000, () -> "only " + made);
            assertEquals(made, store.audit().chunks());
            assertEquals(made, store.batch().remove(cids, 0, made, new long[made]));
            assertTrue(fill(store, Seed.random(1), 2000, 2000).size() > 7000, () -> store.stats().toString());
            store.audit();
        }
    }

    @Test
    void errorWhileATablePageIsMade_losesNothing() {
        try (Store store = Stores.open()) {
            AtomicBoolean planted = new AtomicBoolean();
            Stores.space(store).runs.refuseWhen(() -> {
                if (planted.get()) {
                    throw new OutOfMemoryError("planted");
                }
                return false;
            });
            for (int i = 0; i < 20_000; i++) {
                planted.set(true);
                try {
                    assertTrue(store.create(0L) > 0);
                } catch (OutOfMemoryError e) {
                    assertEquals("planted", e.getMessage());
                    store.audit();
                    planted.set(false);
                    assertTrue(store.create(0L) > 0);
                }
            }
            store.audit();
        }
    }
}
