package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.config.Limits;
import io.teff.engine.error.Status;
import io.teff.test.kit.Content;
import io.teff.test.kit.Threads;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: faults that stores of this kind have had do not happen here.
 *
 * <p>Method: one test per fault; its name is the behaviour that is right.
 */
@Tag("modes")
final class DefectsTest {
    private static final int MANY = 250_000;

    private static long[] createMany(Store store, int count, boolean consecutive) {
        long[] cids = new long[count];
        assertEquals(count, store.batch().create(16, cids, 0, count, consecutive));
        return cids;
    }

    private static void inOtherThread(Threads.Part part) throws InterruptedException {
        Threads.start("other", part).end();
    }

    @Test
    void batchCreateAfterMassDelete_returns() {
        try (Store store = Stores.open()) {
            long[] cids = createMany(store, MANY, false);
            assertEquals(MANY, store.batch().remove(cids, 0, MANY, new long[MANY]));
            for (boolean consecutive : new boolean[] {false, true, false, true}) {
                long[] more = createMany(store, MANY / 2, consecutive);
                assertEquals(MANY / 2, store.audit().chunks());
                assertEquals(MANY / 2, store.batch().remove(more, 0, MANY / 2, new long[MANY / 2]));
            }
        }
    }

    @Test
    void createsAfterMassDelete_useRemovedIndexesAgain() {
        try (Store store = Stores.open()) {
            for (int round = 0; round < 6; round++) {
                long[] cids = createMany(store, MANY, false);
                for (int i = 0; i < MANY; i += 1 + i % 3) {
                    assertEquals(16, store.remove(cids[i]));
                }
                for (int i = 0; i < 2000; i++) {
                    assertFalse(Status.isStatus(store.create(1L)));
                }
                store.ids().forEach(store::remove);
            }
            assertTrue(store.ids().highestIndex() < 2L * MANY, "highest index " + store.ids().highestIndex());
            assertEquals(0, store.audit().chunks());
        }
    }

    @Test
    void failedResize_leavesNothingLocked() throws InterruptedException {
        try (Store store = Stores.open(4)) {
            long cid = store.create(Content.of(100, 5));
            for (long length : new long[] {4_150_000, 50_000_000, Limits.CHUNK_BYTES_MAX}) {
                assertEquals(Status.FULL, store.resize(cid, length));
                assertEquals(Status.FULL, store.create(length));
                assertEquals(100, store.size(cid));
                inOtherThread(ignored -> {
                    long other = store.create(new byte[200]);
                    assertEquals(Status.OK, store.put(cid, Content.of(100, 6)));
                    assertEquals(200, store.remove(other));
                });
            }
            assertArrayEquals(Content.of(100, 6), store.chunks().get(cid).orElseThrow());
            assertTrue(store.locks().list().isEmpty());
            store.audit();
        }
    }

    @Test
    void unpin_ofAnyChunk_works() {
        try (Store store = Stores.open()) {
            long[] cids = createMany(store, 10_000, false);
            List<Pin> pins = new ArrayList<>();
            for (long cid : cids) {
                pins.add(store.pins().pin(cid));
            }
            assertEquals(cids.length, store.pins().list().size());
            for (int i = 0; i < cids.length; i++) {
                if (i % 2 == 0) {
                    pins.get(i).close();
                } else {
                    assertEquals(Status.OK, store.pins().unpin(cids[i]));
                }
                assertEquals(16, store.remove(cids[i]));
            }
            assertEquals(0, store.audit().chunks());
        }
    }

    @Test
    void rangesOfAllCreators_areRight() {
        try (Store store = Stores.open()) {
            long[] own = createMany(store, 5000, true);
            assertEquals(16, store.remove(own[100]));
            long beyond = Cid.of(0, (1L << 31) + 5);
            assertEquals(Status.OK, store.ids().createAt(beyond, new byte[1]));
            assertEquals(Status.OK, store.ids().createAt(Cid.of(Cid.NID_MAX, (1L << 40) - 1), new byte[1]));
            List<CidRange> ranges = store.ids().ranges();
            assertEquals(List.of(new CidRange(own[0], own[99]), new CidRange(own[101], own[4999]),
                new CidRange(beyond, beyond), new CidRange(Cid.of(Cid.NID_MAX, (1L << 40) - 1),
                    Cid.of(Cid.NID_MAX, (1L << 40) - 1))), ranges);
        }
    }

