package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.error.Status;
import io.teff.engine.os.Platform;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: a CID is issued once. An index is used 256 times and then never again; a stale CID is absent for ever, also
 * after its table page was released and made again, and after a restore.
 *
 * <p>Method: few indexes are used until they are retired, and all issued CIDs are looked up.
 */
@Tag("modes")
final class GenerationTest {
    private static final int GENERATIONS = 256;
    private static final int PAGE = 4096;

    /** Creates and removes whole batches until every index of the first pages is retired. */
    @Test
    void everyIndex_isUsed256TimesAndThenRetired() {
        int count = 2 * PAGE;
        try (Store store = Stores.open()) {
            Map<Long, Integer> generations = new HashMap<>();
            long[] cids = new long[count];
            for (int round = 0; round < GENERATIONS + 40; round++) {
                assertEquals(count, store.batch().create(1, cids, 0, count, false));
                for (long cid : cids) {
                    Integer before = generations.put(Cid.index(cid), Cid.generation(cid));
                    assertTrue(before == null || before < Cid.generation(cid), () -> Cid.toString(cid));
                }
                assertEquals(count, store.batch().remove(cids, 0, count, new long[count]));
                if (round % 16 == 0) {
                    store.audit();
                }
            }
            assertTrue(generations.containsValue(GENERATIONS - 1), "no index was used up");
            assertTrue(store.ids().highestIndex() >= count, "retired indexes were replaced");
            for (long index : generations.keySet()) {
                for (int generation = 0; generation < GENERATIONS; generation += 15) {
                    assertFalse(store.exists(Cid.of(0, (long) generation << 40 | index)));
                }
            }
            assertEquals(0, store.audit().chunks());
        }
    }

    @Test
    void retiredIndex_isNeverUsedAgain() {
        try (Store store = Stores.open()) {
            Set<Long> stale = new HashSet<>();
            long last = Cid.of(0, 255L << 40 | 3);
            assertEquals(Status.OK, store.ids().createAt(last, new byte[9]));
            assertEquals(9, store.remove(last));
            for (int generation = 0; generation < GENERATIONS; generation++) {
                long cid = Cid.of(0, (long) generation << 40 | 3);
                assertEquals(Status.EXISTS, store.ids().createAt(cid, new byte[9]));
                assertFalse(store.exists(cid));
                stale.add(cid);
            }
            for (int i = 0; i < 20_000; i++) {
                assertTrue(Cid.index(store.create(0L)) != 3);
            }
            stale.forEach(cid -> assertEquals(Status.ABSENT, store.get(cid, new byte[9])));
            store.audit();
        }
    }

    /** A page in which some indexes are retired and the others free is released, and not used again. */
    @Test
    void pageWithARetiredIndex_isGivenBackForEver() {
        try (Store store = Stores.open()) {
            long tableBytes = store.stats().tableBytes();
            long last = Cid.of(0, 255L << 40 | 5000);
            assertEquals(Status.OK, store.ids().createAt(last, 9));
            assertEquals(Status.OK, store.ids().createAt(Cid.of(0, 5001), 9));
            assertEquals(9, store.remove(last));
            assertEquals(9, store.remove(Cid.of(0, 5001)));
            assertEquals(tableBytes, store.stats().tableBytes());
            assertEquals(Status.EXISTS, store.ids().createAt(last, 9));
            assertEquals(Status.EXISTS, store.ids().createAt(Cid.of(0, 1L << 40 | 5001), 9));
            for (int i = 0; i < 20_000; i++) {
                assertTrue(Cid.index(store.create(0L)) / PAGE != 1);
            }
            store.audit();
        }
    }

    @Test
    void staleCid_ofEveryOperation_isAbsent() {
        try (Store store = Stores.open()) {
            long[] cids = new long[3 * PAGE];
            store.batch().create(8, cids, 0, cids.length, false);
            store.batch().remove(cids, 0, cids.length, new long[cids.length]);
            long[] next = new long[3 * PAGE];
            store.batch().create(8, next, 0, next.length, false);
            byte[] buffer = new byte[8];
            for (long cid : cids) {
                assertFalse(store.exists(cid));
                assertEquals(Status.ABSENT, store.size(cid));
                assertEquals(Status.ABSENT, store.get(cid, buffer));
                assertEquals(Status.ABSENT, store.getBytes(cid, 0, buffer, 0, 8));
                assertEquals(Status.ABSENT, store.put(cid, buffer));
                assertEquals(Status.ABSENT, store.putBytes(cid, 0, buffer, 0, 8));
                assertEquals(Status.ABSENT, store.resize(cid, 9));
                assertEquals(Status.ABSENT, store.remove(cid));
                assertEquals(Status.ABSENT, store.seal(cid));
                assertEquals(-7, store.fields().getLong(cid, 0, -7));
                assertEquals(Status.ABSENT, store.fields().putLong(cid, 0, 1));
                assertEquals(Status.ABSENT, store.views().read(cid, view -> { }));
                assertEquals(Status.ABSENT, store.views().peek(cid, view -> { }));
                assertEquals(Status.ABSENT, store.views().edit(cid, editor -> { }));
                assertEquals(Status.ABSENT, store.locks().lockWrite(cid, 0));
                assertEquals(Status.ABSENT, store.locks().lockRead(cid, 0));
                assertEquals(Status.ABSENT, store.ids().unreserve(cid));
                assertEquals(Status.EXISTS, store.ids().createAt(cid, buffer));
            }
            assertEquals(next.length, store.audit().chunks());
        }
    }

