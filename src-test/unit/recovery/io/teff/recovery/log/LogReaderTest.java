package io.teff.recovery.log;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.LockedException;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.DamagedLogException;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.NumberedFiles;
import io.teff.recovery.log.read.LogReader;
import io.teff.recovery.log.read.LogReader.Ending;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: a log opened read-only shows the content that it would have after an opening, in whatever state it was left,
 * and none of its bytes change.
 *
 * <p>Method: a script of records, holes, drains and restarts, and images before each call to the disk, also while an
 * image is being recovered; each is read, compared with itself, then opened, and compared with that.
 */
final class LogReaderTest {
    private static final int STEPS = Form.size(80, 120);
    /** Of this number of images, two are opened. */
    private static final int OPENED_OF = Form.size(797, 197);
    /** Images are taken before one of so many calls to the disk. */
    private static final int IMAGES_OF = Form.size(25, 3, 1);
    private static final Set<Call> CHANGES = EnumSet.of(Call.CREATE, Call.FOLDERS, Call.DELETE, Call.RENAME,
        Call.FORCE_FOLDER, Call.WRITE, Call.FORCE, Call.MAP);
    private static final Comparator<Ledger.Entry> ORDER = Comparator.comparingLong(Ledger.Entry::sequence)
        .thenComparingLong(Ledger.Entry::cid).thenComparingInt(Ledger.Entry::kind);

    private final CrashImages images = new CrashImages(IMAGES_OF);
    private int logs;

    private static Map<String, ByteBuffer> files(Disk disk) throws IOException {
        Map<String, ByteBuffer> files = new TreeMap<>();
        for (String name : disk.list(LogScript.FOLDER)) {
            if (!name.equals(LogFolder.SEGMENTS)) {
                files.put(name, NumberedFiles.read(disk, LogScript.FOLDER.resolve(name)));
            }
        }
        Path segments = LogScript.FOLDER.resolve(LogFolder.SEGMENTS);
        for (String name : disk.list(LogScript.FOLDER).contains(LogFolder.SEGMENTS) ? disk.list(segments)
            : List.<String>of()) {
            files.put(name, NumberedFiles.read(disk, segments.resolve(name)));
        }
        return files;
    }

    private static long changes(FaultDisk disk) {
        return CHANGES.stream().mapToLong(disk::calls).sum();
    }

    /** The states of the script under way. */
    private static Map<Ledger.State, byte[]> states = Map.of();

    private static LogScript script(long seed, LogConfig config) {
        LogScript script = new LogScript(seed, config);
        states = script.states;
        return script;
    }

    private static Map<ZoneId, List<Ledger.Entry>> read(LogReader reader) throws IOException {
        Map<ZoneId, List<Ledger.Entry>> found = new TreeMap<>();
        for (ZoneId zone : reader.zones()) {
            found.put(zone, entries(zone, reader));
        }
        return found;
    }

    private static List<Ledger.Entry> entries(ZoneId zone, LogReader reader) throws IOException {
        Ledger ledger = new Ledger(states);
        assertEquals(List.of(), reader.read(zone, ledger));
        ledger.entries.sort(ORDER);
        return ledger.entries;
    }

    private static Map<ZoneId, List<Ledger.Entry>> open(Disk disk) throws IOException {
        Map<ZoneId, List<Ledger.Entry>> found = new TreeMap<>();
        try (OpenLog parts = LogScript.open(disk, LogScript.CONFIG)) {
            for (ZoneId zone : parts.zones()) {
                Ledger ledger = new Ledger(states);
                assertEquals(List.of(), Ledger.read(parts, zone, ledger));
                ledger.entries.sort(ORDER);
                found.put(zone, ledger.entries);
            }
        }
        return found;
    }

