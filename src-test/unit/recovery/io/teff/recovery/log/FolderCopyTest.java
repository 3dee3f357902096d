package io.teff.recovery.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.LockedException;
import io.teff.engine.os.Platform;
import io.teff.engine.report.Progress;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.disk.FaultDisk.Fault;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.copy.Copied;
import io.teff.recovery.log.file.DamagedLogException;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.read.LogReader;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: a copy of an open log has everything that was committed before, or there is none. Method: the disk fails, is
 * full, or is left by a killed process or a power cut at each call of the copying in turn.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FolderCopyTest {
    private static final int CALL_STEP = Form.size(3, 1, 1);
    private static final long CID = (long) Ledger.OWNER << 48;
    private static final Path TARGET = FaultDisk.ROOT.resolve("copy");
    private static final long DRAIN_NS = 20_000_000;
    private static final String UNFINISHED = "copy.unfinished";

    private static RecoveryLog open(Disk disk, Path folder) throws IOException {
        return open(disk, folder, 0);
    }

    private static RecoveryLog open(Disk disk, Path folder, int cleanPercent) throws IOException {
        LogConfig config =
            new LogConfig(1 << 14, 1 << 15, 4096, 24_576, 2, 3000, 4096, 2, DRAIN_NS, cleanPercent, 0);
        return RecoveryLog.open(new LogOptions(Platform.SYSTEM.withDisk(disk).withChance(() -> 77), folder, config,
            Ledger.OWNER, false, "a test"));
    }

    /** Writes records of several zones, some of which are not drained. */
    private static Set<Ledger.Entry> write(RecoveryLog log) {
        Set<Ledger.Entry> written = new HashSet<>();
        for (int i = 0; i < 60; i++) {
            long cid = CID + (i % 3 << 20) + i % 7;
            assertTrue(log.buffer().awaitRoom());
            long position = Ledger.write(log.buffer(), i % 4 == 0, cid, 300 + i);
            written.add(new Ledger.Entry(cid, position, Ledger.zone(cid), 1, 300 + i));
        }
        return written;
    }

    private static Set<Ledger.Entry> read(Disk disk, Path folder) throws IOException {
        Ledger ledger = new Ledger();
        try (LogReader reader = LogReader.open(disk, folder, "a reader")) {
            assertEquals(LogReader.Ending.CLOSED, reader.ending());
            assertEquals(List.of(), reader.damage());
            for (ZoneId zone : reader.zones()) {
                assertEquals(List.of(), reader.read(zone, ledger));
            }
        }
        return new HashSet<>(ledger.entries);
    }

    private static void assertNothingLeft(Disk disk) throws IOException {
        assertEquals(List.of("log"), disk.list(FaultDisk.ROOT));
    }

    @Test
    void copyTo_hasEverythingCommittedBefore_andOpensAsALogOfItsOwn() throws IOException {
        for (boolean links : new boolean[] {true, false}) {
            FaultDisk disk = new FaultDisk();
            if (!links) {
                disk.refuseLinks();
            }
            try (RecoveryLog log = open(disk, LogScript.FOLDER)) {
                Set<Ledger.Entry> written = write(log);
                Copied copied = log.copyTo(TARGET, "a test", Progress.NONE);
                assertEquals(links ? copied.bytes() : 0, copied.linkedBytes());
                assertEquals(written, read(disk, TARGET));
                Set<Ledger.Entry> more = write(log);
                assertEquals(written, read(disk, TARGET));
                try (RecoveryLog other = open(disk, TARGET)) {
                    assertEquals(List.of(), other.damage());
                    written.addAll(write(other));
                }
                assertTrue(read(disk, TARGET).containsAll(written));
                more.removeAll(written);
                assertFalse(more.isEmpty());
            }
            assertTrue(disk.list(TARGET).contains(LogFolder.BUFFER));
        }
    }

    @Test
    void copyTo_whileSegmentsAreReplaced_keepsThem() throws IOException {
        FaultDisk disk = new FaultDisk();
        disk.refuseLinks();
        try (RecoveryLog log = open(disk, LogScript.FOLDER, 60)) {
            Set<Ledger.Entry> written = Set.copyOf(write(log));
            log.endReading();
            AtomicReference<Set<Ledger.Entry>> later = new AtomicReference<>(Set.of());
            log.copyTo(TARGET, "a test", (done, _) -> {
                if (done == 0) {
                    for (int i = 0; i < 20; i++) {
                        later.set(write(log));
                        assertTrue(log.sync());
                    }
                    awaitCleaning(log);
                }
            });
            // the cleaner may have dropped outdated entries before
            assertEquals(newest(written), newest(read(disk, TARGET)));
        }
    }

    private static Map<Long, Ledger.Entry> newest(Set<Ledger.Entry> entries) {
        Map<Long, Ledger.Entry> newest = new HashMap<>();
        entries.forEach(entry -> newest.merge(entry.cid(), entry,
            (old, other) -> other.sequence() > old.sequence() ? other : old));
        return newest;
    }

    private static void awaitCleaning(RecoveryLog log) {
        try {
            while (log.stats().cleanings() == 0) {
                write(log);
                assertTrue(log.checkpoint());
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // ---- failures ----

    @Test
    void copyTo_badTarget_isRefusedAndChangesNothing() throws IOException {
        FaultDisk disk = new FaultDisk();
        try (RecoveryLog log = open(disk, LogScript.FOLDER)) {
            for (String target : List.of("/log", "/log/copy", "/log/segments", "/no/copy", "/", "/log/..", "/a/.")) {
                IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () ->
                    log.copyTo(Path.of(target), "a test", Progress.NONE), target);
                assertTrue(String.valueOf(e.getMessage()).startsWith("target=" + target + " "), e::getMessage);
            }
            disk.createFolders(FaultDisk.ROOT.resolve(UNFINISHED));
            Path mine = FaultDisk.ROOT.resolve(UNFINISHED).resolve("letters.txt");
            disk.create(mine, 9).close();
            assertThrows(IllegalArgumentException.class, () -> log.copyTo(TARGET, "a test", Progress.NONE));
            assertEquals(List.of("letters.txt"), disk.list(FaultDisk.ROOT.resolve(UNFINISHED)));
            disk.delete(mine);
            disk.lock(FaultDisk.ROOT.resolve(UNFINISHED).resolve(LogFolder.LOCK), "another backup");
            LockedException e = assertThrows(LockedException.class, () ->
                log.copyTo(TARGET, "a test", Progress.NONE));
            assertTrue(String.valueOf(e.getMessage()).contains("another backup"), e::getMessage);
        }
    }

    @Test
    @FullTier("7 s. copyTo_killedAtAnyCall_isCompleteOrUnfinished ends copies at one of three of the same calls.")
    void copyTo_failsAtAnyCall_leavesNothingAndTheLogUsable() throws IOException {
        for (Fault fault : Fault.values()) {
            for (Call call : List.of(Call.CREATE, Call.LINK, Call.WRITE, Call.FORCE, Call.FORCE_FOLDER, Call.RENAME,
                Call.READ, Call.OPEN, Call.FOLDERS, Call.LOCK, Call.USABLE, Call.LIST)) {
                assertTrue(failEach(fault, call) > 0, call + " " + fault);
            }
        }
    }

    /** Returns the number of copies that have failed. */
    private static int failEach(Fault fault, Call call) throws IOException {
        int failures = 0;
        for (int n = 0; n < 400; n++) {
            FaultDisk disk = new FaultDisk();
            if (n % 2 == 1) {
                disk.refuseLinks();
            }
            try (RecoveryLog log = open(disk, LogScript.FOLDER)) {
                Set<Ledger.Entry> written = write(log);
                assertTrue(log.checkpoint());
                int nth = n / 2;
                boolean isOver = false;
                boolean isAtBegin = call == Call.FOLDERS || call == Call.LOCK;
                if (isAtBegin) {
                    disk.fail(call, nth, fault);
                }
                try {
                    log.copyTo(TARGET, "a test", (done, _) -> {
                        if (done == 0 && !isAtBegin) {
                            disk.fail(call, nth, fault);
                        }
                    });
                    isOver = true;
                } catch (IOException _) {
                    failures++;
                }
                disk.heal();
                if (isOver) {
                    assertEquals(written, read(disk, TARGET));
                } else if (!disk.list(FaultDisk.ROOT).equals(List.of("log"))) {
                    assertEquals(List.of(UNFINISHED, "log"), disk.list(FaultDisk.ROOT), call + " " + nth);
                    assertTrue(call == Call.LIST || isAtBegin); // the second failure: nothing could be deleted
                }
                if (!isOver) {
                    log.copyTo(TARGET, "a test", Progress.NONE);
                    assertEquals(written, read(disk, TARGET));
                } else if (n % 2 == 1) {
                    return failures;
                }
            }
        }
        throw new AssertionError("too few tries for all calls of " + call);
    }

    @Test
    void copyTo_exceptionOfTheProgress_endsItAndLeavesNothing() throws IOException {
        FaultDisk disk = new FaultDisk();
        try (RecoveryLog log = open(disk, LogScript.FOLDER)) {
            write(log);
            for (int n = 0; n < 8; n++) {
                int[] calls = {n};
                assertThrows(IllegalStateException.class, () -> log.copyTo(TARGET, "a test", (_, _) -> {
                    if (calls[0]-- == 0) {
                        throw new IllegalStateException("enough");
                    }
                }));
                assertNothingLeft(disk);
            }
        }
    }

    @Test
    void copyTo_damagedOrMissingSegment_isRefused() throws IOException {
        for (boolean isMissing : new boolean[] {true, false}) {
            FaultDisk disk = new FaultDisk();
            try (RecoveryLog log = open(disk, LogScript.FOLDER)) {
                write(log);
                assertTrue(log.checkpoint());
                Path segments = LogScript.FOLDER.resolve(LogFolder.SEGMENTS);
                Path segment = segments.resolve(disk.list(segments).getFirst());
                if (isMissing) {
                    disk.delete(segment);
                } else {
                    try (DiskFile file = disk.open(segment)) {
                        file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 4200);
                    }
                }
                DamagedLogException e = assertThrows(DamagedLogException.class, () ->
                    log.copyTo(TARGET, "a test", Progress.NONE));
                assertTrue(e.damage().getFirst().file().endsWith(segment.getFileName().toString()), e::getMessage);
                assertNothingLeft(disk);
            }
        }
    }

    @Test
    void copyTo_fullSource_isRefused() throws IOException {
        FaultDisk disk = new FaultDisk();
        try (RecoveryLog log = open(disk, LogScript.FOLDER)) {
            Set<Ledger.Entry> written = write(log);
            disk.failFrom(Call.WRITE, 0, Fault.FULL);
            disk.failFrom(Call.CREATE, 0, Fault.FULL);
            assertThrows(DiskFullException.class, () -> log.copyTo(TARGET, "a test", Progress.NONE));
            disk.heal();
            assertNothingLeft(disk);
            Threads.await("a sync", log::sync);                 // a full disk is tried again at the next interval
            log.copyTo(TARGET, "a test", Progress.NONE);
            assertEquals(written, read(disk, TARGET));
        }
    }

    // ---- crashes ----

    /** Whatever a kill or a power cut leaves under the final name is complete; the next copy replaces the rest. */
    @Test
    void copyTo_killedAtAnyCall_isCompleteOrUnfinished() throws IOException {
        for (boolean links : new boolean[] {true, false}) {
            int complete = 0;
            int unfinished = 0;
            List<FaultDisk> images = new ArrayList<>();
            for (int n = 0; n == 0 || !images.isEmpty(); n += CALL_STEP) {
                images.clear();
                Set<Ledger.Entry> written = copyAndCrash(links, n, images);
                for (FaultDisk image : images) {
                    List<String> names = image.list(FaultDisk.ROOT);
                    complete += names.contains("copy") ? 1 : 0;
                    unfinished += names.contains(UNFINISHED) ? 1 : 0;
                    if (!names.contains("copy")) {
                        try (RecoveryLog log = open(image, LogScript.FOLDER)) {
                            log.copyTo(TARGET, "a test", Progress.NONE);
                        }
                    }
                    assertEquals(List.of("copy", "log"), image.list(FaultDisk.ROOT));
                    assertEquals(written, read(image, TARGET));
                }
            }
            assertTrue(complete > 0 && unfinished > 20 / CALL_STEP, complete + " " + unfinished);
        }
    }

    /** Copies a log, and adds what crashes leave before the n-th call of that; nothing if there are fewer calls. */
    private static Set<Ledger.Entry> copyAndCrash(boolean links, int n, List<FaultDisk> images) throws IOException {
        FaultDisk disk = new FaultDisk();
        if (!links) {
            disk.refuseLinks();
        }
        int[] calls = {n};
        try (RecoveryLog log = open(disk, LogScript.FOLDER)) {
            Set<Ledger.Entry> written = write(log);
            assertTrue(log.checkpoint());
            log.copyTo(TARGET, "a test", (done, _) -> {
                if (done == 0) {
                    disk.beforeEachCall(() -> {
                        if (calls[0]-- == 0) {
                            images.addAll(List.of(disk.killed(), disk.powerCut(Choices.random(n)),
                                disk.powerCut(Choices.drop())));
                        }
                    });
                }
            });
            if (calls[0]-- == 0) {                              // the copy is acknowledged
                images.add(disk.powerCut(Choices.drop()));
                assertTrue(images.getLast().list(FaultDisk.ROOT).contains("copy"));
            }
            disk.beforeEachCall(() -> { });
            return written;
        }
    }
}
