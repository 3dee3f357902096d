package io.teff.engine.snapshot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.FakeTime;
import io.teff.engine.MemoryDisk;
import io.teff.engine.Store;
import io.teff.engine.Stores;
import io.teff.engine.config.Limits;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Platform;
import io.teff.engine.report.AuditReport;
import io.teff.engine.report.HeapReport;
import io.teff.engine.report.Progress;
import io.teff.engine.report.SnapshotInfo;
import io.teff.test.kit.Content;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: a snapshot is one point in time; a restore gives the same CIDs and bytes, or refuses and leaves nothing behind.
 *
 * <p>Method: round trips of every kind of entry; every truncation and every flipped bit of a small file; every failure
 * of the disk; a file of the first version that must stay readable ({@code snapshot-v1.bin}).
 */
@Tag("modes")
final class SnapshotTest {
    private static final Path PATH = Path.of("store.teff");
    /** The first bytes have each bit flipped and each length tried in both forms. */
    private static final int HEAD_BYTES = 300;
    private static final int LENGTH_STEP = Form.size(67, 11, 1);
    private static final int FLIPS = Form.size("teff.snapshot.flips", 100, 700, 15_000);
    private static final String GOLDEN = "/snapshot-v1.bin";
    /** One index in a page with a chunk, one alone in its page, which is released for ever. */
    private static final long[] RETIRED = {Cid.of(12, 255L << 40 | 50_000), Cid.of(12, 255L << 40 | 60_000)};

    private final MemoryDisk disk = new MemoryDisk();

    private StoreConfig config() {
        return TestConfig.platform(Stores.small().nid(12).lockTimeoutNs(0), Platform.SYSTEM.withDisk(disk)).build();
    }

    /** Fills a store with every kind of entry; returns the expected content. */
    private static Map<Long, byte[]> fill(Store store, int largest) {
        Map<Long, byte[]> model = new LinkedHashMap<>();
        for (int length : new int[] {0, 1, 7, 8, 100, 2046, 2047, 5000, largest}) {
            model.put(store.create(Content.of(length, length)), Content.of(length, length));
        }
        long readOnly = store.createReadOnly(Content.of(33, 3));
        model.put(readOnly, Content.of(33, 3));
        for (long foreign : new long[] {Cid.of(0, 1), Cid.of(13, 4096), Cid.of(Cid.NID_MAX, 7L << 40 | 5)}) {
            assertEquals(Status.OK, store.ids().createAt(foreign, Content.of(50, foreign)));
            model.put(foreign, Content.of(50, foreign));
        }
        long neighbour = Cid.of(12, 50_001);
        assertEquals(Status.OK, store.ids().createAt(neighbour, Content.of(4, 4)));
        model.put(neighbour, Content.of(4, 4));
        for (long last : RETIRED) {
            assertEquals(Status.OK, store.ids().createAt(last, new byte[4]));
            assertEquals(4, store.remove(last));
        }
        long again = store.create(9L);
        store.remove(again);
        store.ids().reserve();
        return model;
    }

    private static void check(Store store, Map<Long, byte[]> model) {
        AuditReport report = store.audit();
        assertEquals(model.size(), report.chunks());
        assertEquals(0, report.lockedChunks());
        model.forEach((cid, content) -> assertArrayEquals(content, store.chunks().get(cid).orElseThrow(),
            () -> Cid.toString(cid)));
    }