    @Test
    void fullWhileTablePageIsNeeded_leavesNoLock() throws InterruptedException {
        try (Store store = Stores.open()) {
            Stores.space(store).runs.refuseWhen(() -> true);
            assertEquals(Status.FULL, store.create(0L));
            assertEquals(Status.FULL, store.ids().createAt(Cid.of(4, 9), 0));
            assertEquals(Status.FULL, store.ids().reserve(new long[3], 0, 3));
            inOtherThread(ignored -> assertEquals(Status.FULL, store.create(0L)));
            Stores.space(store).runs.refuseWhen(() -> false);
            inOtherThread(ignored -> {
                assertFalse(Status.isStatus(store.create(0L)));
                assertEquals(Status.OK, store.ids().createAt(Cid.of(4, 9), 0));
            });
            assertEquals(2, store.audit().chunks());
        }
    }

    @Test
    void snapshot_canBeLoadedBack(@TempDir Path folder) {
        Path path = folder.resolve("store.teff");
        long cid;
        try (Store store = Stores.open()) {
            createMany(store, 1000, false);
            cid = store.create(Content.of(777, 7));
            store.snapshot(path);
        }
        try (Store store = Store.restore(path, Stores.small().build())) {
            assertEquals(1001, store.audit().chunks());
            assertArrayEquals(Content.of(777, 7), store.chunks().get(cid).orElseThrow());
        }
    }

    @Test
    void moreThan1023Threads_mayBeAliveTogether() throws InterruptedException {
        try (Store store = Stores.open()) {
            AtomicLong removed = new AtomicLong();
            Threads.runAll(1500, number -> {
                byte[] content = Content.of(40, number);
                long cid = store.create(content);
                assertArrayEquals(content, store.chunks().get(cid).orElseThrow());
                removed.addAndGet(store.remove(cid));
            });
            assertEquals(1500 * 40, removed.get());
            assertEquals(0, store.audit().chunks());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 333, 2_147, 2_148, 3_000, 4_294, 4_295, 5_000, 3_600_000, 90_000_000_000L / 1000})
    void lockTimeout_isHonoured(long timeoutMs) throws InterruptedException {
        FakeTime time = new FakeTime();
        try (Store store = Stores.open(time)) {
            long cid = store.create(8L);
            assertEquals(Status.OK, store.locks().lockWrite(cid, 0));
            inOtherThread(ignored -> {
                long begin = time.nowNs();
                assertEquals(Status.LOCKED, store.locks().lockRead(cid, timeoutMs * 1_000_000));
                assertEquals(timeoutMs * 1_000_000, time.nowNs() - begin);
                begin = time.nowNs();
                assertEquals(Status.LOCKED, store.locks().lockWrite(cid, timeoutMs * 1_000_000));
                assertEquals(timeoutMs * 1_000_000, time.nowNs() - begin);
                begin = time.nowNs();
                assertEquals(Status.LOCKED, store.put(cid, new byte[8]));
                assertEquals(Limits.LOCK_TIMEOUT_NS_DEFAULT, time.nowNs() - begin);
            });
            assertEquals(Status.OK, store.locks().unlock(cid));
        }
    }

