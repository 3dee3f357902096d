package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.error.Status;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Content;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: ids can be reserved, given, and walked, at any index up to 2^40 and for every creator.
 *
 * <p>Method: examples at the borders of table pages, leaves and of the index space; walks while other threads change
 * the store.
 */
@Tag("modes")
final class IdsTest {
    private static final long INDEX_MAX = (1L << 40) - 1;
    private static final long[] BORDERS = {1, 255, 256, 4095, 4096, (1L << 21) - 1, 1L << 21, (1L << 31) - 1, 1L << 31,
        (1L << 32) + 7, INDEX_MAX};

    private static List<Long> walk(CidCursor cursor) {
        List<Long> cids = new ArrayList<>();
        for (long cid = cursor.next(); cid != Cid.NONE; cid = cursor.next()) {
            cids.add(cid);
        }
        assertEquals(Cid.NONE, cursor.next());
        return cids;
    }

    @Test
    void createAt_bordersOfTheIndexSpace_foreignAndOwn() {
        try (Store store = Store.open(Stores.small().nid(2).build())) {
            List<Long> all = new ArrayList<>();
            for (int nid : new int[] {2, 0, 255, 256, Cid.NID_MAX}) {
                for (long index : BORDERS) {
                    long cid = Cid.of(nid, index);
                    byte[] content = Content.of(12, cid);
                    assertEquals(Status.OK, store.ids().createAt(cid, content), () -> Cid.toString(cid));
                    assertEquals(Status.EXISTS, store.ids().createAt(cid, content));
                    assertArrayEquals(content, store.chunks().get(cid).orElseThrow());
                    all.add(cid);
                }
            }
            assertEquals(all.size(), store.audit().chunks());
            assertEquals(INDEX_MAX, store.ids().highestIndex());
            assertEquals(all, walk(store.ids().cursor()));
            assertEquals(List.of(2, 0, 255, 256, Cid.NID_MAX), store.ids().creators());
            for (int nid : new int[] {2, 0, 255, 256, Cid.NID_MAX}) {
                assertEquals(BORDERS.length, walk(store.ids().cursor(nid)).size());
            }
            assertEquals(List.of(), walk(store.ids().cursor(77)));
            long ranged = store.ids().ranges().stream().mapToLong(CidRange::count).sum();
            assertEquals(all.size(), ranged);
            long fresh = store.create(1L);
            assertFalse(Status.isStatus(fresh), "skipped indexes are issued");
            all.forEach(cid -> assertEquals(12, store.remove(cid)));
            assertEquals(1, store.audit().chunks());
        }
    }

    @Test
    void createAt_farAhead_survivesSnapshot() {
        MemoryDisk disk = new MemoryDisk();
        StoreConfig config = TestConfig.platform(Stores.small(), Platform.SYSTEM.withClock(new FakeTime())
            .withDisk(disk)).build();
        Path path = Path.of("far.teff");
        long far = Cid.of(0, INDEX_MAX);
        try (Store store = Store.open(config)) {
            assertEquals(Status.OK, store.ids().createAt(far, new byte[] {5}));
            assertEquals(Status.OK, store.ids().createAt(Cid.of(9, INDEX_MAX), new byte[] {6}));
            store.snapshot(path);
        }
        try (Store store = Store.restore(path, config)) {
            assertArrayEquals(new byte[] {5}, store.chunks().get(far).orElseThrow());
            long[] cids = new long[10_000];
            assertEquals(10_000, store.batch().create(1, cids, 0, 10_000, false));
            assertEquals(10_002, store.audit().chunks());
            assertEquals(10, store.ids().reserve(cids, 0, 10));
            assertEquals(cids[0] + 9, cids[9]);
            assertEquals(5000, store.batch().create(1, cids, 0, 5000, true));
            store.audit();
        }
    }

    @Test
    void createAt_neverACid_throws() {
        try (Store store = Stores.open()) {
            assertThrows(IllegalArgumentException.class, () -> store.ids().createAt(Cid.NONE, new byte[1]));
            assertThrows(IllegalArgumentException.class, () -> store.ids().createAt(-1L, new byte[1]));
            assertThrows(IllegalArgumentException.class, () -> store.ids().createAt(Cid.of(3, 0), new byte[1]));
            assertThrows(IllegalArgumentException.class, () -> store.ids().createAt(1L, -1));
            assertThrows(IndexOutOfBoundsException.class, () -> store.ids().createAt(1L, new byte[1], 1, 1));
            assertEquals(0, store.audit().chunks());
        }
    }