    @Test
    void roundTrip_keepsEverything() {
        Map<Long, byte[]> model;
        long reserved;
        long[] released = new long[9000];
        long readOnly;
        long highest;
        try (Store store = Store.open(config())) {
            model = fill(store, 3_000_000);
            store.batch().create(1, released, 0, released.length, true);
            store.batch().remove(released, 0, released.length, new long[released.length]);
            reserved = store.ids().reserve();
            readOnly = store.createReadOnly(new byte[5]);
            model.put(readOnly, new byte[5]);
            List<Long> told = new ArrayList<>();
            SnapshotInfo info = store.snapshot(PATH, (done, total) -> told.add(done));
            assertEquals(new SnapshotInfo(12, model.size(), store.stats().payloadBytes(), disk.files.get(PATH).length),
                info);
            assertFalse(told.isEmpty());
            highest = store.ids().highestIndex();
        }
        try (Store store = Store.restore(PATH, TestConfig.platform(Stores.small(), Platform.SYSTEM.withDisk(disk))
            .build())) {
            check(store, model);
            assertEquals(12, store.config().nid());
            assertEquals(highest, store.ids().highestIndex());
            assertEquals(Status.READ_ONLY, store.put(readOnly, new byte[5]));
            for (long retired : RETIRED) {
                assertEquals(Status.EXISTS, store.ids().createAt(retired, new byte[4]));
            }
            for (long cid : released) {
                assertFalse(store.exists(cid));
            }
            assertEquals(Status.OK, store.ids().createAt(reserved, new byte[6]));
            assertEquals(Status.EXISTS, store.ids().createAt(released[5], new byte[6]));
            assertEquals(0, disk.openFiles());
            store.ids().forEach(store::remove);
            assertEquals(0, store.audit().chunks());
        }
    }

    @Test
    void emptyStore_roundTrips() {
        try (Store store = Store.open(config())) {
            store.snapshot(PATH);
        }
        try (Store store = Store.restore(PATH, config())) {
            assertEquals(0, store.audit().chunks());
            assertEquals(Cid.of(12, 1), store.create(1L));
        }
    }

    private byte[] small() {
        try (Store store = Store.open(config())) {
            fill(store, 3);
            store.snapshot(PATH);
            return disk.files.get(PATH);
        }
    }

    private void refused(byte[] content, String what) {
        disk.files.put(PATH, content);
        refused(assertThrows(StoreException.class, () -> Store.restore(PATH, config()).close(), what), what);
        refused(assertThrows(StoreException.class, () -> Snapshots.analyze(disk, PATH, 3, Progress.NONE), what), what);
    }

    private void refused(StoreException e, String what) {
        assertEquals(Category.FATAL, e.category(), what);
        assertTrue(e.getMessage().matches("(?s).*store\\.teff: block at offset \\d+: .*"), e.getMessage());
        assertEquals(0, disk.openFiles());
    }

    @Test
    void everyTruncation_isRefused() {
        byte[] good = small();
        for (int length = 0; length < good.length; length += length < HEAD_BYTES ? 1 : LENGTH_STEP) {
            refused(Arrays.copyOf(good, length), "truncated to " + length);
        }
        refused(Arrays.copyOf(good, good.length + 1), "a byte more");
    }

    @Test
    void everyFlippedBit_isRefused() {
        byte[] good = small();
        int step = Math.max(good.length * 8 / FLIPS, 1);
        for (int bit = 0; bit < good.length * 8; bit += bit < 8 * HEAD_BYTES ? 1 : step) {
            byte[] bad = good.clone();
            bad[bit >> 3] ^= (byte) (1 << (bit & 7));
            refused(bad, "bit " + bit);
        }
    }

    private static int length(byte[] file, int offset) {
        return ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(offset + 4);
    }

    @Test
    void rightChecksumsAroundWrongValues_areRefused() {
        byte[] good = small();
        byte[] version = good.clone();
        version[24 + 8] = 99;
        refused(SnapshotBlocks.resealed(version, 0), "version");
        disk.files.put(PATH, version);
        assertTrue(assertThrows(StoreException.class, () ->
            Store.restore(PATH, config())).getMessage().contains("version"));
        for (int at = 24; at < 24 + 40; at++) {
            byte[] head = good.clone();
            head[at] ^= (byte) 0x80;
            if (at == 24 + 12 || at == 24 + 13) {
                continue;                                       // the NID: another store's, so chunks are foreign
            }
            if (at >= 24 + 16 && at < 24 + 24) {
                continue;                                       // the end of ids: may be higher
            }
            refused(SnapshotBlocks.resealed(head, 0), "head byte " + at);
        }
        int second = 24 + 40;
        for (int gone : new int[] {second, second + 24 + length(good, second)}) {   // the region's map, the ids
            byte[] without = new byte[good.length - 24 - length(good, gone)];
            System.arraycopy(good, 0, without, 0, gone);
            System.arraycopy(good, gone + 24 + length(good, gone), without, gone, without.length - gone);
            refused(without, "a block is missing");
        }
    }

