package io.teff.recovery.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.disk.FaultDisk.Fault;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.CleanJob;
import io.teff.recovery.log.file.FoundManifest;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.read.ZoneReader;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: the remains of processes that were killed or found no room occupy the disk only temporarily: segments without
 * an end are cleaned like others, and an incomplete recovery leaves no file behind; whenever there is a crash, nothing
 * is lost.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LeftSegmentsTest {
    /** Between two calls of the disk that fail. */
    private static final int CALL_STEP = Form.size(3, 1, 1);
    private static final Path SEGMENTS = LogScript.FOLDER.resolve(LogFolder.SEGMENTS);
    private static final ZoneId ZONE = new ZoneId(Ledger.OWNER, 0);
    private static final int CHUNKS = 10;
    /** Every record goes into frames and is found there. */
    private static final LogConfig CONFIG =
        new LogConfig(1 << 14, 1 << 14, 4096, 24_576, 2, Integer.MAX_VALUE, 4096, 2, 1, 60, 40);

    /** The last entry of each chunk. */
    private final Map<Long, Ledger.Entry> newest = new HashMap<>();
    private final SplittableRandom random = new SplittableRandom(3);

    private void write(WriteBuffer buffer, int records) {
        for (int i = 0; i < records; i++) {
            long cid = (long) Ledger.OWNER << 48 | random.nextInt(CHUNKS);
            int length = random.nextInt(300, 900);
            long position = Ledger.write(buffer, false, cid, length);
            newest.put(cid, new Ledger.Entry(cid, position, 0, EntryKind.PUT, length));
        }
    }

    private static ManifestState manifest(FaultDisk disk) throws IOException {
        return Objects.requireNonNull(FoundManifest.find(disk, LogScript.FOLDER)).state();
    }

    private static List<Long> unsealed(FaultDisk disk) throws IOException {
        List<Long> numbers = new ArrayList<>();
        manifest(disk).segments(ZONE).forEach((number, isSealed) -> {
            if (!isSealed) {
                numbers.add(number);
            }
        });
        return numbers;
    }

    /** Returns the segments of a log that its manifest names. */
    private static Set<String> named(FaultDisk disk) throws IOException {
        Set<String> names = new HashSet<>();
        ManifestState state = manifest(disk);
        state.zones().forEach(zone -> state.segments(zone).keySet()
            .forEach(number -> names.add(zone.segment(number).fileName())));
        return names;
    }

    private void checkNewest(OpenLog parts) throws IOException {
        Ledger found = new Ledger();
        assertEquals(List.of(), Ledger.read(parts, ZONE, found));
        for (Ledger.Entry entry : newest.values()) {
            assertTrue(found.entries.contains(entry), () -> "lost " + entry);
        }
    }

    /** Returns the number of duplicate entries. */
    private static int copies(FaultDisk disk) throws IOException {
        Ledger found = new Ledger();
        ZoneReader reader = new ZoneReader(disk, LogScript.FOLDER, manifest(disk).log());
        for (Map.Entry<Long, Boolean> segment : manifest(disk).segments(ZONE).entrySet()) {
            reader.read(ZONE.segment(segment.getKey()), segment.getValue(), found);
        }
        return found.entries.size() - new HashSet<>(found.entries).size();
    }

    /** Runs processes that are killed; returns the disk as the last one has left it. */
    private FaultDisk killSome(int kills) throws IOException {
        FaultDisk disk = new FaultDisk();
        for (int i = 0; i < kills; i++) {
            OpenLog parts = LogScript.open(disk, CONFIG);
            for (int batch = 0; batch < 3; batch++) {
                write(parts.buffer(), 7);
                assertEquals(Drainer.Result.DONE, parts.drainer().drain());
            }
            write(parts.buffer(), 3);
            disk = disk.killed();
            parts.close();
        }
        return disk;
    }

    @Test
    void unsealedSegments_ofKilledProcesses_areCleaned() throws IOException {
        FaultDisk disk = killSome(5);
        assertEquals(5, unsealed(disk).size());
        OpenLog parts = LogScript.open(disk, CONFIG);
        CrashImages images = new CrashImages();
        images.takeKindsFrom(disk, 1, 2, (image, isKill) -> {
            OpenLog found = LogScript.open(image, CONFIG);
            checkNewest(found);
            found.close();
        });
        CleanJob job = parts.secondary().toClean(ZONE);
        CleanJob.Result result = parts.cleaner().clean(job);
        assertTrue(result.gone().containsAll(unsealed(disk)), result::toString);
        assertTrue(copies(disk) > 10, "what was recovered is in two segments");
        parts.secondary().cleaned(result);
        assertEquals(List.of(), unsealed(disk));
        assertEquals(0, copies(disk), "one of each is left");
        checkNewest(parts);
        parts.close();
        disk.beforeEachCall(() -> {});
        assertEquals(named(disk), Set.copyOf(disk.list(SEGMENTS)));
        System.out.println("LeftSegmentsTest: " + images.count() + " images");
    }

    /** A segment that is being written is not cleaned. */
    @Test
    void segmentThatIsBeingWritten_isNotCleaned() throws IOException {
        FaultDisk disk = killSome(2);
        try (OpenLog parts = LogScript.open(disk, CONFIG)) {
            write(parts.buffer(), 12);
            assertEquals(Drainer.Result.DONE, parts.drainer().drain());
            long open = unsealed(disk).getLast();
            assertEquals(3, unsealed(disk).size());
            CleanJob job = parts.secondary().toClean(ZONE);
            assertTrue(!job.segments().containsKey(open) && job.segments().containsKey(unsealed(disk).getFirst()));
            parts.secondary().cleaned(parts.cleaner().clean(job));
            assertEquals(List.of(open), unsealed(disk));
            write(parts.buffer(), 12);
            assertEquals(Drainer.Result.DONE, parts.drainer().drain());
            checkNewest(parts);
        }
    }

    /** Returns whether there are few segments, or a cleaning has ended. */
    private static boolean isCleaned(RecoveryLog log, FaultDisk disk, long cleanings) {
        try {
            // of an image, because the log's thread may begin a new manifest, and delete the old one, while it is read
            return manifest(disk.killed()).segments(ZONE).size() <= 15 || log.stats().cleanings() > cleanings;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As a store does: each process reads all, writes a little, never enough to seal a segment, and is killed. */
    @Test
    void manyKills_ofALogThatIsReadEachTime_leaveFewSegments() throws Exception {
        FaultDisk disk = new FaultDisk();
        for (int kills = 0; kills < 40; kills++) {
            RecoveryLog log = RecoveryLog.open(new LogOptions(Platform.SYSTEM.withDisk(disk)
                .withChance(random::nextLong), LogScript.FOLDER, CONFIG, Ledger.OWNER, false, "a test"));
            for (ZoneId zone : log.zones()) {
                assertEquals(List.of(), log.read(zone, new Ledger()));
            }
            long cleanings = log.stats().cleanings();
            write(log.buffer(), 4);
            assertTrue(log.sync());
            FaultDisk running = disk;
            Threads.await("a cleaning", () -> isCleaned(log, running, cleanings));
            disk = disk.killed();
            log.close();
        }
        OpenLog parts = LogScript.open(disk, CONFIG);
        checkNewest(parts);
        parts.close();
    }

    // ---- incomplete recoveries ----

    @Test
    void recovery_thatFindsNoRoom_leavesNoFiles() throws IOException {
        LogScript script = new LogScript(1, LogScript.CONFIG);
        script.playAndDie();
        int failures = 0;
        for (Call call : List.of(Call.CREATE, Call.WRITE)) {
            boolean failed = true;
            for (int n = 0; failed; n += CALL_STEP) {
                FaultDisk image = script.disk.killed();
                long before = image.calls(call);
                image.failFrom(call, n, Fault.FULL);
                if (call == Call.WRITE && n % 2 == 1) {
                    image.writeShort(n, Fault.FULL, 600);
                }
                openIfRoom(image);                              // a full copy of the manifest alone is no failure
                failed = image.calls(call) > before + n;
                image.heal();
                assertEquals(named(image), Set.copyOf(image.list(SEGMENTS)), call + " " + n);
                script.look(image, true, true);
                failures++;
            }
        }
        assertTrue(failures > 20 / CALL_STEP, "failures " + failures);
        System.out.println("LeftSegmentsTest: " + failures + " full disks");
    }

    private static void openIfRoom(FaultDisk image) throws IOException {
        try {
            LogScript.open(image, LogScript.CONFIG).close();
        } catch (DiskFullException _) {
            // nothing must be left of it
        }
    }

    @Test
    void recovery_thatIsKilledAgainAndAgain_makesNoMoreSegmentsThanOne() throws IOException {
        LogScript script = new LogScript(2, LogScript.CONFIG);
        script.playAndDie();
        FaultDisk once = script.disk.killed();
        LogScript.open(once, LogScript.CONFIG).close();
        int segments = once.list(SEGMENTS).size();
        FaultDisk image = script.disk.killed();
        CrashImages images = new CrashImages();
        images.takeKindsFrom(image, 1, 2, (inner, isKill) -> {
            script.look(inner.killed(), isKill, true);
            LogScript.open(inner, LogScript.CONFIG).close();
            int found = inner.list(SEGMENTS).size();
            assertTrue(found <= segments, () -> found + " instead of " + segments);
        });
        LogScript.open(image, LogScript.CONFIG).close();
        assertTrue(images.count() > 100 / CrashImages.EACH, () -> "images " + images.count());
        System.out.println("LeftSegmentsTest: " + images.count() + " images of opening");
    }

    /** Files that cannot be deleted when the log is opened do not prevent this or a later opening. */
    @Test
    void leftFiles_thatCannotBeDeleted_areDeletedLater() throws IOException {
        LogScript script = new LogScript(4, LogScript.CONFIG);
        script.playAndDie();
        FaultDisk image = script.disk.killed();
        image.failFrom(Call.CREATE, 1, Fault.FULL);
        image.failFrom(Call.DELETE, 0, Fault.BROKEN);
        assertThrows(DiskFullException.class, () -> LogScript.open(image, LogScript.CONFIG));
        int left = image.list(SEGMENTS).size() - named(image).size();
        assertEquals(1, left);
        image.heal();
        image.failFrom(Call.DELETE, 0, Fault.BROKEN);
        script.look(image.killed(), true, true);
        LogScript.open(image, LogScript.CONFIG).close();
        assertEquals(left, image.list(SEGMENTS).size() - named(image).size());
        image.heal();
        image.kill();
        LogScript.open(image, LogScript.CONFIG).close();
        assertEquals(named(image), Set.copyOf(image.list(SEGMENTS)));
    }

    /** Also after a failure of the disk; files that cannot be deleted then are deleted when the log is opened next. */
    @Test
    void recovery_whoseDiskFails_canBeDoneAgain() throws IOException {
        LogScript script = new LogScript(3, LogScript.CONFIG);
        script.playAndDie();
        for (Call call : List.of(Call.WRITE, Call.FORCE, Call.FORCE_FOLDER, Call.RENAME)) {
            boolean failed = true;
            for (int n = 0; failed; n += CALL_STEP) {
                FaultDisk image = script.disk.killed();
                image.fail(call, n, Fault.BROKEN);
                failed = isBroken(image);
                image.heal();
                script.look(image, true, true);
                assertEquals(named(image), Set.copyOf(image.list(SEGMENTS)), call + " " + n);
            }
        }
    }

    private static boolean isBroken(FaultDisk image) {
        try {
            LogScript.open(image, LogScript.CONFIG).close();
            return false;
        } catch (IOException _) {
            return true;
        }
    }
}
