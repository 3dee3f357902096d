package io.teff.recovery.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.disk.FaultDisk.Fault;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.log.LogOptions;
import io.teff.recovery.log.RecoveryLog;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Goal: what {@link BackupLog} promises for each call, also on a full, broken or damaged disk, and to many threads. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class BackupLogTest {
    private static final ZoneCopy COPY = new ZoneCopy(7, 1);
    private static final ZoneCopy OTHER = new ZoneCopy(8, 1);
    private static final int RUNS = Form.size(100, 400, 400);
    private static final int EPOCH = 0x8000;                    // numbers are unsigned

    @TempDir
    private Path temporary;

    private static long number(long counter) {
        return TestRun.number(EPOCH, counter);
    }

    private static TestRun.Record put(ZoneCopy copy, long counter, long index, byte... content) {
        return new TestRun.Record(number(counter), List.of(TestRun.put(Cid.of(copy.zone(), index), content)));
    }

    private static boolean append(BackupLog log, ZoneCopy copy, TestRun.Record... records) {
        byte[] bytes = new TestRun(copy.zone(), List.of(records)).bytes();
        return log.append(copy, MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    private static void workAll(BackupLog log) {
        int done = log.work();
        while (done > 0) {
            done = log.work();
        }
    }

    private static Map<Long, Chunks.State> read(BackupLog log, ZoneCopy copy, int threads) {
        Chunks chunks = new Chunks();
        log.read(copy, threads, chunks);
        return chunks.byIndex;
    }

    // ---- memory ----

    /**
     * A copy that is hardly written holds some pages outside of the heap. With a block of 128 KiB for each it would be
     * more than 128 MiB.
     */
    @Test
    void append_toAThousandCopies_takesAFewMebibytes() {
        FaultDisk disk = new FaultDisk();
        BackupConfig config = BackupConfig.builder().ownThreads(false).openThreads(1).writeBufferBytes(1 << 20)
            .platform(Platform.SYSTEM.withDisk(disk)).build();
        try (BackupLog log = BackupLog.open(BackupScript.FOLDER, config)) {
            for (int zone = 1; zone <= 1_000; zone++) {
                ZoneCopy copy = new ZoneCopy(zone, 1);
                assertTrue(append(log, copy, put(copy, 1, 1, new byte[100])));
                if (zone % 100 == 0) {
                    workAll(log);
                }
            }
            assertEquals(1_000, log.stats().copies());
            assertTrue(log.stats().blockBytes() <= 5L << 20, () -> log.stats().blockBytes() + " bytes");
            for (int zone = 1; zone <= 1_000; zone++) {
                log.drop(new ZoneCopy(zone, 1));
            }
            workAll(log);
            ZoneCopy next = new ZoneCopy(1, 2);
            assertTrue(append(log, next, put(next, 1, 1, new byte[100])));
            workAll(log);
            assertTrue(log.stats().blockBytes() <= 5L << 20, () -> log.stats().blockBytes() + " bytes");
        }
    }

    /** While the disk is full no zone can give its buffer to another one: then appends are refused. */
    @Test
    void append_toManyCopiesOnAFullDisk_isRefusedAndTakesNoMoreMemory() {
        FaultDisk disk = new FaultDisk();
        try (BackupLog log = BackupScript.open(disk)) {
            long bytes = log.stats().blockBytes();
            int zone = 1;
            while (zone < 10_000) {
                if (zone == 20) {
                    disk.fillUp(0);
                }
                ZoneCopy copy = new ZoneCopy(zone, 1);
                if (!append(log, copy, put(copy, 1, 1, new byte[100]))) {
                    break;
                }
                zone++;
                workAll(log);
            }
            assertTrue(zone < 10_000, "nothing was refused");
            assertEquals(2L * BackupScript.SIZES.blockBytes(), log.stats().blockBytes() - bytes);
            disk.limit(Long.MAX_VALUE);
            workAll(log);
            for (int known = 1; known < zone; known++) {
                ZoneCopy copy = new ZoneCopy(known, 1);
                assertEquals(1, read(log, copy, 1).size());
            }
        }
    }

    /** A read moves what was appended last to segments. No append need follow, whose drain would find the failure. */
    @Test
    void read_whoseSyncIsRefused_failsTheLog() {
        FaultDisk disk = new FaultDisk();
        try (BackupLog log = BackupScript.open(disk)) {
            assertTrue(append(log, COPY, put(COPY, 1, 1)));
            workAll(log);
            assertNull(log.failure());
            disk.fail(Call.FORCE, 0, Fault.BROKEN);
            assertThrows(StoreException.class, () -> read(log, COPY, 1));
            log.work();
            assertNotNull(log.failure());
        } catch (StoreException e) {
            assertEquals(Category.RETRY, e.category());         // it was not closed
        }
    }

    // ---- what is refused ----

    @Test
    void append_ofWhatDoesNotFollow_isRefused() {
        FaultDisk disk = new FaultDisk();
        try (BackupLog log = BackupScript.open(disk)) {
            assertTrue(append(log, COPY, put(COPY, 5, 1), put(COPY, 6, 1)));
            assertEquals(number(6), log.logged(COPY));
            assertThrows(IllegalArgumentException.class, () -> append(log, COPY, put(COPY, 8, 1)));
            assertThrows(IllegalArgumentException.class, () -> append(log, COPY, put(OTHER, 7, 1)));
            assertThrows(IllegalArgumentException.class, () -> append(log, COPY,
                new TestRun.Record(TestRun.number(1, 7), List.of())));
            assertThrows(IllegalArgumentException.class, () -> log.append(COPY, MemorySegment.ofArray(new byte[8]), 0,
                8));
            assertThrows(IllegalArgumentException.class, () -> append(log, COPY, put(COPY, 7, 1, new byte[5000])));
            assertTrue(append(log, COPY, put(COPY, 5, 2), put(COPY, 6, 2)), "it has them already");
            assertTrue(append(log, COPY, put(COPY, 6, 2), put(COPY, 7, 3)));
            assertEquals(number(7), log.logged(COPY));
            assertEquals(Map.of(COPY, number(7)), log.copies());
            assertEquals(2, read(log, COPY, 1).size());
            assertThrows(IllegalArgumentException.class, () -> log.read(OTHER, 1, new Chunks()));
            assertThrows(IllegalArgumentException.class, () -> log.tail(OTHER, 0, (_, _, _) -> { }));
            assertThrows(IllegalArgumentException.class, () -> log.whenSynced(COPY, number(8), _ -> { }));
            assertEquals(0, log.logged(OTHER));
            assertEquals(0, log.synced(OTHER));
        }
    }

    @Test
    void append_ofTheLongestRun_fits() {
        FaultDisk disk = new FaultDisk();
        BackupConfig config = BackupConfig.builder().platform(Platform.SYSTEM.withDisk(disk).withChance(() -> 5))
            .writeBufferBytes(1 << 24).ownThreads(false).build();
        try (BackupLog log = BackupLog.open(BackupScript.FOLDER, config)) {
            assertTrue(append(log, COPY, put(COPY, 1, 1, new byte[1 << 20])));
            TestRun.Record[] small = new TestRun.Record[RunWriter.RUN_BYTES_MAX / 16];
            for (int i = 0; i < small.length; i++) {
                small[i] = new TestRun.Record(number(2 + i), List.of());
            }
            assertTrue(append(log, COPY, small));
            assertEquals(number(1 + small.length), log.logged(COPY));
            List<Long> lengths = new ArrayList<>();
            assertTrue(log.tail(COPY, 0, (bytes, offset, length) -> {
                assertEquals(null, new RunReader().check(bytes, offset, length, COPY.zone()));
                lengths.add(length);
            }));
            assertEquals(2L * (1 << 20) + (1 << 16) + 40, lengths.stream().mapToLong(it -> it).sum());
            assertEquals(1, read(log, COPY, 1).size());
        }
    }

    @Test
    void drop_ofACopy_refusesItAndEarlierOnes() throws IOException {
        FaultDisk disk = new FaultDisk();
        ZoneCopy later = new ZoneCopy(COPY.zone(), 3);
        try (BackupLog log = BackupScript.open(disk)) {
            assertTrue(append(log, COPY, put(COPY, 1, 1)) && append(log, later, put(COPY, 1, 2)));
            assertTrue(append(log, OTHER, put(OTHER, 1, 1)));
            workAll(log);
            log.drop(new ZoneCopy(COPY.zone(), 2));
            assertEquals(Map.of(later, number(1), OTHER, number(1)), log.copies());
            assertThrows(IllegalArgumentException.class, () -> append(log, COPY, put(COPY, 2, 1)));
            assertThrows(IllegalArgumentException.class, () -> log.read(COPY, 1, new Chunks()));
            workAll(log);
        }
        try (BackupLog log = BackupScript.open(disk)) {
            assertEquals(Map.of(later, number(1), OTHER, number(1)), log.copies());
            for (int copy = 0; copy < 3; copy++) {
                ZoneCopy gone = new ZoneCopy(COPY.zone(), copy);
                assertThrows(IllegalArgumentException.class, () -> append(log, gone, put(COPY, 1, 1)));
            }
            log.drop(later);
            log.drop(OTHER);
        }
        assertEquals(List.of(), disk.list(BackupScript.FOLDER.resolve("segments")));
    }

    @Test
    void open_ofTheLogOfAStore_isRefused() throws IOException {
        FaultDisk disk = new FaultDisk();
        LogOptions store = new LogOptions(Platform.SYSTEM.withDisk(disk).withChance(() -> 5), BackupScript.FOLDER,
            BackupScript.SIZES, 7, false, "a test");
        RecoveryLog.open(store).close();
        StoreException thrown = assertThrows(StoreException.class, () -> BackupScript.open(disk));
        assertTrue(String.valueOf(thrown.getMessage()).contains("log of a store"), thrown::toString);
        FaultDisk second = new FaultDisk();
        BackupScript.open(second).close();
        assertThrows(IOException.class, () -> RecoveryLog.open(new LogOptions(
            Platform.SYSTEM.withDisk(second).withChance(() -> 5), BackupScript.FOLDER, BackupScript.SIZES, 7, false,
            "a test")));
        BackupScript.open(second).close();
    }

    // ---- numbers that no entry has ----

    @Test
    void last_ofRecordsWithoutAnEntryOfTheirNumber_isKept() {
        FaultDisk disk = new FaultDisk();
        long cid = Cid.of(COPY.zone(), 4);
        try (BackupLog log = BackupScript.open(disk)) {
            assertTrue(append(log, COPY, put(COPY, 1, 4), new TestRun.Record(number(2),
                List.of(TestRun.removed(cid, number(1)))), new TestRun.Record(number(3), List.of())));
            assertTrue(append(log, OTHER, new TestRun.Record(number(1), List.of())));
        }
        for (int round = 0; round < 3; round++) {
            FaultDisk left = disk.killed();
            for (FaultDisk each : List.of(disk, left)) {
                try (BackupLog log = BackupScript.open(each)) {
                    assertEquals(Map.of(COPY, number(3), OTHER, number(1)), log.copies());
                    assertEquals(EntryKind.REMOVED, read(log, COPY, 1).get(cid).kind());
                    assertEquals(Map.of(), read(log, OTHER, 1));
                }
            }
        }
    }

    // ---- full and broken disks ----

    @Test
    void append_whileTheDiskIsFull_isRefusedWhenTheBufferIsAndNeverWaits() {
        FaultDisk disk = new FaultDisk();
        try (BackupLog log = BackupScript.open(disk)) {
            assertTrue(append(log, COPY, put(COPY, 1, 1)));
            workAll(log);
            disk.failFrom(Call.WRITE, 0, Fault.FULL);
            AtomicBoolean isSynced = new AtomicBoolean();
            long counter = 2;
            for (; append(log, COPY, put(COPY, counter, 1, new byte[200])); counter++) {
                log.work();
            }
            long last = number(counter - 1);
            assertTrue(counter > 30, "the write buffer has room");
            assertEquals(last, log.logged(COPY));
            log.whenSynced(COPY, last, failure -> isSynced.set(failure == null));
            log.work();
            assertTrue(log.stats().isFull() && log.stats().refusedForRoom() > 0);
            assertFalse(isSynced.get());
            assertEquals(number(1), log.synced(COPY));
            StoreException thrown = assertThrows(StoreException.class, () -> log.read(COPY, 1, new Chunks()));
            assertEquals(Category.DEGRADED, thrown.category());
            disk.heal();
            workAll(log);
            assertTrue(isSynced.get());
            assertEquals(last, log.synced(COPY));
            assertTrue(append(log, COPY, put(COPY, counter, 1, new byte[200])));
            assertEquals(200, read(log, COPY, 1).get(Cid.of(COPY.zone(), 1)).content().remaining());
        }
    }

    @Test
    void whenSynced_onABrokenDisk_says() {
        FaultDisk disk = new FaultDisk();
        BackupLog log = BackupScript.open(disk);
        assertTrue(append(log, COPY, put(COPY, 1, 1)));
        List<RuntimeException> failures = new ArrayList<>();
        log.whenSynced(COPY, number(1), failures::add);
        disk.fail(Call.FORCE, 0, Fault.BROKEN);
        log.work();
        assertEquals(1, failures.size());
        assertEquals(Category.FATAL, ((StoreException) failures.getFirst()).category());
        assertNotNull(log.failure());
        assertEquals(Category.FATAL, assertThrows(StoreException.class,
            () -> append(log, COPY, put(COPY, 2, 1))).category());
        log.whenSynced(COPY, number(1), failures::add);
        assertEquals(2, failures.size());
        assertThrows(StoreException.class, log::close);
    }

    @Test
    void close_callsBackEveryone() {
        FaultDisk disk = new FaultDisk();
        BackupLog log = BackupScript.open(disk);
        assertTrue(append(log, COPY, put(COPY, 1, 1)));
        List<Boolean> done = new ArrayList<>();
        log.whenSynced(COPY, number(1), failure -> done.add(failure == null));
        log.close();
        assertEquals(List.of(true), done);
        assertThrows(StoreException.class, () -> append(log, COPY, put(COPY, 2, 1)));
        assertEquals(0, log.work());
        log.close();
    }

    @Test
    void read_ofADamagedCopy_saysSoAndOthersAreRead() throws IOException {
        FaultDisk disk = new FaultDisk();
        try (BackupLog log = BackupScript.open(disk)) {
            assertTrue(append(log, COPY, put(COPY, 1, 1, new byte[100])));
            assertTrue(append(log, OTHER, put(OTHER, 1, 1, new byte[100])));
        }
        String segment = disk.list(BackupScript.FOLDER.resolve("segments")).stream().filter(it -> it.startsWith("0007"))
            .findFirst().orElseThrow();
        try (DiskFile file = disk.open(BackupScript.FOLDER.resolve("segments").resolve(segment))) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 4096 + 60);
        }
        try (BackupLog log = BackupScript.open(disk)) {
            assertEquals(Set.of(COPY), log.damage().keySet());
            assertEquals(Category.FATAL, assertThrows(StoreException.class,
                () -> log.read(COPY, 1, new Chunks())).category());
            assertEquals(1, read(log, OTHER, 1).size());
            assertEquals(Category.FATAL, assertThrows(StoreException.class,
                () -> append(log, COPY, put(COPY, 2, 1))).category());
            log.drop(COPY);
            assertEquals(Map.of(), log.damage());
        }
        try (BackupLog log = BackupScript.open(disk)) {
            assertEquals(Map.of(), log.damage());
            assertEquals(Set.of(OTHER), log.copies().keySet());
        }
    }

    // ---- cleaning ----

    /** Many times the size of the content is written; the folder stays small, and the newest content is there. */
    @Test
    void turnover_leavesASmallFolder() throws IOException {
        FaultDisk disk = new FaultDisk();
        long counter = 0;
        SplittableRandom random = new SplittableRandom(3);
        Map<Long, Byte> model = new HashMap<>();
        for (int session = 0; session < 4; session++) {
            try (BackupLog log = BackupScript.open(disk)) {
                for (int i = 0; i < 3000; i++) {
                    long index = random.nextInt(60);
                    byte[] content = new byte[100];
                    content[0] = (byte) random.nextInt();
                    counter++;
                    while (!append(log, COPY, put(COPY, counter, index, content))) {
                        log.work();
                    }
                    model.put(Cid.of(COPY.zone(), index), content[0]);
                    if (i % 40 == 0) {
                        log.work();
                    }
                }
                workAll(log);
                int segments = disk.list(BackupScript.FOLDER.resolve("segments")).size();
                assertTrue(segments <= 8, () -> segments + " segments of 16 KiB for 6 KB");
                assertTrue(log.stats().cleanings() > 5);
                log.audit();
                Map<Long, Byte> found = new HashMap<>();
                read(log, COPY, 1).forEach((index, state) -> found.put(index, state.content().get(0)));
                assertEquals(model, found);
            }
        }
    }

    /** A reading drains, but does not clean: so the copy must be cleaned before it takes more. */
    @Test
    void append_toACopyThatMustBeCleaned_isRefusedUntilItIs() {
        FaultDisk disk = new FaultDisk();
        try (BackupLog log = BackupScript.open(disk)) {
            assertTrue(append(log, OTHER, put(OTHER, 1, 1)));
            boolean isRefused = false;
            long counter = 0;
            while (!isRefused) {
                counter++;
                isRefused = !append(log, COPY, put(COPY, counter, 1, new byte[1000]));
                if (!isRefused && counter % 4 == 0) {
                    assertEquals(1, read(log, COPY, 1).size());
                }
                assertTrue(counter < 1000, "nothing is refused");
            }
            assertEquals(1, log.stats().refusedForCleaning());
            assertEquals(0, log.stats().refusedForRoom());
            assertTrue(append(log, OTHER, put(OTHER, 2, 1)), "others need not wait");
            workAll(log);
            assertTrue(append(log, COPY, put(COPY, counter, 1, new byte[1000])));
        }
    }

    // ---- many threads ----

    /** Each thread appends to copies of its own, asks for syncs and reads, while all are cleaned; one drops copies. */
    @Test
    void manyThreads_findTheirCopies() throws Exception {
        BackupConfig config = BackupConfig.builder().writeBufferBytes(1 << 18).segmentBytes(1 << 17)
            .syncIntervalNs(5_000_000).platform(Platform.SYSTEM).nid(99).build();
        Path folder = temporary.resolve("log");
        Map<ZoneCopy, List<TestRun.Record>> all = new HashMap<>();
        for (int round = 0; round < 2; round++) {
            try (BackupLog log = BackupLog.open(folder, config)) {
                try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
                    List<Future<?>> threads = new ArrayList<>();
                    for (int zone = 1; zone <= 3; zone++) {
                        ZoneCopy copy = new ZoneCopy(zone, 1);
                        List<TestRun.Record> records = all.computeIfAbsent(copy, _ -> new ArrayList<>());
                        threads.add(pool.submit(() -> use(log, copy, records)));
                    }
                    for (Future<?> thread : threads) {
                        thread.get();
                    }
                }
                assertEquals(all.keySet(), log.copies().keySet());
                log.audit();
            }
        }
        try (BackupLog log = BackupLog.open(folder, config)) {
            all.forEach((copy, records) -> assertEquals(Chunks.after(records, log.logged(copy)), read(log, copy, 2)));
        }
    }

    private static void use(BackupLog log, ZoneCopy copy, List<TestRun.Record> records) {
        SplittableRandom random = new SplittableRandom(copy.zone() + records.size());
        AtomicBoolean isFailed = new AtomicBoolean();
        for (int i = 0; i < RUNS; i++) {
            TestRun run = TestRun.random(random, copy.zone(), number(records.size() + 1L), 1 + random.nextInt(20), 200);
            TestRun small = new TestRun(copy.zone(), run.records().stream().map(record ->
                new TestRun.Record(record.number(), record.entries().stream().map(entry -> new TestRun.Entry(
                    Cid.of(copy.zone(), Cid.index(entry.cid()) % 50 + (Cid.index(entry.cid()) % 2 << 20)),
                    entry.kind(), entry.content(), entry.number())).toList())).toList());
            byte[] bytes = small.bytes();
            Threads.await("room", () -> log.append(copy, MemorySegment.ofArray(bytes), 0, bytes.length));
            records.addAll(small.records());
            if (random.nextInt(10) == 0) {
                log.whenSynced(copy, small.last(), failure -> isFailed.compareAndSet(false, failure != null));
            }
            if (random.nextInt(40) == 0) {
                assertEquals(Chunks.after(records, small.last()), read(log, copy, 1 + random.nextInt(2)));
            }
            if (random.nextInt(40) == 0) {
                ZoneCopy other = new ZoneCopy(copy.zone() + 100, records.size());
                log.append(other, MemorySegment.ofArray(new TestRun(other.zone(), List.of(put(other, 1, i))).bytes()),
                    0, 40);
                log.drop(other);
            }
        }
        assertFalse(isFailed.get());
    }
}
