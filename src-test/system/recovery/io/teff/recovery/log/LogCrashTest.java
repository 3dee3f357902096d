package io.teff.recovery.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.disk.FaultDisk.Fault;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.ManifestFile;
import io.teff.recovery.log.file.NumberedFiles;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: whatever happens to a log, when it is opened again it has what was acknowledged: all committed records after a
 * kill, all synced ones after a power cut; nothing that was never written; groups as a whole; and positions above all
 * used ones. Also when the crash occurs during the opening.
 *
 * <p>Method: a script of records, holes, drains and restarts; an image before each call to the disk, which is opened
 * and read, and for some images the script continues; each call made to fail in turn.
 */
@Tag("system")
final class LogCrashTest {
    private static final int STEPS = Form.size(100, 150);
    /** Of this number of images, two are opened. */
    private static final int OPENED_OF = Form.size(1201, 101);
    /** Images are taken before one of so many calls to the disk. */
    private static final int IMAGES_OF = Form.size(97, 5, 1);
    /** Each of the first calls of a kind fails, later ones more rarely. */
    private static final int FAILURES = Form.size(15, 100);

    private static final int FULL_DISKS = Form.size(15, 40);

    static final LogConfig CLEANING = new LogConfig(1 << 14, 1 << 14, 4096, 24_576, 2, 3000, 4096, 2, 1, 60, 40);

