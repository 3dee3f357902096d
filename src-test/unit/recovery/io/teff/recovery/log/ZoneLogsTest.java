package io.teff.recovery.log;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.disk.FaultDisk.Fault;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.format.ManifestWriter;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.CleanJob;
import io.teff.recovery.log.clean.Cleaner;
import io.teff.recovery.log.file.BlockPool;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.file.LogFiles;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.ManifestFile;
import io.teff.recovery.log.file.DiskReserve;
import io.teff.recovery.log.read.ZoneReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: entries that were added to zones and synced are in segments after any crash, and no others; the reported oldest
 * frame has no entry older than the unsynced ones; a full disk can recover, a failure is final. Method: a script over
 * more zones than may hold a buffer, with entries longer than a buffer, an image before each call, and each call made
 * to fail in turn.
 */
final class ZoneLogsTest {
    private static final int BLOCK = 4096;
    private static final int OPEN_ZONES = 2;
    private static final int ZONES = 4;

    /** A step of the script, which may be repeated. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    /** Zones with random entries, and the content that they must have. */
    private static final class Script {
        final FaultDisk disk = new FaultDisk();
        final SplittableRandom random;
        final LogFiles shared;
        final ZoneLogs zones;
        final AtomicLong numbers = new AtomicLong();
        final ZonePressure pressure = new ZonePressure();
        final ManifestFile manifest;
        /** All entries added, or possibly added, and their frames. */
        final List<Ledger.Entry> added = new ArrayList<>();
        final List<Long> frames = new ArrayList<>();
        /** The entries that must be present. */
        final Set<Ledger.Entry> kept = new HashSet<>();

        Script(long seed) throws IOException {
            random = new SplittableRandom(seed);
            disk.createFolders(FaultDisk.ROOT.resolve(LogFolder.SEGMENTS));
            disk.forceFolder(FaultDisk.ROOT);
            LogFailure failure = new LogFailure();
            manifest = ManifestFile.create(disk, FaultDisk.ROOT, Ledger.LOG, failure, 4096);
            manifest.append(new ManifestRecord.Opened(new UUID(1, 1)));
            LogConfig sizes = new LogConfig(1 << 14, 1 << 15, BLOCK, 24_576, 2, 0, 4096, OPEN_ZONES, 1, 0, 0);
            shared = new LogFiles(disk, FaultDisk.ROOT, Ledger.LOG, manifest, failure, new BlockPool(sizes),
                numbers::getAndIncrement);
            zones = new ZoneLogs(shared, sizes, pressure);
            for (int zone = 0; zone < ZONES; zone++) {
                zones.make(new ZoneId(Ledger.OWNER, zone));
            }
        }

        /** Runs a step, and repeats it if the disk is full. */
        private boolean retry(Step step) throws IOException {
            try {
                step.run();
                return false;
            } catch (DiskFullException _) {
                check(disk.killed());
                step.run();
                return true;
            }
        }

        /** Runs the script; returns whether the disk was full once. */
        boolean play(int steps) throws IOException {
            boolean wasFull = false;
            for (int step = 0; step < steps; step++) {
                long frame = step / 5;
                int what = random.nextInt(40);
                int zone = random.nextInt(1 + random.nextInt(ZONES));
                if (what == 0) {
                    wasFull |= retry(() -> zones.sync(new ZoneId(Ledger.OWNER, zone)));
                    added.stream().filter(it -> it.zone() == zone).forEach(kept::add);
                } else if (what == 1) {
                    long before = Math.max(0, frame - random.nextInt(4));
                    wasFull |= retry(() -> zones.syncBefore(before));
                    assertTrue(zones.firstFrame(frame) >= before);
                } else if (what == 2) {
                    wasFull |= retry(zones::seal);
                    kept.addAll(added);
                } else {
                    wasFull |= add(zone, frame);
                }
                long first = zones.firstFrame(frame + 1);
                for (int i = 0; i < added.size(); i++) {
                    if (frames.get(i) < first) {
                        kept.add(added.get(i));
                    }
                }
            }
            wasFull |= retry(zones::seal);
            kept.addAll(added);
            assertEquals(1000, zones.firstFrame(1000));
            return wasFull;
        }

