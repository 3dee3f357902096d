package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.teff.engine.Cid;
import io.teff.engine.Pin;
import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FrozenDisk;
import io.teff.recovery.tool.LogTool;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Goal: a durable store has its former content when it is opened again, on the machine's disk. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class DurableStoreTest {
    /** Between two calls at which the disk becomes full, in eights. */
    private static final int FULL_STEP = Form.size(11, 1, 1);
    private static final int HEALTH_ROUNDS = Form.size(8, 30, 30);

    @TempDir
    private Path temporary;

    private static DurableConfig.Builder config() {
        return DurableConfig.builder().store(StoreConfig.builder().nid(3).memoryLimitBytes(512 << 20).build())
            .writeBufferBytes(1 << 23).segmentBytes(1 << 21);
    }

    private DurableStore open() {
        return DurableStore.open(temporary.resolve("data"), config().build());
    }

    private static byte[] content(long seed, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] get(Store store, long cid) {
        byte[] bytes = new byte[(int) store.size(cid)];
        assertEquals(bytes.length, store.get(cid, bytes));
        return bytes;
    }

    @Test
    void chunks_areThereAgain() {
        Map<Long, byte[]> expected = new HashMap<>();
        List<Long> removed = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            try (DurableStore durable = open()) {
                Store store = durable.store();
                expected.forEach((cid, bytes) -> assertArrayEquals(bytes, get(store, cid), Cid.toString(cid)));
                removed.forEach(cid -> assertEquals(Status.ABSENT, store.get(cid, new byte[10])));
                assertEquals(expected.size(), store.stats().chunks());
                SplittableRandom random = new SplittableRandom(round);
                for (int i = 0; i < 3000; i++) {
                    byte[] bytes = content(random.nextLong(), random.nextInt(random.nextInt(100) == 0 ? 70_000 : 200));
                    if (random.nextInt(3) == 0 || expected.isEmpty()) {
                        expected.put(store.create(bytes), bytes);
                    } else {
                        long cid = new ArrayList<>(expected.keySet()).get(random.nextInt(expected.size()));
                        if (random.nextInt(3) == 0) {
                            assertTrue(store.remove(cid) >= 0);
                            expected.remove(cid);
                            removed.add(cid);
                        } else {
                            assertEquals(Status.OK, store.put(cid, bytes));
                            expected.put(cid, bytes);
                        }
                    }
                }
            }
        }
    }

    @Test
    void longChunks_areThereAgain() {
        byte[] bytes = content(1, 5_000_001);
        byte[] others = content(2, 3_000_000);
        long cid;
        try (DurableStore durable = open()) {
            cid = durable.store().create(bytes);
            assertArrayEquals(bytes, get(durable.store(), cid));
        }
        try (DurableStore durable = open()) {
            assertArrayEquals(bytes, get(durable.store(), cid));
            assertEquals(Status.OK, durable.store().put(cid, others));
        }
        try (DurableStore durable = open()) {
            assertArrayEquals(others, get(durable.store(), cid));
            assertEquals(1, durable.store().audit().chunks());
        }
    }

    /**
     * The disk becomes full in the middle of the change of a long chunk, which was already made in memory: it waits for
     * room.
     */
    @Test
    void longChunk_onAFullDisk_isNotHalfChanged() throws Exception {
        FaultDisk disk = new FaultDisk();
        byte[] others = content(2, 12_000_000);
        Path folder = FaultDisk.ROOT.resolve("data");
        try (DurableStore durable = DurableStore.open(folder,
            config().platform(Platform.SYSTEM.withDisk(disk)).build())) {
            long cid = durable.store().create(content(1, 11_000_000));
            durable.sync();
            disk.failFrom(FaultDisk.Call.WRITE, 0, FaultDisk.Fault.FULL);
            FutureTask<Integer> put = new FutureTask<>(() -> durable.store().put(cid, others));
            awaitStuck(Thread.ofPlatform().start(put), disk);
            disk.heal();
            assertEquals(Status.OK, put.get());
            assertArrayEquals(others, get(durable.store(), cid));
            try (DurableStore again = DurableStore.open(folder,
                config().platform(Platform.SYSTEM.withDisk(disk.killed())).build())) {
                assertArrayEquals(others, get(again.store(), cid));
            }
        }
    }

    /** Waits until a thread is blocked because the disk is full. */
    private static void awaitStuck(Thread thread, FaultDisk disk) {
        long writes = disk.calls(FaultDisk.Call.WRITE);
        Threads.await("a change that finds no room", () -> !thread.isAlive()
            || thread.getState() == Thread.State.WAITING && disk.calls(FaultDisk.Call.WRITE) >= writes + 5);
    }

    /** A thread that waits for room does not keep a store from being closed. */
    @Test
    void close_onAFullDisk_doesNotWaitForRoom() throws Exception {
        FaultDisk disk = new FaultDisk();
        byte[] before = content(1, 11_000_000);
        Path folder = FaultDisk.ROOT.resolve("data");
        DurableStore durable = DurableStore.open(folder, config().platform(Platform.SYSTEM.withDisk(disk)).build());
        long cid = durable.store().create(before);
        durable.sync();
        disk.failFrom(FaultDisk.Call.WRITE, 0, FaultDisk.Fault.FULL);
        FutureTask<Integer> put = new FutureTask<>(() -> durable.store().put(cid, content(2, 12_000_000)));
        awaitStuck(Thread.ofPlatform().start(put), disk);
        StoreException notEnded = assertThrows(StoreException.class, durable::close);
        assertEquals(Category.RETRY, notEnded.category());
        ExecutionException refused = assertThrows(ExecutionException.class, put::get);
        assertEquals(Category.FATAL, assertInstanceOf(StoreException.class, refused.getCause()).category());
        disk.heal();
        try (DurableStore again = DurableStore.open(folder,
            config().platform(Platform.SYSTEM.withDisk(disk)).build())) {
            assertArrayEquals(before, get(again.store(), cid));
        }
    }

    /** A batch larger than the ring is refused when the disk is full, and does not wait. */
    @Test
    void batch_onAFullDisk_isRefused() {
        FaultDisk disk = new FaultDisk();
        try (DurableStore durable = DurableStore.open(FaultDisk.ROOT.resolve("data"),
            config().platform(Platform.SYSTEM.withDisk(disk)).build())) {
            durable.store().create(content(1, 100));
            durable.sync();
            disk.failFrom(FaultDisk.Call.WRITE, 0, FaultDisk.Fault.FULL);
            disk.failFrom(FaultDisk.Call.CREATE, 0, FaultDisk.Fault.FULL);
            long[] cids = new long[400_000];
            StoreException refused = assertThrows(StoreException.class,
                () -> durable.store().batch().create(64, cids, 0, cids.length, true));
            assertEquals(Category.DEGRADED, refused.category());
            long made = Arrays.stream(cids).filter(cid -> !Status.isStatus(cid)).count();
            assertTrue(made > 0, () -> made + " chunks");
            assertTrue(refused.getMessage().matches("refused after " + made + " of the batch's 400000 chunks, at the "
                + "next one: .*nothing was changed.*"), refused.getMessage());
            assertEquals(made + 1, durable.store().stats().chunks());
            StoreException none = assertThrows(StoreException.class,
                () -> durable.store().ids().reserve(new long[3000], 0, 3000));
            assertTrue(none.getMessage().contains("nothing was changed"), none.getMessage());
            disk.heal();
            durable.store().audit();
        }
    }

    /** Whenever the disk becomes full, also while little of a zone is live, changes are refused until there is room. */
    @Test
    void updates_onAFullDisk_areRefusedAndGoOn() {
        for (int n = 0; n < 30; n += FULL_STEP) {
            FaultDisk disk = new FaultDisk();
            try (DurableStore durable = DurableStore.open(FaultDisk.ROOT.resolve("data"),
                config().cleanPercent(90).platform(Platform.SYSTEM.withDisk(disk)).build())) {
                long cid = durable.store().create(content(1, 50_000));
                disk.failFrom(FaultDisk.Call.WRITE, 8 * n, FaultDisk.Fault.FULL);
                StoreException refused = assertThrows(StoreException.class, () -> {
                    for (long i = 0; true; i++) {
                        durable.store().put(cid, content(i, 50_000));
                    }
                });
                assertEquals(Category.DEGRADED, refused.category());
                disk.heal();
                Threads.await("changes are accepted",
                    () -> isSynced(durable) && durable.health().state() == DurableHealth.State.WRITABLE);
                assertEquals(Status.OK, durable.store().put(cid, content(n, 50_000)));
            }
        }
    }

    /**
     * At SYNCED, a change whose wait is refused is made, visible and logged; it reaches the device when there is room.
     */
    @Test
    void changeWhoseWaitIsRefused_isMade() {
        FaultDisk disk = new FaultDisk();
        Path folder = FaultDisk.ROOT.resolve("data");
        DurableConfig synced = config().level(Level.SYNCED).platform(Platform.SYSTEM.withDisk(disk)).build();
        try (DurableStore durable = DurableStore.open(folder, synced)) {
            long cid = durable.store().create(content(1, 100));
            assertEquals(new DurableHealth(DurableHealth.State.WRITABLE, 0, null), durable.health());
            disk.failFrom(FaultDisk.Call.WRITE, 0, FaultDisk.Fault.FULL);
            StoreException refused = assertThrows(StoreException.class,
                () -> durable.store().put(cid, content(2, 100)));
            assertEquals(Category.DEGRADED, refused.category());
            assertTrue(refused.getMessage().contains("not yet on the device"), refused.getMessage());
            assertArrayEquals(content(2, 100), get(durable.store(), cid));
            assertEquals(DurableHealth.State.FULL, durable.health().state());
            assertTrue(durable.health().pendingBytes() > 100);
            assertEquals("planned", durable.health().lastFailure());
            assertEquals(durable.health(), durable.stats().health());
            try (DurableStore killed = DurableStore.open(folder,
                config().platform(Platform.SYSTEM.withDisk(disk.killed())).build())) {
                assertArrayEquals(content(2, 100), get(killed.store(), cid));
            }
            disk.heal();
            Threads.await("room", () -> durable.health().state() != DurableHealth.State.FULL);
            assertEquals(new DurableHealth(DurableHealth.State.WRITABLE, 0, "planned"), durable.health());
            try (DurableStore cut = DurableStore.open(folder,
                config().platform(Platform.SYSTEM.withDisk(disk.powerCut(Choices.drop()))).build())) {
                assertArrayEquals(content(2, 100), get(cut.store(), cid));
            }
        }
    }

    @Test
    void health_ofALogThatHasFailed_saysWhy() {
        FaultDisk disk = new FaultDisk();
        DurableStore durable = DurableStore.open(FaultDisk.ROOT.resolve("data"),
            config().platform(Platform.SYSTEM.withDisk(disk)).build());
        disk.failFrom(FaultDisk.Call.FORCE, 0, FaultDisk.Fault.BROKEN);
        durable.store().create(new byte[10]);
        assertEquals(Category.FATAL, assertThrows(StoreException.class, durable::sync).category());
        DurableHealth health = durable.stats().health();
        assertEquals(DurableHealth.State.FAILED, health.state());
        assertTrue(health.pendingBytes() > 10 && String.valueOf(health.lastFailure()).contains("planned for call"),
            health::toString);
        CompletionException later = assertThrows(CompletionException.class,
            () -> durable.syncAsync().toCompletableFuture().join());
        assertEquals(Category.FATAL, assertInstanceOf(StoreException.class, later.getCause()).category());
        assertThrows(StoreException.class, durable::close);
        assertEquals(DurableHealth.State.FAILED, durable.health().state());
        DurableStore other = open();
        other.close();
        assertEquals(DurableHealth.State.CLOSED, other.health().state());
        CompletionException closed = assertThrows(CompletionException.class,
            () -> other.syncAsync().toCompletableFuture().join());
        assertInstanceOf(StoreClosedException.class, closed.getCause());
    }

    /** A thread that sees that the log has failed, or is full, sees why. */
    @Test
    void health_besideAFailure_hasItsCause() throws Exception {
        for (int round = 0; round < HEALTH_ROUNDS; round++) {
            FaultDisk disk = new FaultDisk();
            DurableStore durable = DurableStore.open(FaultDisk.ROOT.resolve("data"),
                config().reserve(false).platform(Platform.SYSTEM.withDisk(disk)).build());
            CountDownLatch isLooking = new CountDownLatch(1);
            FutureTask<DurableHealth> look = new FutureTask<>(() -> {
                DurableHealth health = durable.health();
                while (health.state() == DurableHealth.State.WRITABLE) {
                    isLooking.countDown();
                    health = durable.health();
                }
                return health;
            });
            Thread.ofPlatform().start(look);
            isLooking.await();
            disk.failFrom(FaultDisk.Call.WRITE, 0,
                round % 2 == 0 ? FaultDisk.Fault.BROKEN : FaultDisk.Fault.FULL);
            durable.store().create(new byte[10]);
            assertThrows(StoreException.class, durable::sync);
            assertNotNull(look.get().lastFailure(), look.get()::toString);
            disk.heal();
            if (round % 2 == 0) {
                assertThrows(StoreException.class, durable::close);
            } else {
                durable.close();
            }
        }
    }

    /** An action chained to a sync may wait for the next sync: it does not run on the thread that performs syncs. */
    @Test
    void syncAsync_endsWhenTheDeviceHasIt() {
        FaultDisk disk = new FaultDisk();
        Path folder = FaultDisk.ROOT.resolve("data");
        try (DurableStore durable = DurableStore.open(folder,
            config().platform(Platform.SYSTEM.withDisk(disk)).build())) {
            for (int i = 0; i < 300; i++) {
                int number = i;
                long cid = durable.store().create(content(i, 100));
                List<CompletableFuture<Void>> all = new ArrayList<>();
                for (int j = 0; j < 5; j++) {
                    all.add(durable.syncAsync().thenRun(() -> {
                        durable.store().create(content(number, 50));
                        durable.sync();
                    }).toCompletableFuture());
                }
                durable.syncAsync().toCompletableFuture().join();
                if (i % 100 == 0) {
                    try (ReadOnlyStore cut = DurableStore.openReadOnly(folder,
                        config().platform(Platform.SYSTEM.withDisk(disk.powerCut(Choices.drop()))).build())) {
                        assertArrayEquals(content(i, 100), get(cut.store(), cid));
                    }
                }
                all.forEach(CompletableFuture::join);
            }
            disk.failFrom(FaultDisk.Call.WRITE, 0, FaultDisk.Fault.FULL);
            durable.store().create(new byte[10]);
            CompletionException refused = assertThrows(CompletionException.class,
                () -> durable.syncAsync().toCompletableFuture().join());
            assertEquals(Category.DEGRADED, assertInstanceOf(StoreException.class, refused.getCause()).category());
            disk.heal();
        }
    }

    /** Returns true only after the log has retried the writes for which there was no room. */
    private static boolean isSynced(DurableStore durable) {
        try {
            durable.sync();
            return true;
        } catch (StoreException e) {
            assertEquals(Category.DEGRADED, e.category());
            return false;
        }
    }

    @Test
    void collections_areThereAgain() {
        try (DurableStore durable = open()) {
            ChunkMap<String, String> map = durable.store().map("users", String.class, String.class);
            for (int i = 0; i < 5000; i++) {
                map.put("user " + i, "name " + i);
            }
            durable.at(Level.SYNCED, () -> map.put("last", "one"));
        }
        try (DurableStore durable = open()) {
            ChunkMap<String, String> map = durable.store().map("users", String.class, String.class);
            assertEquals(5001, map.size());
            assertEquals("one", map.get("last"));
            assertEquals("name 77", map.get("user 77"));
        }
    }

    @Test
    void secondOpening_isRefused() {
        try (DurableStore durable = open()) {
            StoreException refused = assertThrows(StoreException.class, this::open);
            assertEquals(Category.RETRY, refused.category());
            assertTrue(refused.getMessage().contains("process " + ProcessHandle.current().pid()), refused.getMessage());
            assertFalse(durable.store().create(new byte[3]) < 0);
        }
    }

    @Test
    void nid_isThatOfTheFolder() {
        try (DurableStore durable = open()) {
            assertEquals(3, Cid.nid(durable.store().create(new byte[1])));
        }
        try (DurableStore durable = DurableStore.open(temporary.resolve("data"))) {
            assertEquals(3, Cid.nid(durable.store().create(new byte[1])));
        }
    }

    /** Updates of many times the live size: the log stays bounded, and nothing is lost. */
    @Test
    @FullTier("3 s. SmallDiskTest changes chunks many times on a disk whose log must be cleaned for that.")
    void updates_areCleaned() throws Exception {
        Path folder = temporary.resolve("data");
        List<Long> cids = new ArrayList<>();
        byte[][] last = new byte[20_000][];
        try (DurableStore durable = open()) {
            SplittableRandom random = new SplittableRandom(5);
            for (int i = 0; i < last.length; i++) {
                last[i] = content(random.nextLong(), 300);
                cids.add(durable.store().create(last[i]));
            }
            for (int i = 0; i < 25 * last.length; i++) {
                int at = random.nextInt(last.length);
                last[at][0]++;
                assertEquals(Status.OK, durable.store().put(cids.get(at), last[at]));
            }
            durable.sync();
        }
        long bytes;
        try (Stream<Path> files = Files.walk(folder.resolve("segments"))) {
            bytes = files.mapToLong(file -> file.toFile().length()).sum();
        }
        assertTrue(bytes < 40 << 20, () -> "bytes " + bytes);
        try (DurableStore durable = open()) {
            for (int i = 0; i < last.length; i++) {
                assertArrayEquals(last[i], get(durable.store(), cids.get(i)), "chunk " + i);
            }
            assertEquals(last.length, durable.store().stats().chunks());
        }
    }

    @Test
    void progress_isReported() {
        try (DurableStore durable = open()) {
            for (int i = 0; i < 5000; i++) {
                durable.store().create(new byte[1000]);
            }
        }
        List<long[]> told = new ArrayList<>();
        try (DurableStore durable = DurableStore.open(temporary.resolve("data"), config().progress(
            (done, total, chunks, ns) -> told.add(new long[] {done, total, chunks})).build())) {
            assertEquals(5000, durable.restoredEntries());
        }
        long[] end = told.getLast();
        assertEquals(end[1], end[0], () -> Arrays.toString(end));
        assertEquals(5000, end[2]);
        assertTrue(told.size() >= 3, () -> "" + told.size());
    }

    /** Each reading thread has a buffer of a segment's length, which is not needed after the restore. */
    @Test
    void buffersOfARestore_areLetGo() {
        int segmentBytes = 64 << 20;
        DurableConfig large = config().segmentBytes(segmentBytes).restoreThreads(1).build();
        Path folder = temporary.resolve("data");
        try (DurableStore durable = DurableStore.open(folder, large)) {
            durable.store().create(new byte[10]);
        }
        try (DurableStore durable = DurableStore.open(folder, large)) {
            assertEquals(1, durable.restoredEntries());
            BufferPoolMXBean direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(it -> it.getName().equals("direct")).findFirst().orElseThrow();
            Threads.await(120, () -> "used " + direct.getMemoryUsed(), () -> {
                System.gc();
                return direct.getMemoryUsed() < segmentBytes;
            });
        }
    }

    // ---- read-only access ----

    private static Map<String, Long> files(Path folder) throws IOException {
        Map<String, Long> sums = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(it -> Files.isRegularFile(it) && !it.endsWith("lock")).toList()) {
                CRC32C sum = new CRC32C();
                sum.update(Files.readAllBytes(file));
                sums.put(folder.relativize(file).toString(), sum.getValue());
            }
        }
        return sums;
    }

    private static void copy(Path from, Path target) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, target.resolve(from.relativize(file).toString()));
            }
        }
    }

    /** Copies the folder as a kill leaves it; repeats the copy if the drainer was still running. */
    private Path copyOf(DurableStore durable) throws IOException {
        for (int n = 0; true; n++) {
            Path left = temporary.resolve("left" + n);
            long pending = durable.health().pendingBytes();
            copy(durable.folder(), left);
            if (durable.health().pendingBytes() == pending) {
                return left;
            }
        }
    }

    /** The state left by a killed process is shown without a change on the disk, and then opened. */
    @Test
    void openReadOnly_afterAKill_showsAllAndChangesNothing() throws IOException {
        Path left;
        List<Long> cids = new ArrayList<>();
        long hour = 3_600_000_000_000L;                          // nothing is written while files are copied
        try (DurableStore durable = DurableStore.open(temporary.resolve("data"),
            config().syncIntervalNs(hour).build())) {
            for (int i = 0; i < 3000; i++) {
                cids.add(durable.store().create(content(i, i % 2000)));
                if (i == 1500) {
                    durable.checkpoint();
                }
            }
            durable.store().map("users", String.class, String.class).put("ada", "lovelace");
            left = copyOf(durable);
        }
        try (ReadOnlyStore seen = DurableStore.openReadOnly(left, config().build())) {
            assertEquals(1, seen.damage().size());
            assertTrue(seen.damage().getFirst().toString().contains("is a copy"), () -> seen.damage().toString());
        }
        assertTrue(LogTool.adopt(left, "a test"));
        assertFalse(LogTool.adopt(left, "a test"));
        Map<String, Long> before = files(left);
        try (ReadOnlyStore seen = DurableStore.openReadOnly(left, config().build())) {
            assertEquals(List.of(), seen.damage());
            check(seen.store(), cids);
            Store store = seen.store();
            for (Runnable change : List.<Runnable>of(() -> store.create(new byte[1]),
                () -> store.put(cids.getFirst(), new byte[1]), () -> store.remove(cids.getFirst()),
                () -> store.map("users", String.class, String.class).put("x", "y"),
                () -> store.map("others", String.class, String.class).put("x", "y"))) {
                assertEquals(Category.DEGRADED, assertThrows(StoreException.class, change::run).category());
            }
            try (Pin pin = store.pins().pin(cids.get(9))) {
                assertTrue(pin.segment().isReadOnly());
            }
            store.pins().pin(cids.get(9));
            assertEquals(Status.OK, store.pins().unpin(cids.get(9)));
            assertEquals(List.of(), store.pins().list());
            check(store, cids);
        }
        assertEquals(before, files(left));
        try (DurableStore durable = DurableStore.open(left, config().build())) {
            check(durable.store(), cids);
        }
    }

    private static void check(Store store, List<Long> cids) {
        for (int i = 0; i < cids.size(); i++) {
            assertArrayEquals(content(i, i % 2000), get(store, cids.get(i)), "chunk " + i);
        }
        assertEquals("lovelace", store.map("users", String.class, String.class).get("ada"));
    }

    /** On a disk that refuses every modification, with the state left by another process. */
    @Test
    void openReadOnly_whereNothingMayBeWritten_showsAll() throws IOException {
        FaultDisk disk = new FaultDisk();
        Path folder = FaultDisk.ROOT.resolve("data");
        List<Long> cids = new ArrayList<>();
        try (DurableStore durable = DurableStore.open(folder,
            config().platform(Platform.SYSTEM.withDisk(disk)).build())) {
            for (int i = 0; i < 300; i++) {
                cids.add(durable.store().create(content(i, i % 2000)));
            }
            durable.store().map("users", String.class, String.class).put("ada", "lovelace");
            FrozenDisk left = FrozenDisk.of(disk.killed(), FaultDisk.ROOT, disk.boot());
            try (ReadOnlyStore seen = DurableStore.openReadOnly(folder,
                config().platform(Platform.SYSTEM.withDisk(left)).build())) {
                assertEquals(List.of(), seen.damage());
                check(seen.store(), cids);
            }
        }
    }

    /** Has no effect for a user to whom permissions do not apply. */
    @Test
    void openReadOnly_ofAFolderThatMayNotBeWritten_showsAll() throws IOException {
        Path folder = temporary.resolve("data");
        long cid;
        try (DurableStore durable = open()) {
            cid = durable.store().create(content(1, 100));
        }
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.toList();
        }
        for (Path path : all) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(
                Files.isDirectory(path) ? "r-xr-xr-x" : "r--r--r--"));
        }
        try {
            assumeFalse(Files.isWritable(folder.resolve("lock")));
            for (boolean hasLock : new boolean[] {true, false}) {
                try (ReadOnlyStore seen = DurableStore.openReadOnly(folder, config().build())) {
                    assertArrayEquals(content(1, 100), get(seen.store(), cid), "lock " + hasLock);
                }
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
                Files.deleteIfExists(folder.resolve("lock"));
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
            }
        } finally {
            for (Path path : all) {
                if (Files.exists(path)) {
                    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
                }
            }
        }
    }

    /** While a log is open read-only, further readers are allowed, but no writer. */
    @Test
    void openReadOnly_besideAnother_isAllowed() {
        long cid;
        try (DurableStore durable = open()) {
            cid = durable.store().create(content(1, 100));
        }
        List<StoreException> refused = new ArrayList<>();
        try (ReadOnlyStore seen = DurableStore.openReadOnly(temporary.resolve("data"), config().progress(
            (done, total, chunks, ns) -> {
                try (ReadOnlyStore second = DurableStore.openReadOnly(temporary.resolve("data"), config().build())) {
                    assertArrayEquals(content(1, 100), get(second.store(), cid));
                }
                refused.add(assertThrows(StoreException.class, this::open));
            }).build())) {
            assertArrayEquals(content(1, 100), get(seen.store(), cid));
        }
        assertFalse(refused.isEmpty());
        refused.forEach(it -> assertEquals(Category.RETRY, it.category()));
        open().close();
    }

    /** The first segments of the queue are empty, but still present. */
    @Test
    void openReadOnly_looksAtTheFirstElementOfAQueue() {
        try (DurableStore durable = open()) {
            Queue<String> queue = durable.store().queue("queue", Codecs.STRING);
            for (int i = 0; i < 12; i++) {
                queue.add(i + "x".repeat(400));                 // four to a segment
            }
            for (int i = 0; i < 4; i++) {
                queue.remove();
            }
        }
        try (ReadOnlyStore seen = DurableStore.openReadOnly(temporary.resolve("data"), config().build())) {
            Queue<String> queue = seen.store().queue("queue", Codecs.STRING);
            assertEquals("4" + "x".repeat(400), queue.peek());
            assertEquals(queue.iterator().next(), queue.element());
            assertEquals(8, queue.size());
            assertEquals(Category.DEGRADED, assertThrows(StoreException.class, queue::poll).category());
        }
    }

    @Test
    void openReadOnly_ofNothing_isRefusedAndMakesNothing() {
        StoreException refused = assertThrows(StoreException.class,
            () -> DurableStore.openReadOnly(temporary.resolve("none")));
        assertEquals(Category.RETRY, refused.category());
        assertFalse(Files.exists(temporary.resolve("none")));
    }

    /** One flipped bit in a segment: refused with file and offset, shown without one chunk, opened if accepted. */
    @Test
    void damagedSegment_isReported() throws IOException {
        Path folder = temporary.resolve("data");
        List<Long> cids = new ArrayList<>();
        try (DurableStore durable = open()) {
            for (int i = 0; i < 1000; i++) {
                cids.add(durable.store().create(content(i, 100)));
            }
        }
        Path segment;
        try (Stream<Path> files = Files.list(folder.resolve("segments"))) {
            segment = files.findFirst().orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(segment);
        bytes[4096 + 32 + 50] ^= 8;
        Files.write(segment, bytes);
        String name = "segments/" + segment.getFileName();

        StoreException refused = assertThrows(StoreException.class, this::open);
        assertEquals(Category.FATAL, refused.category());
        assertTrue(refused.getMessage().contains(name) && refused.getMessage().contains("offset 4128"),
            refused.getMessage());
        try (ReadOnlyStore seen = DurableStore.openReadOnly(folder, config().build())) {
            checkDamage(seen.damage(), name, seen.store(), cids);
        }
        try (DurableStore durable = DurableStore.open(folder, config().acceptDamage(true).build())) {
            checkDamage(durable.damage(), name, durable.store(), cids);
            durable.store().create(new byte[3]);
        }
        try (DurableStore durable = open()) {
            assertEquals(List.of(), durable.damage(), "it is told once");
            assertEquals(1000, durable.store().stats().chunks());
        }
    }

    /** Two zones that the device refuses to read in part; followed by a kill, a power cut, or a close. */
    @Test
    void damageThatIsAccepted_isToldOnce() throws IOException {
        FaultDisk disk = new FaultDisk();
        Path folder = FaultDisk.ROOT.resolve("data");
        DurableConfig.Builder config = config().platform(Platform.SYSTEM
            .withDisk(disk)).cleanPercent(0).syncIntervalNs(3_600_000_000_000L);
        try (DurableStore durable = DurableStore.open(folder, config.build())) {
            for (int i = 0; i < 1000; i++) {
                durable.store().create(content(i, 100));
                assertEquals(Status.OK, durable.store().ids().createAt(Cid.of(9, 1 + i), content(i, 100)));
            }
        }
        List<String> segments = disk.list(folder.resolve("segments"));
        for (String name : segments) {
            disk.breakAt(folder.resolve("segments").resolve(name), 40_000);
        }
        StoreException refused = assertThrows(StoreException.class, () -> DurableStore.open(folder, config.build()));
        assertEquals(Category.FATAL, refused.category());
        assertTrue(segments.size() == 2 && segments.stream().allMatch(refused.getMessage()::contains)
            && refused.getMessage().contains("it cannot be read: Input/output"), refused.getMessage());
        List<FaultDisk> images = new ArrayList<>();
        long chunks;
        try (DurableStore durable = DurableStore.open(folder, config.acceptDamage(true).build())) {
            assertTrue(durable.damage().size() >= 2, () -> durable.damage().toString());
            chunks = durable.store().stats().chunks();
            assertTrue(chunks > 500 && chunks < 2000, () -> "chunks " + durable.store().stats().chunks());
            images.add(disk.killed());
            images.add(disk.powerCut(Choices.drop()));
        }
        images.add(disk);
        for (FaultDisk image : images) {
            try (DurableStore durable = DurableStore.open(folder,
                config().platform(Platform.SYSTEM.withDisk(image)).build())) {
                assertEquals(chunks, durable.store().stats().chunks(), "image " + images.indexOf(image));
            }
        }
    }

    /**
     * If there is no room for copying the readable part, the store opens nevertheless, and the damage is reported
     * again.
     */
    @Test
    void damageThatIsAccepted_onAFullDisk_isToldAgain() throws IOException {
        FaultDisk disk = new FaultDisk();
        Path folder = FaultDisk.ROOT.resolve("data");
        try (DurableStore durable = DurableStore.open(folder,
            config().platform(Platform.SYSTEM.withDisk(disk)).build())) {
            for (int i = 0; i < 1000; i++) {
                durable.store().create(content(i, 100));
            }
        }
        String segment = disk.list(folder.resolve("segments")).getFirst();
        disk.breakAt(folder.resolve("segments").resolve(segment), 40_000);
        disk.failFrom(FaultDisk.Call.CREATE, 0, FaultDisk.Fault.FULL);
        for (int i = 0; i < 2; i++) {
            try (DurableStore durable = DurableStore.open(folder,
                config().platform(Platform.SYSTEM.withDisk(disk)).acceptDamage(true).build())) {
                assertFalse(durable.damage().isEmpty());
            }
        }
        assertThrows(StoreException.class, () -> DurableStore.open(folder,
            config().platform(Platform.SYSTEM.withDisk(disk)).build()));
    }

    private static void checkDamage(List<DamagedRange> damage, String file, Store store, List<Long> cids) {
        assertEquals(1, damage.size(), damage::toString);
        assertEquals(file, damage.getFirst().file());
        assertEquals(999, store.stats().chunks());
        assertArrayEquals(content(5, 100), get(store, cids.get(5)));
    }
}