    private static LogConfig config(int skipBytes) {
        LogConfig it = LogScript.CONFIG;
        return new LogConfig(it.bufferBytes(), it.segmentBytes(), it.blockBytes(), it.primaryFileBytes(),
            it.primaryFiles(), skipBytes, it.manifestBytes(), it.openZones(), it.drainNs(), it.cleanPercent(),
            it.urgentPercent());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3000, Integer.MAX_VALUE})
    void crashAtEachCall_losesNothingThatWasAcknowledged(int skipBytes) throws IOException {
        CrashImages images = new CrashImages(IMAGES_OF);
        LogScript script = new LogScript(skipBytes, config(skipBytes));
        images.takeKindsFrom(script.disk, skipBytes, 1, (image, isKill) ->
            script.look(image, isKill, images.count() % 5 == 0));
        assertTrue(script.play(STEPS));
        System.out.println("LogCrashTest: " + images.count() + " images, skip " + skipBytes);
    }

    /** During cleaning, outdated entries may be missing, but no others. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @FullTier("55 s. LeftSegmentsTest.unsealedSegments_ofKilledProcesses_areCleaned takes images while a zone "
        + "is cleaned.")
    void crashWhileCleaning_losesNothingThatWasAcknowledged(long seed) throws IOException {
        CrashImages images = new CrashImages(IMAGES_OF);
        LogScript script = new LogScript(seed, CLEANING);
        images.takeKindsFrom(script.disk, seed, 1, (image, isKill) ->
            script.look(image, isKill, images.count() % 7 == 0));
        assertTrue(script.play(3 * STEPS));
        assertTrue(script.cleanCount > 3 && script.bytesCount > 50, () -> "cleaned " + script.cleanCount);
        System.out.println("LogCrashTest: " + images.count() + " images, cleaned " + script.cleanCount + " times");
    }

    /** Images of images: a log crashes again while it is recovered from a crash. */
    @Test
    @FullTier("28 s. LeftSegmentsTest.recovery_thatIsKilledAgainAndAgain_makesNoMoreSegmentsThanOne takes "
        + "images of an opening.")
    void crashWhileOpening_losesNothingThatWasAcknowledged() throws IOException {
        CrashImages first = new CrashImages();
        CrashImages second = new CrashImages();
        LogScript script = new LogScript(9, LogScript.CONFIG);
        first.takeKindsFrom(script.disk, 1, 0, (image, isKill) -> {
            if (first.count() % OPENED_OF < 2) {
                second.takeKindsFrom(image, first.count(), 1, (inner, isInnerKill) ->
                    script.look(inner, isKill && isInnerKill, second.count() % 10 == 0));
                script.look(image, isKill, true);
            }
        });
        assertTrue(script.play(STEPS));
        System.out.println("LogCrashTest: " + second.count() + " images of opening");
    }

    @Test
    @FullTier("98 s. RecoveryLogTest.error_onTheLogsThreads_isTheEndOfThem lets one of five calls of the "
        + "threads of a log fail.")
    void failureAtEachCall_losesNothingThatWasAcknowledged() throws IOException {
        int failures = 0;
        for (LogConfig config : List.of(LogScript.CONFIG, CLEANING)) {
            for (Call call : Call.values()) {
                boolean failed = call != Call.USABLE && call != Call.LOCK && call != Call.MAP;
                for (int n = 0; failed; n += 1 + n / FAILURES) {
                    failed = survives(config, call, Fault.BROKEN, n);
                    failures++;
                }
            }
        }
        System.out.println("LogCrashTest: " + failures + " failures");
    }

    @Test
    @FullTier("10 s. ZoneLogsTest, PrimaryLogTest and ManifestFileTest have the same for each part of a log.")
    void fullDiskAtEachCall_canPass() throws IOException {
        int failures = 0;
        for (LogConfig config : List.of(LogScript.CONFIG, CLEANING)) {
            for (Call call : List.of(Call.CREATE, Call.WRITE)) {
                boolean failed = true;
                for (int n = 0; failed; n += 1 + n / FULL_DISKS) {
                    failed = survives(config, call, Fault.FULL, n);
                    failures++;
                }
            }
        }
        System.out.println("LogCrashTest: " + failures + " full disks");
    }

    /** Runs the script with one failing call; returns whether the script survived it. */
    private static boolean survives(LogConfig config, Call call, Fault fault, int n) throws IOException {
        LogScript script = new LogScript(n % 4, config);
        script.dies = n % 2 == 1;
        List<IOException> thrown = new ArrayList<>();
        script.disk.fail(call, n, fault);
        if (call == Call.WRITE && fault == Fault.FULL) {
            script.disk.writeShort(n, fault, 700);
        }
        boolean went = false;
        try {
            went = script.play(config.cleanPercent() > 0 ? 3 * STEPS : STEPS);
        } catch (IOException e) {
            thrown.add(e);
        }
        assertTrue(fault == Fault.BROKEN || went, () -> "a full disk has ended the log at " + call + " " + n + thrown);
        assertTrue(fault == Fault.FULL || thrown.stream().noneMatch(DiskFullException.class::isInstance));
        new CrashImages().takeKindsNow(script.disk, n, 2, (image, isKill) -> script.look(image, isKill, true));
        return script.disk.calls(call) > n;
    }

    /** Only segments have the written entries, and the mark in the ring is as old as the log. */
    @Test
    void powerCut_afterLapsThatSkipThePrimaryLog_leavesHigherPositions() throws IOException {
        LogScript script = new LogScript(1, config(0));
        script.playLapsWithoutGroups(20);
        new CrashImages().takeKindsNow(script.disk, 1, 10, (image, isKill) -> script.look(image, isKill, true));
    }

    /** Only the manifest has the highest number. */
    @Test
    void numbers_afterRingAndFramesAreLost_doNotGoBack() throws IOException {
        long far = 1L << 45;
        LogConfig it = LogScript.CONFIG;
        FaultDisk disk = new FaultDisk();
        disk.createFolders(LogScript.FOLDER);
        try (ManifestFile manifest = ManifestFile.create(disk, LogScript.FOLDER, Ledger.LOG, new LogFailure(), 4096)) {
            manifest.append(new ManifestRecord.Opened(ManifestRecord.Opened.NO_BOOT));
            manifest.append(new ManifestRecord.Closed(far, 5));
        }
        long used;
        try (OpenLog parts = LogScript.open(disk, it)) {
            used = Ledger.write(parts.buffer(), false, (long) Ledger.OWNER << 48, 50);
            assertTrue(used >= far, () -> "position " + used);
        }
        FaultDisk left = disk.killed();
        left.delete(LogScript.FOLDER.resolve(LogFolder.BUFFER));
        LogConfig larger = new LogConfig(2 * it.bufferBytes(), it.segmentBytes(), it.blockBytes(),
            2 * it.primaryFileBytes(), it.primaryFiles(), it.skipBytes(), it.manifestBytes(), it.openZones(),
            it.drainNs(), 0, 0);
        try (OpenLog parts = OpenLog.open(new LogOptions(Platform.SYSTEM.withDisk(left).withChance(() -> 1),
            LogScript.FOLDER, larger, Ledger.OWNER, true,
            "a test"), () -> { })) {
            assertEquals(1, parts.damage().size());
            assertTrue(parts.buffer().start() > used, () -> "from " + parts.buffer().start() + ", used " + used);
        }
    }

    /** Only segments have the highest number, which is far above that of the last close. */
    @Test
    void numbers_thatSegmentsAloneHave_doNotComeAgain() throws IOException {
        long far = 1L << 45;
        long cid = (long) Ledger.OWNER << 48;
        ZoneId zone = new ZoneId(Ledger.OWNER, 0);
        FaultDisk disk = new FaultDisk();
        try (OpenLog parts = LogScript.open(disk, LogScript.CONFIG)) {
            Ledger.write(parts.buffer(), true, cid, 50);
            assertEquals(Drainer.Result.DONE, parts.drainer().drain());
            parts.secondary().add(zone, cid + 1, far, EntryKind.PUT, Ledger.content(far, cid + 1, 60), 0, 60, 0);
            parts.secondary().add(zone, cid, far - 5, EntryKind.PUT, Ledger.content(far - 5, cid, 60), 0, 60, 0);
            parts.secondary().sync(zone);
        }
        for (List<String> gone : List.of(List.of(LogFolder.BUFFER), List.of(LogFolder.BUFFER, "primary-0"))) {
            FaultDisk left = disk.killed();
            for (String name : gone) {
                left.delete(LogScript.FOLDER.resolve(name));
            }
            try (OpenLog parts = OpenLog.open(new LogOptions(Platform.SYSTEM.withDisk(left).withChance(() -> 1),
                LogScript.FOLDER, LogScript.CONFIG, Ledger.OWNER, true, "a test"), () -> { })) {
                long used = Ledger.write(parts.buffer(), false, cid, 70);
                assertTrue(used > far, () -> "without " + gone + " the number is " + used);
            }
        }
    }

    /**
     * A record of a new zone was never synced, and after a power cut it cannot be distinguished from one of a dropped
     * zone. Later records may build on it.
     */
    @Test
    void ring_afterAPowerCut_endsInFrontOfAnUnknownZone() throws IOException {
        long first = (long) Ledger.OWNER << 48;
        for (boolean isGroup : new boolean[] {false, true}) {
            FaultDisk disk = new FaultDisk();
            List<Long> positions = new ArrayList<>();
            try (OpenLog parts = LogScript.open(disk, LogScript.CONFIG)) {
                positions.add(Ledger.write(parts.buffer(), false, first, 10));
                assertEquals(Drainer.Result.DONE, parts.drainer().drain());
                positions.add(Ledger.write(parts.buffer(), isGroup, first + 1, 20, 20));
                positions.add(Ledger.write(parts.buffer(), isGroup, first + (1 << 20) - 1, 30, 30));
                positions.add(Ledger.write(parts.buffer(), isGroup, first + 1, 40, 40));
            }
            assertEquals(positions, positions(disk.killed()));
            assertEquals(positions.subList(0, 2), positions(disk.powerCut(Choices.keep())));
        }
    }

    /** Returns the positions of all records found when a log is opened. */
    private static List<Long> positions(FaultDisk disk) throws IOException {
        Ledger found = new Ledger();
        try (OpenLog parts = LogScript.open(disk, LogScript.CONFIG)) {
            for (ZoneId zone : parts.zones()) {
                assertEquals(List.of(), Ledger.read(parts, zone, found));
            }
        }
        return found.entries.stream().map(Ledger.Entry::sequence).distinct().sorted().toList();
    }

    /** A checkpoint between the frame of a batch and its segments does not release the frame. */
    @Test
    void checkpoint_ofABatchThatWaitsForRoom_isRefused() throws IOException {
        FaultDisk disk = new FaultDisk();
        try (OpenLog parts = LogScript.open(disk, config(Integer.MAX_VALUE))) {
            Ledger.write(parts.buffer(), false, (long) Ledger.OWNER << 48 | 1 << 20, 50);
            assertEquals(Drainer.Result.DONE, parts.drainer().drain());
            Ledger.write(parts.buffer(), false, (long) Ledger.OWNER << 48 | 2 << 20, 60);
            disk.fail(Call.CREATE, 0, Fault.FULL);
            assertEquals(Drainer.Result.FULL, parts.drainer().drain());
            assertThrows(DiskFullException.class, () -> parts.drainer().checkpoint());
            assertEquals(Drainer.Result.DONE, parts.drainer().drain());
            parts.drainer().checkpoint();
        }
    }

    /** A zone whose buffer is never full has an entry in the first frame. */
    @Test
    void primaryLog_besideAZoneThatRests_isTrimmed() throws IOException {
        LogConfig it = LogScript.CONFIG;
        FaultDisk disk = new FaultDisk();
        try (OpenLog parts = LogScript.open(disk, new LogConfig(it.bufferBytes(), it.segmentBytes(), it.blockBytes(),
            it.primaryFileBytes(), it.primaryFiles(), Integer.MAX_VALUE, it.manifestBytes(), 100, it.drainNs(), 0,
            0))) {
            Ledger.write(parts.buffer(), false, (long) Ledger.OWNER << 48 | 1 << 20, 5);
            for (int i = 0; i < 100; i++) {
                Ledger.write(parts.buffer(), false, (long) Ledger.OWNER << 48, 500);
                assertEquals(Drainer.Result.DONE, parts.drainer().drain());
                int files = NumberedFiles.list(disk, LogScript.FOLDER, LogFolder.PRIMARY).size();
                assertTrue(files <= it.primaryFiles() + 1, () -> "files: " + files);
            }
        }
    }

    /** Each file that a killed log needs is damaged in one byte, or removed. */
    @Test
    void open_ofADamagedLog_saysSoAndChangesNothing() throws IOException {
        for (String name : List.of("buffer", "primary-0", "manifest-1")) {
            for (boolean isGone : new boolean[] {true, false}) {
                LogScript script = new LogScript(1, LogScript.CONFIG);
                script.playAndDie();
                Path path = LogScript.FOLDER.resolve(name);
                if (name.startsWith("manifest")) {
                    script.disk.delete(LogScript.FOLDER.resolve(name.replace("manifest", "manifest-copy")));
                }
                if (isGone) {
                    script.disk.delete(path);
                } else {
                    try (DiskFile file = script.disk.open(path)) {
                        file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), name.equals("primary-0") ? 4096 + 50 : 30);
                    }
                }
                List<String> files = script.disk.list(LogScript.FOLDER.resolve(LogFolder.SEGMENTS));
                IOException thrown = assertThrows(IOException.class,
                    () -> LogScript.open(script.disk, LogScript.CONFIG));
                assertTrue(String.valueOf(thrown.getMessage()).contains(name.substring(0, 5)), thrown::toString);
                assertEquals(files, script.disk.list(LogScript.FOLDER.resolve(LogFolder.SEGMENTS)));
            }
        }
    }

    /** The second opening is refused. */
    @Test
    void open_ofAnOpenLog_isRefused() throws IOException {
        FaultDisk disk = new FaultDisk();
        try (OpenLog parts = LogScript.open(disk, LogScript.CONFIG)) {
            assertTrue(parts.damage().isEmpty());
            IOException refused = assertThrows(IOException.class,
                () -> LogScript.open(disk, LogScript.CONFIG));
            assertTrue(String.valueOf(refused.getMessage()).contains("a test"), refused.getMessage());
        }
        LogScript.open(disk, LogScript.CONFIG).close();
    }
}