    @ParameterizedTest
    @EnumSource(value = MemoryDisk.Fault.class, names = {"CREATE", "APPEND", "FORCE", "REPLACE"})
    void failingDisk_leavesTheOldFileAndNoOther(MemoryDisk.Fault fault) {
        try (Store store = Store.open(config())) {
            Map<Long, byte[]> model = fill(store, 2_500_000);
            byte[] old = {1, 2, 3};
            disk.files.put(PATH, old);
            int failures = 0;
            for (int calls = 0; calls < 100; calls++) {
                disk.failAfter(fault, calls);
                try {
                    store.snapshot(PATH);
                    break;
                } catch (StoreException e) {
                    failures++;
                    assertEquals(Category.RETRY, e.category());
                    assertTrue(e.getCause() instanceof IOException, e.toString());
                    assertTrue(e.getMessage().contains("store.teff"), e.getMessage());
                    assertEquals(Map.of(PATH, 3), sizes(), "only the old file is there");
                    assertEquals(0, disk.openFiles());
                    check(store, model);
                }
            }
            assertTrue(failures > 0);
            assertTrue(disk.files.get(PATH).length > 1000);
            assertEquals(1, disk.files.size());
        }
    }

    private Map<Path, Integer> sizes() {
        Map<Path, Integer> sizes = new LinkedHashMap<>();
        disk.files.forEach((path, bytes) -> sizes.put(path, bytes.length));
        return sizes;
    }

    @ParameterizedTest
    @EnumSource(value = MemoryDisk.Fault.class, names = {"OPEN", "READ"})
    void failingDisk_endsARestore(MemoryDisk.Fault fault) {
        small();
        for (int calls = 0; ; calls++) {
            disk.failAfter(fault, calls);
            try {
                Store.restore(PATH, config()).close();
                break;
            } catch (StoreException e) {
                assertEquals(Category.RETRY, e.category());
                assertEquals(0, disk.openFiles());
            }
        }
        assertThrows(StoreException.class, () -> Store.restore(Path.of("missing.teff"), config()));
    }

    @Test
    void tooSmallALimit_isDegraded() {
        try (Store store = Store.open(config())) {
            store.create(6_000_000L);
            store.snapshot(PATH);
        }
        StoreException e = assertThrows(StoreException.class,
            () -> Store.restore(PATH, config().toBuilder().memoryLimitBytes(4 << 20).build()));
        assertEquals(Category.DEGRADED, e.category());
    }

    @Test
    void lockedChunk_isWaitedForThenRefused() throws InterruptedException {
        FakeTime time = new FakeTime();
        try (Store store = Store.open(TestConfig.platform(Stores.small(),
            Platform.SYSTEM.withClock(time).withDisk(disk)).build())) {
            long cid = store.create(8L);
            CountDownLatch held = new CountDownLatch(1);
            CountDownLatch enough = new CountDownLatch(1);
            Threads.Running holder = Threads.start("holder", ignored -> {
                store.locks().lockWrite(cid, 0);
                held.countDown();
                enough.await();
            });
            held.await();
            long begin = time.nowNs();
            StoreException e = assertThrows(StoreException.class, () -> store.snapshot(PATH));
            assertEquals(Category.RETRY, e.category());
            assertTrue(time.nowNs() - begin >= Limits.LOCK_TIMEOUT_NS_DEFAULT);
            assertTrue(disk.files.isEmpty(), () -> disk.files.keySet().toString());
            long mine = store.create(8L);
            store.locks().lockWrite(mine, 0);
            assertThrows(RuntimeException.class, () -> store.snapshot(PATH));
            enough.countDown();
            holder.end();
            store.audit();
        }
    }

    @Test
    void snapshot_underWriters_isOnePointInTime() throws InterruptedException {
        try (Store store = Store.open(TestConfig.platform(Stores.small(), Platform.SYSTEM.withDisk(disk)).build())) {
            long[] cids = new long[64];
            for (int i = 0; i < cids.length; i++) {
                cids[i] = store.create(8L);
            }
            AtomicBoolean done = new AtomicBoolean();
            Threads.Running writer = Threads.start("writer", ignored -> {
                for (long i = 1; !done.get(); i++) {
                    store.fields().putLong(cids[(int) (i % cids.length)], 0, i);
                }
            });
            for (int round = 0; round < 30; round++) {
                store.snapshot(PATH);
                try (Store copy = Store.restore(PATH, config())) {
                    long newest = 0;
                    for (long cid : cids) {
                        newest = Math.max(newest, copy.fields().getLong(cid, 0, -1));
                    }
                    for (int i = 0; i < cids.length; i++) {
                        long value = copy.fields().getLong(cids[i], 0, -1);
                        long expected = Math.max(newest - Math.floorMod(newest - i, cids.length), 0);
                        assertEquals(expected, value, "a write is missing that came before the newest");
                    }
                }
            }
            done.set(true);
            writer.end();
        }
    }

