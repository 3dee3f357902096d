package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.journal.Journal;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.log.DelayedZone;
import io.teff.recovery.log.LogOptions;
import io.teff.recovery.log.RecoveryLog;
import io.teff.recovery.log.file.LogConfig;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: the asynchronous form of the journal reports the same results and exceptions as the waiting form, and never
 * waits.
 */
@Timeout(300)
final class LogJournalTest {
    private static final Path FOLDER = FaultDisk.ROOT.resolve("data");
    private static final long CID = Cid.of(0, 7);
    /** Small, and without a drain unless a thread waits for one. */
    private static final LogConfig CONFIG =
        new LogConfig(1 << 16, 1 << 16, 4096, 1 << 17, 2, 6000, 4096, 3, 100_000_000_000L, 0, 0);

    private final FaultDisk disk = new FaultDisk();

    private RecoveryLog open() throws IOException {
        return RecoveryLog.open(new LogOptions(Platform.SYSTEM.withDisk(disk), FOLDER, CONFIG, 0, false,
            "a test"));
    }

    private static void put(LogJournal journal, byte[] content) {
        journal.begin();
        final long record = journal.claim(1, 1, content.length);
        final long at = journal.entry(record, 0, CID, Journal.PUT, content.length, 0);
        MemorySegment.copy(MemorySegment.ofArray(content), 0, journal.memory(), at, content.length);
        journal.commit(record, false);
    }

    /** Returns the failure passed to the callback, or null. */
    private static RuntimeException reported(LogJournal journal) throws Exception {
        final CompletableFuture<RuntimeException> reported = new CompletableFuture<>();
        journal.whenDone(reported::complete);
        return reported.get(50, TimeUnit.SECONDS);
    }

    @Test
    void whenDone_atLogged_callsBackOnTheCallingThread() throws Exception {
        try (RecoveryLog log = open()) {
            final LogJournal journal = new LogJournal("test", log, Level.LOGGED);
            put(journal, new byte[] {1});
            final Thread[] caller = new Thread[1];
            journal.whenDone(failure -> {
                assertNull(failure);
                caller[0] = Thread.currentThread();
            });
            assertSame(Thread.currentThread(), caller[0]);
        }
    }

    @Test
    void whenDone_atSynced_callsBackWhenTheDeviceHasTheChange() throws Exception {
        try (RecoveryLog log = open()) {
            final LogJournal journal = new LogJournal("test", log, Level.SYNCED);
            for (byte i = 1; i < 20; i++) {
                put(journal, new byte[] {i});
                assertNull(reported(journal));
                try (ReadOnlyStore cut = DurableStore.openReadOnly(FOLDER, DurableConfig.builder()
                    .platform(Platform.SYSTEM.withDisk(disk.powerCut(Choices.drop()))).build())) {
                    final byte[] found = new byte[1];
                    assertEquals(1, cut.store().get(CID, found));
                    assertArrayEquals(new byte[] {i}, found);
                }
            }
        }
    }

    /** Changes of a store on a log, many of which are not yet on the device when the next one is made. */
    @Test
    void whenDone_ofADurableStore_callsBackWhenTheDeviceHasAllChangesBefore() throws Exception {
        try (RecoveryLog log = open()) {
            final LogJournal journal = new LogJournal("test", log, Level.SYNCED);
            final StoreConfig config = StoreConfig.builder().nid(0).memoryLimitBytes(64 << 20).build();
            try (Store store = JournaledStores.open(Store.class, config, UnawaitedJournal.of(journal), _ -> { })) {
                for (int round = 0; round < 10; round++) {
                    final List<Long> cids = new ArrayList<>();
                    final List<CompletableFuture<RuntimeException>> reports = new ArrayList<>();
                    for (int i = 0; i < 20; i++) {
                        cids.add(store.create(new byte[] {(byte) round, (byte) i}));
                        final CompletableFuture<RuntimeException> report = new CompletableFuture<>();
                        journal.whenDone(report::complete);
                        reports.add(report);
                    }
                    final int one = round * 2;
                    assertNull(reports.get(one).get(50, TimeUnit.SECONDS));
                    checkAfterAPowerCut(cids.subList(0, one + 1), round);
                    for (CompletableFuture<RuntimeException> report : reports) {
                        assertNull(report.get(50, TimeUnit.SECONDS));
                    }
                    checkAfterAPowerCut(cids, round);
                }
            }
        }
    }