        private boolean add(int zone, long frame) throws IOException {
            int length = random.nextInt(8) == 0 ? random.nextInt(7000) : random.nextInt(500);
            long cid = (long) Ledger.OWNER << 48 | (long) zone << 20 | random.nextInt(10);
            Ledger.Entry entry = new Ledger.Entry(cid, added.size(), zone, EntryKind.PUT, length);
            added.add(entry);
            frames.add(frame);
            return retry(() -> zones.add(new ZoneId(Ledger.OWNER, zone), cid, entry.sequence(), EntryKind.PUT,
                Ledger.content(entry.sequence(), cid, length), 0, length, frame));
        }

        void check(Disk image) throws IOException {
            Ledger found = read(image, List.of());
            assertTrue(added.containsAll(found.entries), "invented");
            assertEquals(found.entries.size(), new HashSet<>(found.entries).size(), "twice");
            Set<Ledger.Entry> lost = new HashSet<>(kept);
            found.entries.forEach(lost::remove);
            assertEquals(Set.of(), lost, "lost");
        }

        static Ledger read(Disk image, List<String> damaged) throws IOException {
            ManifestState state = Objects.requireNonNull(
                ManifestFile.open(image, FaultDisk.ROOT, new LogFailure(), 4096)).state();
            ZoneReader reader = new ZoneReader(image, FaultDisk.ROOT, Ledger.LOG);
            Ledger found = new Ledger();
            List<FileDamage> damage = new ArrayList<>();
            for (ZoneId zone : state.zones()) {
                for (var segment : state.segments(zone).entrySet()) {
                    damage.addAll(reader.read(zone.segment(segment.getKey()), segment.getValue(), found).damage());
                }
            }
            assertEquals(damaged, damage.stream().map(FileDamage::file).toList(), damage::toString);
            return found;
        }
    }

    @Test
    void crashAtEachCall_leavesWhatWasSynced() throws IOException {
        CrashImages images = new CrashImages();
        for (long seed = 0; seed < 3; seed++) {
            Script script = new Script(seed);
            images.takeFrom(script.disk, seed, 3, script::check);
            script.play(200);
            images.takeNow(script.disk, seed, 3, script::check);
        }
        System.out.println("ZoneLogsTest: " + images.count() + " images");
    }

    @Test
    void fullDiskAtEachCall_canPass() throws IOException {
        int failures = 0;
        for (Call call : new Call[] {Call.CREATE, Call.WRITE}) {
            boolean failed = true;
            for (int n = 0; failed; n++) {
                Script script = new Script(5);
                script.disk.fail(call, n, Fault.FULL);
                if (call == Call.WRITE) {
                    script.disk.writeShort(n, Fault.FULL, 3000);
                }
                failed = script.play(150);
                failures++;
                new CrashImages().takeNow(script.disk, n, 1, script::check);
            }
        }
        System.out.println("ZoneLogsTest: " + failures + " full disks");
    }

    @Test
    void failureAtEachCall_isTheEnd() throws IOException {
        int failures = 0;
        for (Call call : new Call[] {Call.CREATE, Call.WRITE, Call.OPEN, Call.FORCE, Call.FORCE_FOLDER}) {
            Fault fault = call == Call.FORCE || call == Call.FORCE_FOLDER ? Fault.FULL : Fault.BROKEN;
            boolean failed = true;
            for (int n = 0; failed; n++) {
                failed = failsForEver(call, fault, n);
                failures++;
            }
        }
        System.out.println("ZoneLogsTest: " + failures + " failures");
    }

    private static boolean failsForEver(Call call, Fault fault, int n) throws IOException {
        Script script = new Script(n % 3);
        script.disk.fail(call, n, fault);
        try {
            script.play(150);
            return false;
        } catch (IOException e) {
            assertTrue(!(e instanceof DiskFullException), () -> call + " " + n);
            long writes = script.disk.calls(Call.WRITE);
            assertThrows(IOException.class, () -> script.zones.make(new ZoneId(1, 1)));
            assertEquals(writes, script.disk.calls(Call.WRITE));
            new CrashImages().takeNow(script.disk, n, 3, script::check);
            return true;
        }
    }