    @Test
    void realFiles_areReplacedWhole(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("a.teff");
        try (Store store = Stores.open()) {
            for (int round = 0; round < 3; round++) {
                store.create(Content.of(100, round));
                SnapshotInfo info = store.snapshot(path);
                assertEquals(Files.size(path), info.fileBytes());
            }
            assertThrows(StoreException.class, () -> store.snapshot(folder.resolve("no").resolve("b.teff")));
            store.snapshot(path);
        }
        try (var files = Files.list(folder)) {
            assertEquals(List.of(path), files.toList());
        }
        try (Store store = Store.restore(path, Stores.small().build())) {
            assertEquals(3, store.audit().chunks());
        }
        StoreException e = assertThrows(StoreException.class, () -> Store.restore(folder, Stores.small().build()));
        assertEquals(Category.RETRY, e.category());
    }

    /**
     * The file was written by version 1; it is never written again. {@code -Dteff.golden=path} makes one for a new
     * version.
     */
    @Test
    void fileOfVersion1_isReadable() throws IOException {
        String write = System.getProperty("teff.golden");
        if (write != null) {
            small();
            Files.write(Path.of(write), disk.files.get(PATH));
        }
        try (InputStream golden = SnapshotTest.class.getResourceAsStream(GOLDEN)) {
            disk.files.put(PATH, golden.readAllBytes());
        }
        Map<Long, byte[]> model;
        try (Store store = Store.open(config())) {
            model = fill(store, 3);
        }
        try (Store store = Store.restore(PATH, config())) {
            check(store, model);
            HeapReport report = Snapshots.analyze(disk, PATH, 1, Progress.NONE);
            assertEquals(model.size(), report.chunks());
            assertEquals(5000, report.largest().getFirst().bytes());
            assertEquals(10, report.sizeClasses().stream().mapToLong(HeapReport.SizeClass::pages).sum());
            for (long retired : RETIRED) {
                assertEquals(Status.EXISTS, store.ids().createAt(retired, new byte[4]));
            }
            assertEquals(Status.READ_ONLY, store.put(Cid.of(12, 10), new byte[33]));
        }
    }

    @Test
    void manyToOnePath_neverDamageEachOther() throws InterruptedException {
        try (Store store = Store.open(config())) {
            Map<Long, byte[]> model = fill(store, 2_000_000);
            Threads.runAll(3, number -> {
                for (int i = 0; i < 5; i++) {
                    assertEquals(model.size(), store.snapshot(PATH).chunks());
                    try (Store restored = Store.restore(PATH, config())) {
                        check(restored, model);
                    }
                }
            });
            assertEquals(Set.of(PATH), disk.files.keySet());
        }
    }

    @Test
    void progressThatUsesTheStore_throwsAndTheStoreGoesOn() {
        try (Store store = Store.open(config())) {
            Map<Long, byte[]> model = fill(store, 2_000_000);
            long cid = model.keySet().iterator().next();
            List<Runnable> uses = List.of(store::close, store::audit, store::trim, store::defragment,
                () -> store.create(8L),
                () -> store.put(cid, new byte[3]), () -> store.remove(cid), () -> store.snapshot(PATH),
                () -> store.views().read(cid, view -> { }), () -> store.ids().reserve());
            for (Runnable use : uses) {
                assertThrows(IllegalStateException.class, () -> store.snapshot(PATH, (done, total) -> use.run()));
                assertEquals(Map.of(), disk.files);
                check(store, model);
            }
            assertThrows(AssertionError.class, () -> store.snapshot(PATH, (done, total) -> {
                throw new AssertionError("planted");
            }));
            assertEquals(Map.of(), disk.files);
            check(store, model);
        }
    }
}