    private void checkAfterAPowerCut(List<Long> cids, int round) {
        try (ReadOnlyStore cut = DurableStore.openReadOnly(FOLDER, DurableConfig.builder()
            .platform(Platform.SYSTEM.withDisk(disk.powerCut(Choices.drop()))).build())) {
            for (int i = 0; i < cids.size(); i++) {
                final byte[] found = new byte[2];
                assertEquals(2, cut.store().get(cids.get(i), found));
                assertArrayEquals(new byte[] {(byte) round, (byte) i}, found);
            }
        }
    }

    /** A thread that submits changes would outrun the cleaner without limit, as it never waits at the end of one. */
    @Test
    void begin_afterAChangeThatWasSubmitted_waitsForTheCleaner() throws Exception {
        try (RecoveryLog log = open()) {
            final LogJournal journal = new LogJournal("test", log, Level.SYNCED);
            final int[] steps = new int[1];
            DelayedZone.set(log, 0, 0, true);
            final Threads.Running writer = Threads.start("writer", _ -> {
                put(journal, new byte[] {1});
                assertNull(reported(journal));
                steps[0] = 1;
                put(journal, new byte[] {2});
                steps[0] = 2;
            });
            Threads.await("the second change", () -> !writer.thread().isAlive()
                || writer.thread().getState() == Thread.State.WAITING);
            final boolean isAlive = writer.thread().isAlive();
            DelayedZone.set(log, 0, 0, false);
            writer.end();
            assertTrue(isAlive, "the second change did not wait");
            assertEquals(2, steps[0]);
        }
    }

    @Test
    void whenDone_inABlock_leavesTheWaitToTheEndOfTheBlock() throws Exception {
        try (RecoveryLog log = open()) {
            final LogJournal journal = new LogJournal("test", log, Level.LOGGED);
            final boolean[] isCalled = new boolean[1];
            disk.failFrom(FaultDisk.Call.WRITE, 0, FaultDisk.Fault.FULL);
            final StoreException full = assertThrows(StoreException.class, () -> journal.at(Level.SYNCED, () -> {
                put(journal, new byte[] {1});
                journal.whenDone(failure -> isCalled[0] = failure == null);
                assertTrue(isCalled[0]);
                return true;
            }));
            assertTrue(isCalled[0]);
            assertEquals(Category.DEGRADED, full.category());
            disk.heal();
            awaitRoom(new LogJournal("test", log, Level.SYNCED));
            assertEquals(0, log.pendingBytes());
        }
    }

    @Test
    void whenDone_onAFullDisk_reportsDegraded() throws Exception {
        try (RecoveryLog log = open()) {
            final LogJournal journal = new LogJournal("test", log, Level.SYNCED);
            disk.failFrom(FaultDisk.Call.WRITE, 0, FaultDisk.Fault.FULL);
            put(journal, new byte[] {1});
            final StoreException full = assertInstanceOf(StoreException.class, reported(journal));
            assertEquals(Category.DEGRADED, full.category());
            assertTrue(full.getMessage().contains("not yet on the device"), full.getMessage());
            disk.heal();
            awaitRoom(journal);
        }
    }

    /** Waits until the log has retried the writes for which there was no room. */
    private static void awaitRoom(LogJournal journal) throws Exception {
        RuntimeException failure = reported(journal);
        while (failure != null) {
            assertEquals(Category.DEGRADED, assertInstanceOf(StoreException.class, failure).category());
            failure = reported(journal);
        }
    }

    @Test
    void whenDone_onABrokenDisk_reportsFatal() throws Exception {
        final RecoveryLog log = open();
        final LogJournal journal = new LogJournal("test", log, Level.SYNCED);
        disk.failFrom(FaultDisk.Call.WRITE, 0, FaultDisk.Fault.BROKEN);
        put(journal, new byte[] {1});
        final StoreException broken = assertInstanceOf(StoreException.class, reported(journal));
        assertEquals(Category.FATAL, broken.category());
        disk.heal();
        try {
            log.close();
        } catch (IOException _) {
            // the log has failed
        }
    }
}
