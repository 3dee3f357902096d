package io.teff.recovery.log;

import static io.teff.test.kit.Threads.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.LockedException;
import io.teff.engine.os.Platform;
import io.teff.engine.os.Threads;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.disk.FaultDisk.Fault;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.SegmentId;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.LogClosedException;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFolder;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a log with its thread keeps the records of many threads, over clean restarts and kills, on the machine's disk
 * too; every waiter gets the failure of the disk.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RecoveryLogTest {
    /** Between two calls at which an error is thrown; odd, so that both kinds of errors come. */
    private static final int ERROR_STEP = Form.size(5, 1, 1);

    private static final LogConfig SMALL =
        new LogConfig(1 << 16, 1 << 16, 4096, 1 << 17, 2, 6000, 4096, 3, 20_000_000, 0, 0);

    @TempDir
    private Path temporary;

    private static RecoveryLog open(Disk disk, Path folder) throws IOException {
        return open(disk, folder, SMALL, Threads.SYSTEM);
    }

    private static RecoveryLog open(Disk disk, Path folder, LogConfig config, Threads threads)
        throws IOException {
        return RecoveryLog.open(new LogOptions(Platform.SYSTEM.withDisk(disk).withThreads(threads)
            .withChance(new SplittableRandom(1)::nextLong), folder, config, Ledger.OWNER,
            false, "a test"));
    }

    private static Set<Ledger.Entry> entries(RecoveryLog log) throws IOException {
        Ledger ledger = new Ledger();
        for (ZoneId zone : log.zones()) {
            assertEquals(List.of(), log.read(zone, ledger));
        }
        return new HashSet<>(ledger.entries);
    }

    /** Writes with some threads and syncs now and then; returns the written entries. */
    private static Set<Ledger.Entry> write(RecoveryLog log, int records) throws Exception {
        Set<Ledger.Entry> all = new HashSet<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
            List<Future<List<Ledger.Entry>>> written = new ArrayList<>();
            for (int zone = 0; zone < 3; zone++) {
                long first = (long) Ledger.OWNER << 48 | (long) zone << 20;
                written.add(pool.submit(() -> writeZone(log, first, records)));
            }
            for (Future<List<Ledger.Entry>> one : written) {
                all.addAll(one.get());
            }
        }
        return all;
    }

    private static List<Ledger.Entry> writeZone(RecoveryLog log, long first, int records) {
        SplittableRandom random = new SplittableRandom(first);
        List<Ledger.Entry> written = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            assertTrue(log.buffer().awaitRoom());
            int length = random.nextInt(random.nextInt(50) == 0 ? 5000 : 200);
            long cid = first + random.nextInt(100);
            long position = Ledger.write(log.buffer(), false, cid, length);
            written.add(new Ledger.Entry(cid, position, Ledger.zone(cid), 1, length));
            if (random.nextInt(200) == 0) {
                assertTrue(log.sync());
            }
        }
        return written;
    }

    @Test
    void restarts_onTheMachinesDisk_keepEverything() throws Exception {
        Path folder = temporary.resolve("log");
        Set<Ledger.Entry> written = new HashSet<>();
        for (int round = 0; round < 3; round++) {
            try (RecoveryLog log = open(Disk.SYSTEM, folder)) {
                assertEquals(List.of(), log.damage());
                assertEquals(written, entries(log));
                assertThrows(LockedException.class, () -> open(Disk.SYSTEM, folder));
                written.addAll(write(log, 2000));
            }
        }
        try (RecoveryLog log = open(Disk.SYSTEM, folder)) {
            assertEquals(written, entries(log));
        }
    }

    @Test
    void kill_besideAllThreads_keepsEverything() throws Exception {
        FaultDisk disk = new FaultDisk();
        Path folder = FaultDisk.ROOT.resolve("log");
        RecoveryLog log = open(disk, folder);
        Set<Ledger.Entry> written = write(log, 1000);
        FaultDisk killed = disk.killed();
        try (RecoveryLog again = open(killed, folder)) {
            assertEquals(written, entries(again));
            written.addAll(write(again, 100));
        }
        try (RecoveryLog again = open(killed, folder)) {
            assertEquals(written, entries(again));
        }
        log.close();
    }

    /** There is no waiter, and no buffer is half full. */
    @Test
    void drains_comeByTime() throws Exception {
        FaultDisk disk = new FaultDisk();
        try (RecoveryLog log = open(disk, FaultDisk.ROOT.resolve("log"))) {
            long forces = disk.calls(Call.FORCE);
            Ledger.write(log.buffer(), false, (long) Ledger.OWNER << 48, 10);
            await("a drain", () -> disk.calls(Call.FORCE) > forces && log.buffer().drained() >= log.buffer().tail());
        }
    }

    @Test
    void failureOfASync_reachesWhoWaits() throws Exception {
        FaultDisk disk = new FaultDisk();
        Path folder = FaultDisk.ROOT.resolve("log");
        RecoveryLog log = open(disk, folder);
        Ledger.write(log.buffer(), false, (long) Ledger.OWNER << 48, 10);
        assertTrue(log.sync());
        disk.failFrom(Call.FORCE, 0, Fault.BROKEN);
        Ledger.write(log.buffer(), false, (long) Ledger.OWNER << 48, 11);
        LogClosedException thrown = assertThrows(LogClosedException.class, log::sync);
        assertTrue(String.valueOf(thrown.getMessage()).contains("planned"), thrown.getMessage());
        assertThrows(LogClosedException.class, () -> Ledger.write(log.buffer(), false, 1, 1));
        assertThrows(LogClosedException.class, () -> log.drop(new ZoneId(Ledger.OWNER, 0)));
        assertThrows(IOException.class, log::close);
        disk.heal();
        try (RecoveryLog again = open(disk.killed(), folder)) {
            assertEquals(2, entries(again).size());
        }
    }

    @Test
    void fullDisk_isToldAndCanPass() throws Exception {
        FaultDisk disk = new FaultDisk();
        Path folder = FaultDisk.ROOT.resolve("log");
        RecoveryLog log = open(disk, folder);
        disk.failFrom(Call.WRITE, 0, Fault.FULL);
        Ledger.write(log.buffer(), false, (long) Ledger.OWNER << 48, 11);
        assertFalse(log.sync());
        disk.heal();
        await("a sync", log::sync);
        log.close();
        assertThrows(LogClosedException.class, () -> log.drop(new ZoneId(Ledger.OWNER, 0)));
        try (RecoveryLog again = open(disk, folder)) {
            assertEquals(1, entries(again).size());
        }
    }

    /** Memory is short at any call of the opening, or where its threads are started: the log can be opened again. */
    @Test
    void open_withoutMemory_leavesNoLock() throws Exception {
        Path folder = FaultDisk.ROOT.resolve("log");
        FaultDisk disk = new FaultDisk();
        RecoveryLog left = open(disk, folder);
        write(left, 50);
        FaultDisk killed = disk.killed();
        left.close();
        int failures = 0;
        for (boolean isOpen = false; !isOpen; failures++) {
            FaultDisk image = killed.killed();
            AtomicInteger calls = new AtomicInteger(failures);
            image.beforeEachCall(() -> outOfMemory(calls));
            isOpen = opens(image, folder, Threads.SYSTEM);
            image.beforeEachCall(() -> { });                    // the next opening has memory
            open(image, folder).close();
        }
        assertTrue(failures > 50, "failures " + failures);
        for (int thread = 0; thread < 2; thread++) {
            AtomicInteger threads = new AtomicInteger(thread);
            assertFalse(opens(killed, folder, (name, task) -> {
                outOfMemory(threads);
                return Threads.SYSTEM.create(name, task);
            }));
            open(killed, folder).close();
        }
    }

    private static void outOfMemory(AtomicInteger left) {
        if (left.getAndDecrement() == 0) {
            throw new OutOfMemoryError("planned");
        }
    }

    /** Opens and closes a log; returns whether it could be opened. */
    private static boolean opens(FaultDisk disk, Path folder, Threads threads) throws IOException {
        RecoveryLog log;
        try {
            log = open(disk, folder, SMALL, threads);
        } catch (OutOfMemoryError e) {
            assertEquals("planned", e.getMessage());
            return false;
        }
        disk.beforeEachCall(() -> { });
        log.close();
        return true;
    }

    /** A JVM error at any call of the log's threads is reported, loses nothing, and leaves no lock or thread. */
    @Test
    void error_onTheLogsThreads_isTheEndOfThem() throws Exception {
        LogConfig cleaning = new LogConfig(1 << 14, 1 << 14, 4096, 24_576, 2, 3000, 4096, 2, 1_000_000, 60, 40);
        Path folder = FaultDisk.ROOT.resolve("log");
        int failures = 0;
        int told = 0;
        for (boolean isHit = true; isHit; failures += ERROR_STEP) {
            Error planned = failures % 2 == 0 ? new OutOfMemoryError("planned") : new StackOverflowError("planned");
            FaultDisk disk = new FaultDisk();
            List<Thread> threads = new ArrayList<>();
            RecoveryLog log = open(disk, folder, cleaning, (name, task) -> {
                threads.add(Threads.SYSTEM.create(name, task));
                return threads.getLast();
            });
            AtomicInteger calls = new AtomicInteger(failures);
            disk.beforeEachCall(() -> {
                if (threads.contains(Thread.currentThread()) && calls.getAndDecrement() == 0) {
                    throw planned;
                }
            });
            Map<Long, Long> newest = new HashMap<>();
            told += isFailedBy(log, planned, newest) ? 1 : 0;
            for (Thread thread : threads) {
                thread.join();
            }
            isHit = calls.get() < 0;
            disk.beforeEachCall(() -> { });
            try (RecoveryLog again = open(disk, folder, cleaning, Threads.SYSTEM)) {
                Map<Long, Long> found = new HashMap<>();
                entries(again).forEach(entry -> found.merge(entry.cid(), entry.sequence(), Math::max));
                assertEquals(newest, found, "error at call " + failures);
            }
        }
        assertTrue(told > 30 / ERROR_STEP, "failures " + failures + ", told " + told);
    }

    /** Writes and closes; returns whether that was refused because of the planned error. */
    private static boolean isFailedBy(RecoveryLog log, Error planned, Map<Long, Long> newest) {
        try {
            for (int i = 0; i < 60; i++) {
                long cid = (long) Ledger.OWNER << 48 | i % 7;
                newest.put(cid, Ledger.write(log.buffer(), i % 2 == 0, cid, 700));
                assertTrue(i % 8 != 7 || log.checkpoint());
            }
        } catch (LogClosedException | IOException e) {
            assertSame(planned, log.failure());
            assertSame(planned, e.getCause());
        }
        try {
            log.close();
            return false;
        } catch (IOException e) {
            assertSame(planned, e.getCause());
            assertTrue(e.getMessage().contains(FailureText.of(planned)), e.getMessage());
            return true;
        }
    }

    /** Entries found before a failure do not count as missing in the next zone. */
    @Test
    void read_afterOneThatFailed_tellsItsOwnDamageAlone() throws Exception {
        FaultDisk disk = new FaultDisk();
        Path segments = FaultDisk.ROOT.resolve("log").resolve(LogFolder.SEGMENTS);
        ZoneId damaged = new ZoneId(Ledger.OWNER, 0);
        try (RecoveryLog log = open(disk, FaultDisk.ROOT.resolve("log"))) {
            write(log, 2000);
            assertTrue(log.checkpoint());
            for (String name : disk.list(segments)) {
                if (damaged.equals(Objects.requireNonNull(SegmentId.ofFileName(name)).zoneId())) {
                    try (DiskFile file = disk.open(segments.resolve(name))) {
                        file.write(ByteBuffer.allocate(100), 5000);
                    }
                }
            }
            FailingVisitor failing = new FailingVisitor();
            assertThrows(IllegalStateException.class, () -> log.read(damaged, failing));
            assertEquals(List.of(), log.read(new ZoneId(Ledger.OWNER, 1), new Ledger()));
            assertFalse(log.read(damaged, (cid, sequence, owner, zone, kind, bytes, offset, length) -> { }).isEmpty());
        }
    }

    /** Fails at the end of the second segment. */
    private static final class FailingVisitor implements EntryVisitor {
        private int segments;

        @Override
        public void segment(long bytes) {
            if (++segments == 2) {
                throw new IllegalStateException("planned");
            }
        }

        @Override
        public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                          int length) { }
    }

    /** Callers that share a sync cannot cancel it for each other. */
    @Test
    void syncAsync_thatIsCancelled_isItsCallersOwn() throws Exception {
        try (OpenLog parts = LogScript.open(new FaultDisk(), SMALL)) {
            LaterSyncs later = new LaterSyncs();
            CompletableFuture<Boolean> cancelled = later.add(parts.buffer().tail());
            CompletableFuture<Boolean> other = later.add(parts.buffer().tail());
            assertTrue(cancelled.cancel(true) && !other.isDone());
            later.tell(parts.buffer(), false);
            assertTrue(other.get());
        }
    }

    @Test
    void drop_ofAZone_takesAllOfIt() throws Exception {
        FaultDisk disk = new FaultDisk();
        Path folder = FaultDisk.ROOT.resolve("log");
        try (RecoveryLog log = open(disk, folder)) {
            write(log, 100);
            assertTrue(log.drop(new ZoneId(Ledger.OWNER, 1)));
            assertThrows(IllegalArgumentException.class, () -> log.drop(new ZoneId(Ledger.OWNER, 1)));
            for (FaultDisk image : List.of(disk.killed(), disk.powerCut(Choices.keep()))) {
                try (RecoveryLog again = open(image, folder)) {
                    assertEquals(Set.of(0, 2), new HashSet<>(entries(again).stream().map(Ledger.Entry::zone).toList()));
                }
            }
        }
    }
}