    @Test
    void oversizedPut_touchesNoNeighbour() {
        try (Store store = Stores.open()) {
            List<Long> cids = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                cids.add(store.create(Content.of(30, i)));
            }
            long middle = cids.get(500);
            assertEquals(Status.OUT_OF_RANGE, store.putBytes(middle, 20, new byte[11], 0, 11));
            assertEquals(Status.OUT_OF_RANGE, store.putBytes(middle, Long.MAX_VALUE, new byte[11], 0, 11));
            assertThrows(IndexOutOfBoundsException.class, () -> store.fields().putLong(middle, 23, -1));
            assertThrows(IndexOutOfBoundsException.class, () -> store.put(middle, new byte[10], 0, 11));
            assertEquals(Status.OK, store.put(middle, Content.of(4000, 500)));
            byte[] longer = new byte[5000];
            Arrays.fill(longer, (byte) 77);
            assertEquals(4000, store.get(middle, longer));
            assertEquals(77, longer[4000], "a get with a longer buffer reads nothing beyond the chunk");
            for (int i = 0; i < 1000; i++) {
                assertArrayEquals(Content.of(i == 500 ? 4000 : 30, i), store.chunks().get(cids.get(i)).orElseThrow());
            }
            store.audit();
        }
    }

    @Test
    void resizeOfPinned_isRefused() {
        try (Store store = Stores.open()) {
            for (int length : new int[] {10, 3000, 100_000}) {
                long cid = store.create(Content.of(length, 3));
                try (Pin pin = store.pins().pin(cid)) {
                    long address = pin.address();
                    assertEquals(Status.PINNED, store.resize(cid, length + 1));
                    assertEquals(Status.PINNED, store.resize(cid, 500_000));
                    assertEquals(Status.PINNED, store.put(cid, new byte[length - 1]));
                    assertEquals(Status.PINNED, store.remove(cid));
                    assertEquals(Status.OK, store.put(cid, Content.of(length, 4)));
                    assertEquals(address, pin.address());
                    assertArrayEquals(Content.of(length, 4), pin.segment().toArray(ValueLayout.JAVA_BYTE));
                }
                assertEquals(Status.OK, store.resize(cid, length + 1));
                store.audit();
            }
        }
    }

    @Test
    void batchBeyondTwoGiB_atSmallLimit_countsWhatWasMade() {
        int count = 3_000_000;
        try (Store store = Stores.open(64)) {
            long[] cids = new long[count];
            int made = store.batch().create(1024, cids, 0, count, false);
            assertTrue(made > 30_000 && made < 70_000, "made " + made);
            assertEquals(Status.FULL, cids[made]);
            assertEquals(Status.FULL, cids[count - 1]);
            assertEquals(made, store.audit().chunks());
            int[] lengths = new int[count];
            Arrays.fill(lengths, 1024);
            assertEquals(0, store.batch().create(null, lengths, new long[count], 0, true));
            assertEquals(made, store.batch().remove(cids, 0, made, new long[made]));
            assertEquals(0, store.audit().chunks());
        }
    }

    @Test
    void reserve_freshOrRecycled_returnsWholeCids() {
        try (Store store = Store.open(Stores.small().nid(5).build())) {
            Set<Long> seen = new HashSet<>();
            boolean recycled = false;
            for (int round = 0; round < 40; round++) {
                long[] cids = new long[5000];
                for (int i = 0; i < cids.length; i++) {
                    cids[i] = store.ids().reserve();
                    assertEquals(5, Cid.nid(cids[i]));
                    assertTrue(Cid.index(cids[i]) > 0);
                    assertTrue(seen.add(cids[i]), "reserved twice");
                    recycled |= Cid.generation(cids[i]) > 0;
                    assertFalse(store.exists(cids[i]));
                }
                for (long cid : cids) {
                    assertEquals(Status.OK, store.ids().unreserve(cid));
                    assertEquals(Status.ABSENT, store.ids().unreserve(cid));
                }
            }
            assertTrue(recycled, "no index was used again");
            store.audit();
        }
    }

    @Test
    void closeWhileOthersRead_throwsThereAndCrashesNothing() throws InterruptedException {
        for (int round = 0; round < 50; round++) {
            Store store = Stores.open();
            long cid = store.create(Content.of(500, 1));
            AtomicBoolean reading = new AtomicBoolean();
            Threads.Running reader = Threads.start("reader", ignored ->
                assertThrows(IllegalStateException.class, () -> {
                byte[] buffer = new byte[500];
                for (;;) {
                    assertEquals(500, store.get(cid, buffer));
                    assertTrue(Content.isWhole(buffer, 500));
                    reading.set(true);
                }
            }));
            Threads.await("the reader", reading::get);
            store.close();
            reader.end();
        }
    }

    @Test
    void batch_usesFromAndCountOnly() {
        try (Store store = Stores.open()) {
            long[] cids = new long[10];
            Arrays.fill(cids, 99);
            assertEquals(3, store.batch().create(4, cids, 5, 3, true));
            assertArrayEquals(new long[] {99, 99, 99, 99, 99}, Arrays.copyOf(cids, 5));
            assertArrayEquals(new long[] {99, 99}, Arrays.copyOfRange(cids, 8, 10));
            long[] results = new long[2];
            assertEquals(2, store.batch().remove(cids, 6, 2, results));
            assertTrue(store.exists(cids[5]));
            assertEquals(1, store.audit().chunks());
        }
    }

    @Test
    void failedCreate_losesNoId() {
        try (Store store = Stores.open()) {
            long before = store.create(1L);
            for (int i = 0; i < 1000; i++) {
                assertEquals(Status.FULL, store.create(1L << 30));
            }
            assertEquals(Cid.index(before) + 1, Cid.index(store.create(1L)));
            assertEquals(Status.ABSENT, store.size(before + 100));
            assertNotEquals(Status.FULL, store.ids().reserve());
            store.audit();
        }
    }
}
