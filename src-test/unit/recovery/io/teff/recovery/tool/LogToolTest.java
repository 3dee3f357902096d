package io.teff.recovery.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.Platform;
import io.teff.engine.report.Progress;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.disk.FaultDisk.Fault;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.RingRecord;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.LogOptions;
import io.teff.recovery.log.RecoveryLog;
import io.teff.recovery.log.WriteBuffer;
import io.teff.recovery.log.file.DamagedLogException;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.read.LogReader;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: the tools count the content, name damage, and cut off nothing that counts. Method: small logs on a disk in
 * memory, written through a real one, and every file cut and filled up with garbage.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LogToolTest {
    private static final int MANIFEST_STEP = Form.size(11, 1, 1);
    private static final int SEGMENT_STEP = Form.size(397, 37, 37);
    private static final Path FOLDER = FaultDisk.ROOT.resolve("log");
    private static final LogConfig CONFIG = new LogConfig(1 << 14, 1 << 15, 4096, 24_576, 2, Integer.MAX_VALUE, 4096,
        4, 1_000_000_000, 0, 0);
    private static final int OWNER = 3;

    private final FaultDisk disk = new FaultDisk();

    private RecoveryLog open() throws IOException {
        return RecoveryLog.open(new LogOptions(Platform.SYSTEM.withDisk(disk)
            .withChance(new SplittableRandom(1)::nextLong), FOLDER, CONFIG, OWNER, false,
            "a test"));
    }

    private static void write(RecoveryLog log, int index, int kind, int length) {
        WriteBuffer buffer = log.buffer();
        assertTrue(buffer.awaitRoom());
        long record = buffer.claim(RingRecord.ENTRY_BYTES + length);
        long payload = buffer.entry(buffer.firstEntry(record), (long) OWNER << 48 | index, record, OWNER, index >>> 20,
            kind, length);
        if (kind == EntryKind.LINK) {
            ChainLink.writeHead(buffer.memory(), payload, 0, length - ChainLink.HEAD_BYTES);
        }
        buffer.commit(record, false);
    }

    private static LogReport read(Disk disk) throws IOException {
        return LogTool.read(disk, FOLDER, "a test", Progress.NONE);
    }

    /** Changes of ten chunks of a zone, each twenty times, one of which is removed; of another zone, one of each. */
    private void fill(RecoveryLog log) {
        for (int i = 0; i < 200; i++) {
            write(log, i % 10, EntryKind.PUT, 400);
        }
        write(log, 0, EntryKind.REMOVED, 0);
        write(log, 1 << 20, EntryKind.PUT_READ_ONLY, 10);
        write(log, 1 << 20 | 1, EntryKind.RESERVED, 0);
        write(log, 1 << 20 | 2, EntryKind.LINK, 50);
        assertTrue(log.sync());
    }

    @Test
    void read_ofAClosedLog_countsEntriesAndLiveOnes() throws IOException {
        try (RecoveryLog log = open()) {
            fill(log);
        }
        List<Long> progress = new ArrayList<>();
        LogReport report = LogTool.read(disk, FOLDER, "a test", (done, all) -> progress.add(all - done));
        assertEquals(LogReport.Ending.CLOSED, report.ending());
        assertEquals(new LogReport.Entries(200, 1, 1, 1, 1, 0, 200 * 400 + 10 + 50), report.entries());
        assertEquals(List.of("3:0", "3:1"), report.zones().stream().map(LogReport.Zone::zone).toList());
        assertEquals(List.of(), report.damage());
        assertEquals(List.of(), report.unfinished());
        LogReport.Zone first = report.zones().getFirst();
        assertTrue(first.segments().size() > 2 && first.segments().stream().allMatch(LogReport.Segment::sealed));
        long live = first.segments().stream().mapToLong(LogReport.Segment::liveBytes).sum();
        assertTrue(Math.abs(live - 9 * 410 - 10) < 100, () -> "lives: " + live);
        assertEquals(0, first.segments().getFirst().liveBytes());
        assertEquals(report.zones().stream().mapToLong(zone -> zone.segments().size()).sum(), progress.size());
        assertEquals(0, progress.getLast());
        assertEquals(List.of("manifest", "buffer", "primary", "segments", "others"),
            report.files().stream().map(LogReport.Files::kind).toList());
        assertEquals(4096 + (1 << 14), report.files().get(1).bytes());
    }

    @Test
    void read_ofAKilledLog_countsFramesAndBuffer() throws IOException {
        RecoveryLog log = open();
        fill(log);
        long hole = log.buffer().claim(RingRecord.ENTRY_BYTES); // what follows stays in the buffer
        write(log, 7 << 20, EntryKind.PUT, 5);
        LogReport report = read(disk.killed());
        assertEquals(LogReport.Ending.KILLED, report.ending());
        assertEquals(String.valueOf(disk.boot()), report.boot());
        assertEquals(1, report.rest().ringEntries());
        assertTrue(report.rest().frames() > 0 && report.rest().frameEntries() > 0, report.rest()::toString);
        assertEquals(1, report.zones().getLast().restEntries());
        assertEquals(LogReport.Ending.POWER_CUT, read(disk.powerCut(Choices.drop())).ending());
        log.buffer().abandon(hole);
        log.close();
    }

    @Test
    void read_ofAnotherFile_isRefused() throws IOException {
        assertThrows(NoSuchFileException.class, () -> read(disk));
        open().close();
        for (String name : List.of("manifest-1", "manifest-copy-1")) {
            try (DiskFile file = disk.open(FOLDER.resolve(name))) {
                file.write(ByteBuffer.wrap(new byte[30]), 0);
            }
        }
        NoManifestException refused = assertThrows(NoManifestException.class, () -> read(disk));
        assertEquals("manifest-1", refused.damage().getFirst().file());
        assertThrows(NoManifestException.class, () -> LogTool.cutTails(disk, FOLDER, "a test", Progress.NONE));
    }

    /**
     * The device fails on a page of a segment: the page is named, and everything else is read, including its content
     * once the device returns it.
     */
    @Test
    void read_ofASegmentThatTheDeviceRefuses_goesOn() throws IOException {
        try (RecoveryLog log = open()) {
            fill(log);
        }
        long all = read(disk).entries().count();
        for (int n = 0; n < 2; n++) {
            FaultDisk image = disk.killed();
            image.fail(Call.READ, n + 2, Fault.BROKEN);
            assertEquals(List.of(), read(image).damage());
            Path segments = FOLDER.resolve("segments");
            String name = image.list(segments).get(n);
            image.breakAt(segments.resolve(name), 5000);
            LogReport report = read(image);
            assertTrue(report.damage().stream().allMatch(it -> it.file().equals("segments/" + name)),
                report.damage()::toString);
            assertTrue(report.damage().getFirst().why().contains("Input/output error"), report.damage()::toString);
            assertTrue(report.entries().count() > 0 && report.entries().count() < all);
        }
    }

    // ---- cutting ----

    private static List<String> entries(Disk image, List<String> damage) throws IOException {
        List<String> entries = new ArrayList<>();
        try (LogReader reader = LogReader.open(image, FOLDER, "a test")) {
            reader.damage().forEach(it -> damage.add(it.toString()));
            for (ZoneId zone : reader.zones()) {
                reader.read(zone, (cid, sequence, owner, number, kind, bytes, offset, length) ->
                    entries.add(zone + " " + cid + " " + sequence + " " + kind + " " + length))
                    .forEach(it -> damage.add(it.toString()));
            }
        }
        return entries;
    }

    private static byte[] bytes(Disk image, String file) throws IOException {
        try (DiskFile open = image.open(FOLDER.resolve(file))) {
            ByteBuffer bytes = ByteBuffer.allocate((int) open.size());
            open.read(bytes, 0);
            return bytes.array();
        }
    }

    private static void put(Disk image, String file, byte[] bytes) throws IOException {
        image.delete(FOLDER.resolve(file));
        try (DiskFile made = image.create(FOLDER.resolve(file), 0)) {
            made.write(ByteBuffer.wrap(bytes), 0);
        }
    }

    /** Cuts the file; in any case nothing that was readable before is lost, and the removed tail is saved. */
    private static boolean cut(FaultDisk image, String file, byte[] before, String where) throws IOException {
        List<String> damage = new ArrayList<>();
        final List<String> entries = entries(image, damage);
        final long changes = image.calls(Call.CREATE) + image.calls(Call.WRITE) + image.calls(Call.RENAME);
        LogTool.Result result = LogTool.cutTails(image, FOLDER, "a test", Progress.NONE);
        assertEquals(damage.size(), result.damage().size(), where);
        List<String> damageAfter = new ArrayList<>();
        assertEquals(entries, entries(image, damageAfter), where);
        assertEquals(damage, damageAfter, where);
        if (result.cuts().isEmpty()) {
            assertEquals(changes, image.calls(Call.CREATE) + image.calls(Call.WRITE) + image.calls(Call.RENAME), where);
            return false;
        }
        assertTrue(damage.isEmpty(), where);
        assertEquals(1, result.cuts().size(), where);
        Cut cut = result.cuts().getFirst();
        assertEquals(file, cut.file(), where);
        ByteBuffer both = ByteBuffer.allocate(before.length);
        both.put(bytes(image, file));
        assertEquals(cut.offset(), both.position(), where);
        both.put(bytes(image, cut.copy()));
        assertEquals(ByteBuffer.wrap(before), both.flip(), where);
        assertEquals(List.of(), LogTool.cutTails(image, FOLDER, "a test", Progress.NONE).cuts(), where);
        return true;
    }

    private FaultDisk killedLog() throws IOException {
        try (RecoveryLog log = open()) {
            fill(log);
            for (int tries = 0; tries < 100; tries++) {
                FaultDisk image = disk.killed();
                LogReport.Segment last = lastSegment(image);
                if (!last.sealed() && last.fileBytes() > 3 * 4096) {
                    return image;
                }
                write(log, 1, EntryKind.PUT, 1000);
                assertTrue(log.sync());
            }
        }
        throw new AssertionError("no segment is open that has some blocks");
    }

    private static LogReport.Segment lastSegment(Disk image) throws IOException {
        return read(image).zones().getFirst().segments().getLast();
    }

    /** The end of the manifest and of an unsealed segment, cut at each place, and filled up with garbage. */
    @Test
    void cutTails_ofAnyEnd_losesNothingThatCanBeRead() throws IOException {
        FaultDisk killed = killedLog();
        SplittableRandom random = new SplittableRandom(1);
        int cuts = 0;
        int cases = 0;
        for (String file : List.of("manifest-1", lastSegment(killed).file())) {
            byte[] whole = bytes(killed, file);
            int step = file.startsWith("manifest") ? MANIFEST_STEP : SEGMENT_STEP;
            for (int length = 1; length <= whole.length; length += step) {
                for (int garbage : new int[] {0, 1 + random.nextInt(5000)}) {
                    byte[] end = new byte[garbage];
                    random.nextBytes(end);
                    byte[] bytes = ByteBuffer.allocate(length + garbage).put(whole, 0, length).put(end).array();
                    FaultDisk image = killed.killed();
                    put(image, file, bytes);
                    cases++;
                    try {
                        cuts += cut(image, file, bytes, file + " cut to " + length + " and " + garbage) ? 1 : 0;
                    } catch (DamagedLogException _) {
                        assertTrue(file.startsWith("manifest"), file);
                    }
                }
            }
        }
        System.out.println("LogToolTest: " + cases + " ends, of which " + cuts + " were cut off");
        assertTrue(cuts > cases / 4, "" + cuts);
    }

    /** A byte is damaged in the middle, and the end is incomplete: this tool refuses the file. */
    @Test
    void cutTails_besideDamage_changesNothing() throws IOException {
        FaultDisk image = killedLog();
        String file = lastSegment(image).file();
        byte[] bytes = ByteBuffer.allocate(bytes(image, file).length + 77).put(bytes(image, file)).array();
        bytes[bytes.length - 1] = 5;
        put(image, file, bytes);
        String sealed = read(image).zones().getFirst().segments().getFirst().file();
        byte[] wrong = bytes(image, sealed);
        wrong[5000] ^= 1;
        put(image, sealed, wrong);
        assertTrue(!cut(image, file, bytes, "damaged"));
        assertEquals(bytes.length, bytes(image, file).length);
    }

    @Test
    void cutTails_ofAClosedLog_findsNothing() throws IOException {
        try (RecoveryLog log = open()) {
            fill(log);
        }
        LogTool.Result result = LogTool.cutTails(disk, FOLDER, "a test", Progress.NONE);
        assertEquals(List.of(), result.cuts());
        assertEquals(List.of(), result.damage());
    }

    // ---- making the manifest anew ----

    private static Set<String> opened(FaultDisk image) throws IOException {
        List<String> damage = new ArrayList<>();
        Set<String> entries = new TreeSet<>(entries(image, damage));
        assertEquals(List.of(), damage);
        return entries;
    }

    /** Changes the manifest, makes it anew, and finds everything. */
    private static void assertRebuilt(FaultDisk image, Set<String> all, boolean isCut) throws IOException {
        List<String> old = new ArrayList<>();
        for (String name : image.list(FOLDER)) {
            if (name.startsWith("manifest") && isCut) {
                put(image, name, Arrays.copyOf(bytes(image, name), 100));
                old.add("cut-" + name + "-0");
            } else if (name.startsWith("manifest")) {
                image.delete(FOLDER.resolve(name));
            }
        }
        Rebuilt rebuilt = LogTool.rebuild(image, FOLDER, "a test", -1, Progress.NONE);
        assertEquals(old, rebuilt.kept());
        assertEquals(List.of(), rebuilt.damage());
        assertEquals(all, opened(image));
        assertEquals("", LogTool.rebuild(image, FOLDER, "a test", -1, Progress.NONE).manifest());
    }

    @Test
    void rebuild_ofAClosedLog_findsEverything() throws IOException {
        try (RecoveryLog log = open()) {
            fill(log);
        }
        Set<String> all = opened(disk);
        assertEquals("", LogTool.rebuild(disk, FOLDER, "a test", -1, Progress.NONE).manifest());
        assertRebuilt(disk.killed(), all, false);
        assertRebuilt(disk.killed(), all, true);
        FaultDisk alone = disk.killed();
        alone.delete(FOLDER.resolve("buffer"));
        for (String name : alone.list(FOLDER)) {
            if (name.startsWith("primary-")) {
                alone.delete(FOLDER.resolve(name));
            }
        }
        assertRebuilt(alone, all, false);
        RecoveryLog again = RecoveryLog.open(new LogOptions(Platform.SYSTEM.withDisk(alone)
            .withChance(new SplittableRandom(2)::nextLong), FOLDER, CONFIG, OWNER, false, "a test"));
        assertEquals(OWNER, again.nid());
        again.close();
    }

    @Test
    void rebuild_ofAKilledLog_findsSegmentsFramesAndBuffer() throws IOException {
        FaultDisk killed = killedLog();
        Set<String> all = opened(killed);
        assertRebuilt(killed.killed(), all, false);
        assertRebuilt(killed.killed(), all, true);
    }

    @Test
    void rebuild_ofWhatIsNoLog_isRefused() {
        assertThrows(NoSuchFileException.class, () -> LogTool.rebuild(disk, FOLDER, "a test", -1, Progress.NONE));
    }
}