    @Test
    void reserve_isAbsentUntilCreated() {
        try (Store store = Stores.open()) {
            long[] cids = new long[5000];
            assertEquals(5000, store.ids().reserve(cids, 0, 5000));
            for (int i = 1; i < cids.length; i++) {
                assertEquals(cids[0] + i, cids[i]);
            }
            assertFalse(store.exists(cids[7]));
            assertEquals(Status.ABSENT, store.remove(cids[7]));
            assertEquals(Status.ABSENT, store.put(cids[7], new byte[1]));
            assertEquals(List.of(), walk(store.ids().cursor()));
            for (int i = cids.length - 1; i >= 0; i--) {
                assertEquals(Status.OK, store.ids().createAt(cids[i], Content.of(20, i)));
                assertEquals(Status.ABSENT, store.ids().unreserve(cids[i]));
            }
            assertEquals(List.of(new CidRange(cids[0], cids[4999])), store.ids().ranges());
            assertEquals(5000, store.audit().chunks());
        }
    }

    @Test
    void reserve_ofNothing_takesNothing() {
        try (Store store = Stores.open()) {
            long before = store.ids().highestIndex();
            assertEquals(0, store.ids().reserve(new long[0], 0, 0));
            assertThrows(IndexOutOfBoundsException.class, () -> store.ids().reserve(new long[3], 2, 2));
            assertEquals(before, store.ids().highestIndex());
        }
    }

    @Test
    void randomOrderOfGivenCids_fillsGaps() {
        long seed = Seed.first();
        try (Store store = Stores.open()) {
            List<Long> cids = new ArrayList<>();
            for (long index = 1; index <= 20_000; index++) {
                cids.add(Cid.of(0, index));
            }
            Collections.shuffle(cids, new Random(seed));
            for (long cid : cids) {
                assertEquals(Status.OK, store.ids().createAt(cid, 3), () -> Seed.reproduce(IdsTest.class, seed));
            }
            assertEquals(20_000, store.audit().chunks());
            assertEquals(List.of(new CidRange(1, 20_000)), store.ids().ranges());
            assertEquals(20_001, Cid.index(store.create(1L)));
        }
    }

    /** The other indexes of the page serve later creates, and the page is released with its last chunk. */
    @Test
    void farApartGivenCids_giveTheirTablePagesBack() {
        try (Store store = Stores.open()) {
            long tableBytes = store.stats().tableBytes();
            for (int round = 0; round < 3; round++) {
                List<Long> cids = new ArrayList<>();
                for (long i = 1; i <= 100; i++) {
                    cids.add(Cid.of(0, (long) round << 40 | i * 10_007));
                }
                Collections.shuffle(cids, new Random(round));
                cids.forEach(cid -> assertEquals(Status.OK, store.ids().createAt(cid, 3)));
                assertTrue(store.stats().tableBytes() >= 100 * 32 << 10);
                assertEquals(100, store.audit().chunks());
                cids.forEach(cid -> assertEquals(3, store.remove(cid)));
                assertEquals(tableBytes, store.stats().tableBytes());
                assertEquals(0, store.audit().chunks());
            }
        }
    }

    @Test
    void neighboursOfAGivenCid_serveCreates() {
        try (Store store = Stores.open()) {
            assertEquals(Status.OK, store.ids().createAt(Cid.of(0, 100), 3));
            long tableBytes = store.stats().tableBytes();
            for (int i = 1; i < 4095; i++) {
                assertTrue(Cid.index(store.create(0L)) < 4096);
            }
            assertEquals(tableBytes, store.stats().tableBytes());
            assertEquals(4096, Cid.index(store.create(0L)));
            assertEquals(4096, store.audit().chunks());
        }
    }