    @Test
    void drop_ofAZone_deletesItsFiles() throws IOException {
        Script script = new Script(2);
        script.play(100);
        ZoneId zone = new ZoneId(Ledger.OWNER, 0);
        assertTrue(script.manifest.state().segments(zone).size() > 1);
        script.zones.drop(zone);
        assertTrue(!script.zones.has(zone) && script.zones.has(new ZoneId(Ledger.OWNER, 1)));
        assertThrows(IllegalArgumentException.class, () -> script.zones.sync(zone));
        assertTrue(script.disk.list(FaultDisk.ROOT.resolve(LogFolder.SEGMENTS)).stream()
            .noneMatch(name -> name.startsWith("0007-00000000")));
        assertTrue(Script.read(script.disk, List.of()).entries.stream().allMatch(it -> it.zone() > 0));
    }

    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void cleaned_whereTheManifestHasNoRoom_keepsNobodyWaiting() throws IOException {
        Script script = new Script(6);
        script.play(100);
        ZoneId zone = new ZoneId(Ledger.OWNER, 0);
        List<Long> segments = List.copyOf(script.manifest.state().segments(zone).keySet());
        script.pressure.set(zone, true);
        script.pressure.note(zone.owner(), zone.zone());
        script.disk.fail(Call.WRITE, 0, Fault.FULL);
        assertThrows(DiskFullException.class, () -> script.zones.cleaned(
            new CleanJob.Result(script.zones.toClean(zone), List.of(), segments, 1, 1, 1, 0, false)));
        script.pressure.await();
        assertEquals(segments, List.copyOf(script.manifest.state().segments(zone).keySet()));
    }

    /**
     * A replaced segment no longer counts, whether or not its file is deleted; the file is deleted with the next ones.
     */
    @Test
    void segments_thatCannotBeDeleted_areDeletedLater() throws IOException {
        Script script = new Script(8);
        script.play(200);
        for (int zone = 0; zone < ZONES; zone++) {
            ZoneId id = new ZoneId(Ledger.OWNER, zone);
            int files = script.disk.list(FaultDisk.ROOT.resolve(LogFolder.SEGMENTS)).size();
            int gone = script.manifest.state().segments(id).size();
            boolean isLast = zone == ZONES - 1;
            script.disk.heal();
            if (!isLast) {
                script.disk.failFrom(Call.DELETE, zone, Fault.BROKEN);
            }
            script.zones.drop(id);
            int left = script.disk.list(FaultDisk.ROOT.resolve(LogFolder.SEGMENTS)).size();
            assertTrue(gone > 0 && (isLast ? left == 0 : left >= files - zone), "files " + files + ", left " + left);
            script.zones.make(new ZoneId(9, zone));             // nothing has failed
        }
    }

    /** More than fits into one record of the manifest. */
    @Test
    void zoneOfVeryManySegments_isCleanedBitByBit() throws IOException {
        Script script = new Script(7);
        script.play(600);
        ZoneId zone = new ZoneId(Ledger.OWNER, 0);
        Cleaner cleaner = new Cleaner(script.shared, LogCrashTest.CLEANING.withSegmentBytes(1 << 15),
            new DiskReserve(script.shared.disk(), script.shared.folder()), 3);
        assertTrue(script.manifest.state().segments(zone).size() > 6);
        int rounds = 0;
        for (CleanJob job = script.zones.toClean(zone); job != null; job = script.zones.nextToClean()) {
            CleanJob.Result result = cleaner.clean(job);
            assertTrue(result.gone().size() <= 3, result::toString);
            script.zones.cleaned(result);
            rounds++;
        }
        assertTrue(rounds > 2 && script.manifest.state().segments(zone).size() <= 3,
            "rounds " + rounds + ", left " + script.manifest.state().segments(zone));
        List<Long> most = LongStream.range(0, Cleaner.VICTIMS_MAX).boxed().toList();
        assertTrue(2 * most.size() + 1 <= ManifestRecord.SegmentsReplaced.COUNT_MAX);
        assertTrue(ManifestWriter.bytes(new ManifestRecord.SegmentsReplaced(zone, most, most)).remaining() > 0);
    }

    @Test
    void read_ofDamagedSegments_saysWhere() throws IOException {
        Script script = new Script(4);
        script.play(150);
        List<String> names = script.disk.list(FaultDisk.ROOT.resolve(LogFolder.SEGMENTS));
        assertTrue(names.size() > 3);
        script.disk.delete(FaultDisk.ROOT.resolve(LogFolder.SEGMENTS).resolve(names.getFirst()));
        try (DiskFile file = script.disk.open(FaultDisk.ROOT.resolve(LogFolder.SEGMENTS).resolve(names.getLast()))) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 4096 + 40);
        }
        Ledger found = Script.read(script.disk, List.of("segments/" + names.getFirst(), "segments/" + names.getLast()));
        assertTrue(script.added.containsAll(found.entries));
    }
}