    @Test
    void releasedTablePage_keepsGenerations() {
        try (Store store = Stores.open()) {
            Set<Long> seen = new HashSet<>();
            long tableBytes = store.stats().tableBytes();
            boolean released = false;
            for (int round = 0; round < 20; round++) {
                long[] cids = new long[10 * PAGE];
                assertEquals(cids.length, store.batch().create(0, cids, 0, cids.length, round % 2 == 0));
                for (long cid : cids) {
                    assertTrue(seen.add(cid), () -> Cid.toString(cid) + " was issued twice");
                }
                long full = store.stats().tableBytes();
                store.batch().remove(cids, 0, cids.length, new long[cids.length]);
                released |= store.stats().tableBytes() < full;
                store.audit();
            }
            assertTrue(released, "no table page was given back");
            assertTrue(store.stats().tableBytes() < tableBytes + (8L * 14 * PAGE), () -> store.stats().toString());
            seen.forEach(cid -> assertFalse(store.exists(cid)));
        }
    }

    @Test
    void restore_keepsGenerationsOfEverything() {
        MemoryDisk disk = new MemoryDisk();
        Path path = Path.of("generations.teff");
        StoreConfig config = TestConfig.platform(Stores.small(), Platform.SYSTEM.withClock(new FakeTime())
            .withDisk(disk)).build();
        Set<Long> seen = new HashSet<>();
        Store store = Store.open(config);
        for (int round = 0; round < 30; round++) {
            long[] cids = new long[PAGE * 2 + 100];
            assertEquals(cids.length, store.batch().create(round % 3, cids, 0, cids.length, round % 5 == 0));
            for (int i = 0; i < cids.length; i++) {
                long cid = cids[i];
                assertTrue(seen.add(cid), () -> Cid.toString(cid) + " was issued twice");
                if (round % 4 != 3 || i % 7 != 0) {
                    assertEquals(round % 3, store.remove(cid));
                }
            }
            long chunks = store.audit().chunks();
            store.snapshot(path);
            store.close();
            store = Store.restore(path, config);
            assertEquals(chunks, store.audit().chunks());
        }
        long last = store.create(new byte[] {1});
        assertTrue(seen.add(last));
        assertArrayEquals(new byte[] {1}, store.chunks().get(last).orElseThrow());
        store.close();
    }

    @Test
    void releasedLastPage_afterShortage_issuesNothingTwice() {
        MemoryDisk disk = new MemoryDisk();
        StoreConfig config = TestConfig.platform(Stores.small(), Platform.SYSTEM.withDisk(disk)).build();
        Set<Long> issued = new HashSet<>();
        List<Long> last = new ArrayList<>();
        try (Store store = Store.open(config)) {
            for (int i = 1; i < 8192; i++) {
                long cid = store.create(0L);
                assertTrue(issued.add(cid));
                if (i >= 4096) {
                    last.add(cid);
                }
            }
            last.forEach(store::remove);                        // the page at the end of all ids is released
            long highest = store.ids().highestIndex();
            Stores.space(store).runs.refuseWhen(() -> true);
            assertEquals(Status.FULL, store.create(0L));
            Stores.space(store).runs.refuseWhen(() -> false);
            assertEquals(highest, store.ids().highestIndex());
            assertEquals(Status.EXISTS, store.ids().createAt(last.get(1000), new byte[1]));
            store.snapshot(Path.of("last"));
            for (int i = 0; i < 5000; i++) {
                assertTrue(issued.add(store.create(0L)));
            }
            store.audit();
        }
        issued.removeIf(cid -> Cid.index(cid) >= 4096 && !last.contains(cid));
        try (Store store = Store.restore(Path.of("last"), config)) {
            for (int i = 0; i < 5000; i++) {
                long cid = store.create(0L);
                assertTrue(issued.add(cid), () -> Cid.toString(cid) + " was issued before the snapshot");
            }
            store.audit();
        }
    }
}