    /** The rest of a page that is used for the second time cannot be continued by a page that is new. */
    @Test
    void consecutiveCids_haveOneGeneration() {
        try (Store store = Stores.open()) {
            long[] cids = new long[5000];
            assertEquals(4095, store.batch().create(1, cids, 0, 4095, true));
            assertEquals(Status.OK, store.ids().createAt(Cid.of(0, 5000), 1));
            assertEquals(1, store.remove(Cid.of(0, 5000)));
            assertEquals(1, Cid.generation(store.create(1L)));
            assertEquals(5000, store.batch().create(1, cids, 0, 5000, true));
            for (int i = 0; i < 5000; i++) {
                assertEquals(cids[0] + i, cids[i]);
            }
            assertEquals(9096, store.audit().chunks());
        }
    }

    /** Another thread's batch works on a range whose pages it has not made yet. */
    @Test
    void givenCid_inARangeAtWork_exists() {
        try (Store store = Stores.open()) {
            AllocStripe stripe = Stores.space(store).acquire();
            long first = Stores.space(store).ids.issueRange(stripe.index(), 20_000);
            Stores.space(store).allocStripes.release(stripe);
            assertEquals(Status.EXISTS, store.ids().createAt(Cid.of(0, first + 10_000), 3));
            assertEquals(0, store.audit().chunks());
            Stores.space(store).ids.endRange(20_000, first, first + 20_000);
            assertEquals(Status.OK, store.ids().createAt(Cid.of(0, first + 10_000), 3));
            assertEquals(1, store.audit().chunks());
        }
    }

    @Test
    void givenCidsOfOnePage_fromManyThreads_allGetTheirs() throws InterruptedException {
        try (Store store = Stores.open()) {
            for (int round = 0; round < 200; round++) {
                int first = (round + 1) * 4096;
                Threads.runAll(4, thread -> {
                    for (int i = thread; i < 40; i += 4) {
                        assertEquals(Status.OK, store.ids().createAt(Cid.of(0, first + i * 101L), i));
                    }
                });
            }
            assertEquals(8000, store.audit().chunks());
        }
    }

    @Test
    void cursor_whileOthersChange_seesWhatStays() throws InterruptedException {
        try (Store store = Stores.open()) {
            Set<Long> stays = new HashSet<>();
            for (int i = 0; i < 20_000; i++) {
                stays.add(store.create(0L));
            }
            AtomicBoolean done = new AtomicBoolean();
            Threads.Running changer = Threads.start("changer", ignored -> {
                long[] cids = new long[9000];
                while (!done.get()) {
                    assertEquals(9000, store.batch().create(0, cids, 0, 9000, false));
                    assertEquals(9000, store.batch().remove(cids, 0, 9000, new long[9000]));
                }
            });
            for (int round = 0; round < 50; round++) {
                List<Long> seen = walk(store.ids().cursor());
                Set<Long> distinct = new HashSet<>(seen);
                assertTrue(distinct.containsAll(stays));
                assertEquals(seen.size(), distinct.size(), "a CID was seen twice");
            }
            done.set(true);
            changer.end();
            assertEquals(stays.size(), store.audit().chunks());
        }
    }

    @Test
    void cidParts_fitTogether() {
        long cid = Cid.of(513, 17L << 40 | 4711);
        assertEquals(513, Cid.nid(cid));
        assertEquals(17, Cid.generation(cid));
        assertEquals(4711, Cid.index(cid));
        assertEquals("513:4711.17", Cid.toString(cid));
        assertEquals(cid, Cid.of(Cid.nid(cid), Cid.lid(cid)));
        assertThrows(IllegalArgumentException.class, () -> Cid.of(Cid.NID_MAX + 1, 1));
        assertThrows(IllegalArgumentException.class, () -> Cid.of(0, 1L << 48));
        assertThrows(IllegalArgumentException.class, () -> new CidRange(5, 4));
        assertThrows(IllegalArgumentException.class, () -> new CidRange(5, Cid.of(1, 7)));
        assertEquals(3, new CidRange(5, 7).count());
        long[] statuses = {Status.ABSENT, Status.LOCKED, Status.FULL, Status.NOT_HELD};
        assertTrue(Arrays.stream(statuses).allMatch(status -> Cid.nid(status) > Cid.NID_MAX));
    }
}