    /** Reads an image, then opens it. */
    private void compare(FaultDisk image) throws IOException {
        if (image.list(FaultDisk.ROOT).isEmpty()) {
            assertThrows(NoSuchFileException.class, () -> LogReader.open(image, LogScript.FOLDER, "a test"));
            return;
        }
        Map<String, ByteBuffer> before = files(image);
        long changes = changes(image);
        Map<ZoneId, List<Ledger.Entry>> read = Map.of();
        try (LogReader reader = LogReader.open(image, LogScript.FOLDER, "a test")) {
            assertEquals(List.of(), reader.damage());
            read = read(reader);
            logs++;
        } catch (NoSuchFileException _) {
            assertTrue(before.keySet().stream().noneMatch(name -> name.matches("manifest-\\d+")), before::toString);
        }
        assertEquals(changes, changes(image), "calls that change something");
        assertEquals(before, files(image));
        assertEquals(open(image), read);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3000, Integer.MAX_VALUE})
    void read_ofALogThatCrashedAtAnyCall_showsWhatOpeningItFinds(int skipBytes) throws IOException {
        LogConfig it = LogScript.CONFIG;
        LogScript script = script(skipBytes, new LogConfig(it.bufferBytes(), it.segmentBytes(),
            it.blockBytes(), it.primaryFileBytes(), it.primaryFiles(), skipBytes, it.manifestBytes(), it.openZones(),
            it.drainNs(), 0, 0));
        images.takeFrom(script.disk, skipBytes, 2, this::compare);
        assertTrue(script.play(STEPS));
        System.out.println("LogReaderTest: " + images.count() + " images, of which " + logs + " have a log");
        assertTrue(logs > images.count() / 2, "" + logs);
    }

    @Test
    void read_ofALogThatCrashedWhileItWasCleaned_showsWhatOpeningItFinds() throws IOException {
        LogScript script = script(4, LogCrashTest.CLEANING);
        images.takeFrom(script.disk, 4, 2, this::compare);
        assertTrue(script.play(2 * STEPS));
        assertTrue(script.cleanCount > 2, () -> "cleaned " + script.cleanCount);
        System.out.println("LogReaderTest: " + images.count() + " images, cleaned " + script.cleanCount + " times");
    }

    @Test
    void read_ofALogThatCrashedWhileItWasRecovered_showsWhatOpeningItFinds() throws IOException {
        CrashImages first = new CrashImages();
        LogScript script = script(9, LogScript.CONFIG);
        first.takeFrom(script.disk, 1, 0, image -> {
            if (first.count() % OPENED_OF < 2) {
                images.takeFrom(image, first.count(), 1, this::compare);
                LogScript.open(image, LogScript.CONFIG).close();
            }
        });
        assertTrue(script.play(STEPS));
        System.out.println("LogReaderTest: " + images.count() + " images of opening");
    }

    /** Only the ring knows one zone. */
    @Test
    void zones_afterAKill_haveThoseThatOnlyTheRingKnows() throws IOException {
        LogScript script = script(1, LogScript.CONFIG);
        script.playAndDie();
        OpenLog parts = LogScript.open(script.disk, LogScript.CONFIG);
        long position = Ledger.write(parts.buffer(), true, (long) Ledger.OWNER << 48 | 9L << 20, 30, 40);
        parts.close();
        ZoneId zone = new ZoneId(Ledger.OWNER, 9);
        try (LogReader reader = LogReader.open(script.disk.killed(), LogScript.FOLDER, "a test")) {
            assertEquals(Ending.KILLED, reader.ending());
            assertEquals(List.of(position, position), entries(zone, reader).stream().map(Ledger.Entry::sequence)
                .toList());
            assertEquals(new LogReader.Rest(reader.state().firstFrame(), 0, 0, 1, 2), reader.rest());
        }
        try (LogReader reader = LogReader.open(script.disk.powerCut(Choices.keep()),
            LogScript.FOLDER, "a test")) {
            assertEquals(Ending.POWER_CUT, reader.ending());
            assertTrue(!reader.zones().contains(zone) && entries(zone, reader).isEmpty(), "made by nobody");
        }
    }

    /** Frames still have entries of the zone. */
    @Test
    void zones_afterAZoneWasDropped_haveItNoMore() throws IOException {
        FaultDisk disk = new FaultDisk();
        OpenLog parts = LogScript.open(disk, LogScript.CONFIG);
        Ledger.write(parts.buffer(), true, (long) Ledger.OWNER << 48 | 5L << 20, 30);
        Ledger.write(parts.buffer(), true, (long) Ledger.OWNER << 48 | 6L << 20, 30);
        assertEquals(Drainer.Result.DONE, parts.drainer().drain());
        parts.secondary().drop(new ZoneId(Ledger.OWNER, 5));
        parts.close();
        for (FaultDisk image : List.of(disk.killed(), disk.powerCut(Choices.keep()))) {
            try (LogReader reader = LogReader.open(image, LogScript.FOLDER, "a test")) {
                assertEquals(List.of(new ZoneId(Ledger.OWNER, 6)), reader.zones());
                assertEquals(1, reader.rest().frameEntryCount());
            }
            compare(image);
        }
    }

    @Test
    void read_bySeveralThreads_showsTheSame() throws Exception {
        LogScript script = script(5, LogScript.CONFIG);
        script.playAndDie();
        try (LogReader reader = LogReader.open(script.disk, LogScript.FOLDER, "a test");
             ExecutorService pool = Executors.newFixedThreadPool(4)) {
            Map<ZoneId, List<Ledger.Entry>> expected = read(reader);
            assertTrue(expected.size() > 1 && reader.rest().frameEntryCount() > 0, expected::toString);
            List<Future<Map<ZoneId, List<Ledger.Entry>>>> results = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                results.add(pool.submit(() -> read(reader)));
            }
            for (Future<Map<ZoneId, List<Ledger.Entry>>> result : results) {
                assertEquals(expected, result.get());
            }
        }
    }

    @Test
    void open_ofALockedLog_isRefusedAndNamesTheHolder() throws IOException {
        FaultDisk disk = new FaultDisk();
        try (OpenLog parts = LogScript.open(disk, LogScript.CONFIG)) {
            assertTrue(parts.damage().isEmpty());
            IOException refused = assertThrows(LockedException.class,
                () -> LogReader.open(disk, LogScript.FOLDER, "a reader"));
            assertTrue(String.valueOf(refused.getMessage()).contains("a test"), refused.getMessage());
        }
        try (LogReader reader = LogReader.open(disk, LogScript.FOLDER, "a reader")) {
            assertEquals(List.of(), reader.zones());
            IOException refused = assertThrows(LockedException.class,
                () -> LogScript.open(disk, LogScript.CONFIG));
            assertTrue(String.valueOf(refused.getMessage()).contains("a reader"), refused.getMessage());
        }
        LogScript.open(disk, LogScript.CONFIG).close();
    }

    /** The folder belongs to something else, or has files but nothing that identifies them. */
    @Test
    void open_ofAFolderWithoutALog_isRefusedAndLeavesNoLock() throws IOException {
        FaultDisk disk = new FaultDisk();
        disk.createFolders(LogScript.FOLDER);
        disk.create(LogScript.FOLDER.resolve("letter"), 10).close();
        assertThrows(NoSuchFileException.class, () -> LogReader.open(disk, LogScript.FOLDER, "a test"));
        assertEquals(0, disk.calls(Call.LOCK));
        try (DiskFile file = disk.create(LogScript.FOLDER.resolve("primary-0"), 10)) {
            assertEquals(10, file.size());
        }
        for (int i = 0; i < 2; i++) {
            DamagedLogException refused = assertThrows(DamagedLogException.class,
                () -> LogReader.open(disk, LogScript.FOLDER, "a test"));
            assertTrue(refused.damage().getFirst().toString().contains("no manifest"), refused::toString);
        }
    }
}
